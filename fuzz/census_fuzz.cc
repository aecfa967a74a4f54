// Census and motif matrices of graphs of up to 12 nodes against trying all triples: the first byte
// chooses what is counted, the second is the number of nodes; then come a bit for every possible arc and a
// byte for its weight.
#include <cmath>

#include "mgnn/base/threads.h"
#include "mgnn/motif/census.h"
#include "tests/reference/motif_reference.h"

namespace {

using namespace mgnn;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

struct Input {
  Graph graph;
  Array<float> weight;  // quarters, so that sums and products are exact
};

Input decoded(const uint8_t* data, size_t size) {
  const NodeId n = NodeId(data[0] % 13);
  const auto byte = [&](size_t i) { return i < size ? data[i] : uint8_t(0); };
  Array<Edge> edges;
  const auto has_arc = [&](size_t i) { return byte(1 + i / 8) >> (i % 8) & 1; };
  size_t bit = 0;
  for (NodeId u = 0; u < n; u++)
    for (NodeId v = 0; v < n; v++)
      if (u != v && has_arc(bit++)) edges.push_back({u, v});
  Input input{make_graph(n, std::move(edges)), {}};
  for (Offset e = 0; e < input.graph.num_arcs(); e++)
    input.weight.push_back(float(int8_t(byte(18 + size_t(e)))) / 4);
  return input;
}

void check_counts(const Graph& graph, Counting counting, Entry entry) {
  const MotifMatrices actual = motif_matrices(graph, {.counting = counting, .entry = entry});
  for (int k = 1; k <= kNumMotifs; k++)
    must(reference::dense(actual, k) == reference::motif_matrix(graph, k, counting, entry));
}

void check_weights(const Input& input, Counting counting, Entry entry, MotifWeights weights) {
  const WeightedMotifMatrices actual = weighted_motif_matrices(
      input.graph, input.weight, weights, {.counting = counting, .entry = entry});
  const size_t n = size_t(input.graph.num_nodes());
  for (int k = 1; k <= kNumMotifs; k++) {
    std::vector<double> found(n * n, 0.);
    for (NodeId i = 0; i < NodeId(n); i++)
      for (Offset e = actual.pattern.start[i]; e < actual.pattern.start[i + 1]; e++)
        found[size_t(i) * n + size_t(actual.pattern.index[e])] = actual.value[k - 1][e];
    const std::vector<double> expected =
        reference::weighted_motif_matrix(input.graph, input.weight, weights, k, counting, entry);
    for (size_t e = 0; e < n * n; e++)
      must(std::abs(found[e] - expected[e]) <= 1e-9 * (1 + std::abs(expected[e])));
  }
}

void check_census(const Graph& graph, Counting counting) {
  const Census actual = census(graph, {.counting = counting, .per_node = true});
  for (int k = 1; k <= kNumMotifs; k++) {
    std::vector<int64_t> per_node(size_t(graph.num_nodes()), 0);
    int64_t total = 0;
    reference::each_instance(reference::adjacency(graph), motif(k), counting == Counting::induced,
                             [&](const std::array<int, 3>& nodes) {
                               total++;
                               for (const int node : nodes) per_node[size_t(node)]++;
                             });
    must(actual.total[k - 1] * motif(k).automorphisms == total);
    for (size_t u = 0; u < per_node.size(); u++)
      must(actual.per_node[u][k - 1] * motif(k).automorphisms == per_node[u]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const auto counting = Counting(data[0] % 2);
  const auto entry = Entry(data[0] / 2 % 3);
  set_num_threads(1 + data[0] / 6 % 16 / 15);  // threads take long to start
  const Input input = decoded(data + 1, size - 1);
  check_census(input.graph, counting);
  check_counts(input.graph, counting, entry);
  check_weights(input, counting, entry,
                data[0] % 5 < 2 ? MotifWeights::mean : MotifWeights::product);
  return 0;
}
