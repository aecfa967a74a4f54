// Counts the thirteen motifs of a graph, and at which nodes one of them occurs most.
//   census [GRAPH]     an edge list, another graph file, or a dataset's name (default: karate)
#include <mgnn/mgnn.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

int main(int argc, char** argv) try {
  const mgnn::Dataset data = mgnn::load_dataset(argc > 1 ? argv[1] : "karate");
  const mgnn::Census census = mgnn::census(data.graph, {.per_node = true});
  std::printf("%s: %d nodes, %ld arcs\n", data.name.c_str(), data.graph.num_nodes(),
              long(data.graph.num_arcs()));
  for (const mgnn::Motif& motif : mgnn::all_motifs())
    std::printf("%-4s %-24s %12ld\n", mgnn::motif_label(motif.number).c_str(), motif.name,
                long(census.total[motif.number - 1]));

  constexpr int kMutualTriangle = 4;
  std::vector<mgnn::NodeId> nodes(data.graph.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto count = [&](mgnn::NodeId v) { return census.per_node[v][kMutualTriangle - 1]; };
  std::stable_sort(nodes.begin(), nodes.end(), [&](auto u, auto v) { return count(u) > count(v); });
  nodes.resize(std::min<size_t>(nodes.size(), 3));
  for (const mgnn::NodeId v : nodes)
    std::printf("node %s is in %ld instances of M4\n", data.ids.name(v).c_str(), long(count(v)));
} catch (const mgnn::Error& error) {
  std::fprintf(stderr, "census: %s\n", error.what());
  return int(error.kind());
}
