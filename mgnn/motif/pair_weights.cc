#include "mgnn/motif/pair_weights.h"

#include "mgnn/base/parallel.h"

namespace mgnn {

void WaySums::add(const PairWays& ways) {
  for (int t = ways.first; t <= ways.last; t++) {
    weight[t].add(ways.weight[t]);
    count[t]++;
  }
}

PairWeights::PairWeights(const Graph& graph, std::span<const float> arc_weight,
                         const Csr& connected, MotifWeights weights, Counting counting)
    : connected_(connected),
      weights_(weights),
      counting_(counting),
      reverse_(transposed_places(connected, connected)),
      arcs_(size_t(connected.nnz())) {
#pragma omp parallel for schedule(dynamic, 256) if (worth_threads(connected.nnz()))
  for (NodeId i = 0; i < connected.rows; i++) {
    Offset out = graph.out.start[i], in = graph.in.start[i];
    for (Offset e = connected.start[i]; e < connected.start[i + 1]; e++) {
      const NodeId j = connected.index[e];
      const bool has_out = out < graph.out.start[i + 1] && graph.out.index[out] == j;
      const bool has_in = in < graph.in.start[i + 1] && graph.in.index[in] == j;
      if (has_out) arcs_[e].out = arc_weight[size_t(out)];
      arcs_[e].type = has_out && has_in ? kBoth : has_out ? kOut : kIn;
      out += has_out;
      in += has_in;
    }
  }
#pragma omp parallel for schedule(static) if (worth_threads(connected.nnz()))
  for (Offset e = 0; e < connected.nnz(); e++) arcs_[e].in = arcs_[reverse_[e]].out;
}

// Sums of what stands before a place and of what stands behind it: a total less one term would lose
// the small terms beside a large one.
Array<WaySums> PairWeights::sums_around() const {
  Array<WaySums> result(size_t(connected_.nnz()));
#pragma omp parallel for schedule(dynamic, 64) if (worth_threads(connected_.nnz()))
  for (NodeId i = 0; i < connected_.rows; i++) {
    WaySums before, behind;
    for (Offset e = connected_.start[i]; e < connected_.start[i + 1]; e++) {
      result[e] = before;
      before.add(ways(e));
    }
    for (Offset e = connected_.start[i + 1]; e-- > connected_.start[i];) {
      for (int t = 0; t < kNumTypes; t++) {
        result[e].weight[t].add(behind.weight[t]);
        result[e].count[t] += behind.count[t];
      }
      behind.add(ways(e));
    }
  }
  return result;
}

}  // namespace mgnn
