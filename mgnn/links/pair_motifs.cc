// An entry of a motif matrix is a linear form of the common neighbours of its pair by types and of the
// degrees of both ends by types (motif/pair_forms.h). Common neighbours are found by marking those of
// u once and looking up the neighbours of every target.

#include "mgnn/links/pair_motifs.h"

#include <algorithm>

#include "mgnn/motif/pair_forms.h"

namespace mgnn {
namespace {

constexpr uint8_t kUnmarked = 3;

PairType type_of(PairArcs arcs) {
  return arcs == PairArcs::forward ? kOut : arcs == PairArcs::backward ? kIn : kBoth;
}

const PairForms& forms() {
  static const PairForms all = pair_forms(Counting::subgraph, Entry::edge);
  return all;
}

struct PairState {
  std::array<uint32_t, 9> common{};
  std::array<uint32_t, 3> own{}, other{};  // neighbours by type, the partner included
};

MotifCounts counts_of(const PairState& state, int type) {
  // Coefficients may be negative, modulo 2^32; sums are taken in 64 bits.
  const auto times = [](uint32_t coefficient, uint32_t count) {
    return int64_t(int32_t(coefficient)) * int64_t(count);
  };
  MotifCounts counts{};
  for (int k = 1; k <= kNumMotifs; k++) {
    const auto lane = size_t(lane_of(k));
    int64_t sum = int32_t(forms().constant[type][lane]);
    for (size_t c = 0; c < 9; c++) sum += times(forms().common[type][c][lane], state.common[c]);
    for (size_t s = 0; s < 3; s++)
      sum += times(forms().own[type][s][lane], state.own[s]) +
             times(forms().other[type][s][lane], state.other[s]);
    counts[size_t(k - 1)] = sum;
  }
  return counts;
}

}  // namespace

PairMotifs::PairMotifs(const Graph& graph, PairArcs arcs_of_pair) : arcs_(arcs_of_pair) {
  joined_ = build_graph(graph.num_nodes(), arcs(graph), {.symmetrise = true}).graph.out;
  type_.resize(size_t(joined_.nnz()));
  degree_.resize(size_t(graph.num_nodes()));
  for (NodeId u = 0; u < joined_.rows; u++)
    for (Offset e = joined_.start[u]; e < joined_.start[u + 1]; e++) {
      const NodeId v = joined_.index[size_t(e)];
      const bool out = graph.has_arc(u, v), in = graph.has_arc(v, u);
      const int type = out && in ? kBoth : out ? kOut : kIn;
      type_[size_t(e)] = uint8_t(type);
      degree_[size_t(u)][size_t(type)]++;
    }
}

void PairMotifs::count(NodeId u, std::span<const NodeId> targets,
                       std::span<MotifCounts> counts) const {
  std::vector<uint8_t> mark(size_t(joined_.rows), kUnmarked);
  for (Offset e = joined_.start[u]; e < joined_.start[u + 1]; e++)
    mark[size_t(joined_.index[size_t(e)])] = type_[size_t(e)];
  const int type = type_of(arcs_);
  for (size_t i = 0; i < targets.size(); i++) {
    const NodeId v = targets[i];
    PairState state{{}, degree_[size_t(u)], degree_[size_t(v)]};
    for (Offset e = joined_.start[v]; e < joined_.start[v + 1]; e++)
      if (const uint8_t seen = mark[size_t(joined_.index[size_t(e)])]; seen != kUnmarked)
        state.common[size_t(3 * seen + type_[size_t(e)])]++;
    if (const uint8_t present = mark[size_t(v)]; present != kUnmarked) {
      state.own[present]--;
      state.other[size_t(reversed(present))]--;
    }
    state.own[size_t(type)]++;
    state.other[size_t(reversed(type))]++;
    counts[i] = counts_of(state, type);
  }
}

PairArcs usual_arcs(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to) {
  int64_t forward = 0, backward = 0, both = 0;
  for (size_t i = 0; i < from.size(); i++) {
    const bool there = graph.has_arc(from[i], to[i]), back = graph.has_arc(to[i], from[i]);
    (there && back ? both : there ? forward : backward)++;
  }
  if (both >= std::max(forward, backward)) return PairArcs::both;
  return forward >= backward ? PairArcs::forward : PairArcs::backward;
}

}  // namespace mgnn
