#include "mgnn/explain/instances.h"

#include <gtest/gtest.h>

#include "mgnn/base/rng.h"

namespace mgnn {
namespace {

Graph random_graph(NodeId n, int arcs, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  for (int i = 0; i < arcs; i++)
    edges.push_back({NodeId(rng.below(uint64_t(n))), NodeId(rng.below(uint64_t(n)))});
  return make_graph(n, std::move(edges));
}

// Every entry of every matrix is the number of instances that are listed for it.
TEST(Instances, AreWhatEntriesCount) {
  for (uint64_t seed = 0; seed < 4; seed++)
    for (const Counting counting : {Counting::subgraph, Counting::induced})
      for (const Entry entry : {Entry::arc, Entry::edge, Entry::pair}) {
        const Graph graph = random_graph(12, 50, seed);
        const MotifMatrices m = motif_matrices(graph, {.counting = counting, .entry = entry});
        for (int k = 1; k <= kNumMotifs; k++)
          for (NodeId i = 0; i < m.pattern.rows; i++)
            for (Offset e = m.pattern.start[size_t(i)]; e < m.pattern.start[size_t(i) + 1]; e++) {
              const NodeId j = m.pattern.index[size_t(e)];
              if (i == j) continue;
              int64_t listed = 0;
              for_each_instance(graph, {.counting = counting, .entry = entry}, k, i, j,
                                [&](const Triple& triple) {
                                  listed++;
                                  EXPECT_EQ(motif_of_arcs(triple.arcs), k);
                                });
              ASSERT_EQ(listed, m.count(k, e)) << "M" << k << " " << i << " " << j;
            }
      }
}

TEST(Instances, WeighWhatEntriesAddUp) {
  const Graph graph = random_graph(10, 45, 5);
  Array<float> weight;
  Rng rng(1);
  for (Offset e = 0; e < graph.num_arcs(); e++) weight.push_back(float(rng.uniform() + 0.5));
  for (const MotifWeights kind : {MotifWeights::mean, MotifWeights::product}) {
    const WeightedMotifMatrices m = weighted_motif_matrices(graph, weight, kind);
    for (int k = 1; k <= kNumMotifs; k++)
      for (NodeId i = 0; i < m.pattern.rows; i++)
        for (Offset e = m.pattern.start[size_t(i)]; e < m.pattern.start[size_t(i) + 1]; e++) {
          double sum = 0;
          for_each_instance(graph, {.weights = kind, .arc_weight = weight}, k, i,
                            m.pattern.index[size_t(e)],
                            [&](const Triple& triple) { sum += triple.weight; });
          ASSERT_NEAR(sum, m.value[size_t(k - 1)][size_t(e)], 1e-9) << "M" << k;
        }
  }
}

}  // namespace
}  // namespace mgnn
