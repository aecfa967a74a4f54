// Graphs come in threes, one of each class on the same number of nodes: disjoint triangles on as
// many nodes as threes go into, then random arcs until all degrees are two (data/planted.h).

#include "mgnn/base/error.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/features.h"
#include "mgnn/data/planted.h"
#include "mgnn/data/splits.h"

namespace mgnn {
namespace {

constexpr int kDegree = 2;
enum Kind : int32_t { none, cyclic, transitive, kNumKinds };

Array<Edge> graph_with_triangles(NodeId nodes, Kind kind, Rng rng) {
  std::vector<NodeId> order(static_cast<size_t>(nodes));
  for (NodeId u = 0; u < nodes; u++) order[u] = u;
  rng.shuffle(std::span(order));
  Array<Edge> planted;
  for (size_t i = 0; kind != none && i + 2 < order.size(); i += 3) {
    const Array<Edge> arcs = kind == cyclic
                                 ? cyclic_triangle(order[i], order[i + 1], order[i + 2])
                                 : transitive_triangle(order[i], order[i + 1], order[i + 2]);
    planted.insert(planted.end(), arcs.begin(), arcs.end());
  }
  return regular_with_planted(nodes, kDegree, planted, rng.split(0));
}

}  // namespace

Dataset triads_dataset(const TriadsOptions& o, uint64_t seed) {
  check(o.graphs > 0 && o.graphs % kNumKinds == 0, "triads needs a multiple of 3 graphs, not {}",
        o.graphs);
  check(o.min_nodes >= 12 && o.max_nodes >= o.min_nodes &&
            int64_t(o.max_nodes) * o.graphs <= 100'000'000,
        "invalid sizes of triads, {} to {} nodes; the minimum is 12", o.min_nodes, o.max_nodes);
  const Rng rng(seed);
  std::vector<std::pair<NodeId, Kind>> plan;
  Rng size = rng.split(0);
  for (int i = 0; i < o.graphs / kNumKinds; i++) {
    const NodeId nodes = o.min_nodes + NodeId(size.below(uint64_t(o.max_nodes - o.min_nodes) + 1));
    for (const Kind kind : {none, cyclic, transitive}) plan.push_back({nodes, kind});
  }
  rng.split(1).shuffle(std::span(plan));

  Dataset d;
  d.name = "triads";
  d.class_names = {"none", "cyclic", "transitive"};
  d.graph_start = {0};
  Array<Edge> edges;
  for (size_t g = 0; g < plan.size(); g++) {
    const auto [nodes, kind] = plan[g];
    const NodeId start = d.graph_start.back();
    for (const Edge& e : graph_with_triangles(nodes, kind, rng.split(2).split(g)))
      edges.push_back({start + e.from, start + e.to});
    d.graph_start.push_back(start + nodes);
    d.label.push_back(kind);
  }
  BuiltGraph built = build_graph(d.graph_start.back(), std::move(edges));
  d.graph = std::move(built.graph);
  d.build = built.stats;
  d.features = constant_features(d.graph.num_nodes());
  d.features_from = "constant";
  if (o.graphs >= 5) {
    const std::vector<int> fold = stratified_folds(d.label, 5, rng.split(3));
    for (int f = 0; f < 5; f++) d.splits.push_back(fold_split(fold, 5, f));
  }
  return d;
}

}  // namespace mgnn
