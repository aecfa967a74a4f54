#include <mgnn/data/load.h>
#include <mgnn/graph/builder.h>
#include <mgnn/graph/summary.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc > 1) return int(mgnn::load_dataset(argv[1]).graph.num_nodes());
  const mgnn::GraphSummary summary = mgnn::summarise(mgnn::make_graph(3, {{0, 1}, {1, 0}, {1, 2}}));
  std::printf("%d nodes, %ld reciprocal pairs\n", summary.nodes, long(summary.reciprocal_pairs));
}
