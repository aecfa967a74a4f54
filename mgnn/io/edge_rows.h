// The lines of an edge list as pairs of ids, before nodes are numbered.
#pragma once

#include "mgnn/io/edge_layout.h"

namespace mgnn {

struct WideEdge {
  int64_t from, to;
};

struct EdgeRows {
  Array<Edge> edges;                        // integer ids below 2^31, or numbers of names
  Array<WideEdge> wide;                     // instead, if an integer id is larger
  uint64_t id_bits = 0;                     // all integer ids or-ed together
  NodeIds names;                            // by first appearance, if ids are strings
  Array<int32_t> relation;                  // (edges) if there is such a column
  std::vector<std::string> relation_names;  // by first appearance
  Array<float> weight;                      // (edges) if there is such a column
};

// Parallel; the result does not depend on the number of threads. Throws Error with the first wrong
// line, and how many more are wrong in the same way.
EdgeRows read_edge_rows(const EdgeLayout& layout, const std::string& path);

}  // namespace mgnn
