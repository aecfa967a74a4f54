// The inner loops of reading edges, once per instruction set (see base/cpu.h).
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {

// 64 ids: which of them occur, and how many smaller ids do.
struct RankWord {
  uint64_t bits, before;
};

// REQUIRES of those that read text: 64 bytes can be read from every place before `end`.
//
// parse_pairs reads lines of two whole numbers of at most 18 digits each, behind which other columns are
// passed over where there may be `more`, writes them to `out`, and stops at the beginning of the first
// line that is anything else, or at `end`, which it returns. `bits` gathers all ids by or; ids that do
// not fit into an Edge are cut.
// REQUIRES: end[-1] == '\n'.
//
// replace_by_ranks puts in place of every end the number of smaller ids that occur.
MGNN_DECLARE_KERNELS(int64_t count_newlines(const char* p, const char* end);
                     const char* parse_pairs(const char* p, const char* end, char separator,
                                             bool more, Edge*& out, uint64_t& bits);
                     const char* parse_pairs(const char* p, const char* end, char separator,
                                             bool more, WideEdge*& out, uint64_t& bits);
                     void replace_by_ranks(Edge* begin, Edge* end, const RankWord* ranks);)

}  // namespace mgnn
