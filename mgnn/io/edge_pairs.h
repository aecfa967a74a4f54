// The inner loops of reading edges.
#pragma once

#include "mgnn/io/edge_rows.h"

namespace mgnn {

// REQUIRES of all: 64 bytes can be read from every place before `end`.
//
// parse_pairs reads lines that begin with two whole numbers of at most 18 digits each, writes them
// to `out`, and stops at the beginning of the first line that is anything else, or at `end`, which
// it returns. `bits` gathers all ids by or; ids that do not fit into an Edge are cut.
// REQUIRES: end[-1] == '\n'.
const char* parse_pairs(const char* p, const char* end, char separator, Edge*& out, uint64_t& bits);
const char* parse_pairs(const char* p, const char* end, char separator, WideEdge*& out,
                        uint64_t& bits);
int64_t count_newlines(const char* p, const char* end);

}  // namespace mgnn
