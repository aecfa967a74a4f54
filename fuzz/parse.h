// What the targets of readers in memory share: bytes go in, and a graph or an Error comes out.
#pragma once

#include "mgnn/base/error.h"
#include "mgnn/base/memory.h"
#include "mgnn/io/attributed.h"

namespace mgnn::fuzz {

// Also the table of the nodes' attributes. A few bytes may claim a thousand nodes, not millions.
template <class Parse>
int parse_graph(const uint8_t* data, size_t size, Parse&& parse) {
  set_max_claimed_nodes(1000);
  try {
    const AttributedGraph graph =
        parse(std::string_view(reinterpret_cast<const char*>(data), size));
    for (const Edge& edge : graph.list.edges)
      if (edge.from < 0 || edge.to < 0 || edge.from >= graph.list.num_nodes ||
          edge.to >= graph.list.num_nodes)
        __builtin_trap();
    int64_t repeated = 0;
    node_table(graph, "fuzz", int64_t(size), repeated);
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace mgnn::fuzz
