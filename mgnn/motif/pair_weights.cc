#include "mgnn/motif/pair_weights.h"

#include "mgnn/base/parallel.h"

namespace mgnn {

void WaySums::add(const PairWays& ways) {
  for (int t = 0; t < kNumTypes; t++) {
    if (!ways.possible[t]) continue;
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
      forward_(size_t(connected.nnz()), 0.f),
      type_(size_t(connected.nnz()), uint8_t(kIn)) {
#pragma omp parallel for schedule(dynamic, 256) if (worth_threads(connected.nnz()))
  for (NodeId i = 0; i < connected.rows; i++) {
    Offset arc = graph.out.start[i];
    const Offset end = graph.out.start[i + 1];
    for (Offset e = connected.start[i]; e < connected.start[i + 1] && arc < end; e++) {
      if (graph.out.index[arc] != connected.index[e]) continue;
      forward_[e] = arc_weight[size_t(arc++)];
      type_[e] = kOut;
    }
  }
  Array<uint8_t> mutual(type_.size());
#pragma omp parallel for schedule(static) if (worth_threads(connected.nnz()))
  for (Offset e = 0; e < connected.nnz(); e++)
    mutual[e] = type_[e] == kOut && type_[reverse_[e]] == kOut;
#pragma omp parallel for schedule(static) if (worth_threads(connected.nnz()))
  for (Offset e = 0; e < connected.nnz(); e++)
    if (mutual[e]) type_[e] = kBoth;
}

PairWays PairWeights::ways(Offset place) const {
  const double out = forward_[place], in = forward_[reverse_[place]];
  const int type = type_[place];
  PairWays result{.weight = {out, in, joined(out, in)}};
  for (int t = 0; t < kNumTypes; t++)
    result.possible[t] = t == type || (type == kBoth && counting_ == Counting::subgraph);
  return result;
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
