// The closed motifs by SuiteSparse:GraphBLAS, the opponent of bench/motif_bench.
#pragma once

#include "mgnn/graph/graph.h"

namespace mgnn::bench {

// The graph as GraphBLAS matrices, made outside of what is timed.
class GraphBlasMotifs {
 public:
  GraphBlasMotifs(const Graph& graph, int threads);
  GraphBlasMotifs(const GraphBlasMotifs&) = delete;
  GraphBlasMotifs& operator=(const GraphBlasMotifs&) = delete;
  ~GraphBlasMotifs();

  // `edge` matrices of M1..M7, `subgraph` counting, by masked products; gives their sums.
  void count(int64_t sums[7]) const;

 private:
  struct Matrices;
  Matrices* matrices_;
};

}  // namespace mgnn::bench
