// Classes are drawn first; then the nodes of a class that needs cycles are cut into random threes
// and each three gets a cycle, and likewise for feed-forward loops, whose positions (source,
// middle, sink) are random, so that they say nothing of the class. A triangle mixes the two classes
// that need it. The rest of the arcs evens out all degrees (data/planted.h).

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/planted.h"
#include "mgnn/data/splits.h"

namespace mgnn {
namespace {

enum Role : int32_t { bystander, feedback, feedforward, relay, kRoles };

// A triangle on every three of the nodes that `needs` one, at random. Two nodes are not put into
// one triangle if they are in one already: pairs must not be joined twice.
template <class Needs, class Triangle>
void plant(const std::vector<int32_t>& label, Needs&& needs, Triangle&& triangle,
           Array<Edge>& planted, Rng rng) {
  std::vector<NodeId> nodes;
  for (size_t u = 0; u < label.size(); u++)
    if (needs(label[u])) nodes.push_back(NodeId(u));
  std::vector<std::vector<NodeId>> near(label.size());
  for (const Edge& e : planted) {
    near[e.from].push_back(e.to);
    near[e.to].push_back(e.from);
  }
  const auto joined = [&](NodeId u, NodeId v) {
    return std::find(near[u].begin(), near[u].end(), v) != near[u].end();
  };
  const auto overlaps = [&](size_t i) {
    const NodeId a = nodes[i], b = nodes[i + 1], c = nodes[i + 2];
    return joined(a, b) || joined(b, c) || joined(a, c);
  };
  rng.shuffle(std::span(nodes));
  for (size_t i = 0; i + 2 < nodes.size();) {
    if (!overlaps(i)) {
      i += 3;
      continue;
    }
    const size_t other = rng.below(nodes.size());
    std::swap(nodes[i + rng.below(3)], nodes[other]);
    i = std::min(i, other / 3 * 3);  // look again at all that may have changed
  }
  for (size_t i = 0; i + 2 < nodes.size(); i += 3) {
    const Array<Edge> arcs = triangle(nodes[i], nodes[i + 1], nodes[i + 2]);
    planted.insert(planted.end(), arcs.begin(), arcs.end());
  }
}

Matrix hinting_features(const std::vector<int32_t>& label, int dimensions, double signal, Rng rng) {
  Matrix means(kRoles, dimensions);  // corners of a simplex, about `signal` apart
  for (int c = 0; c < kRoles; c++)
    if (1 + c < dimensions) means(c, 1 + c) = float(signal / std::sqrt(2.));
  Matrix x(int64_t(label.size()), dimensions);
  for (size_t u = 0; u < label.size(); u++) {
    x(int64_t(u), 0) = 1;
    for (int d = 1; d < dimensions; d++)
      x(int64_t(u), d) = means(label[u], d) + float(rng.normal());
  }
  return x;
}

}  // namespace

Dataset roles_dataset(const RolesOptions& o, uint64_t seed) {
  check(o.nodes >= 24 && o.nodes % 12 == 0,
        "roles needs a multiple of 12 nodes, 24 or more, not {}", o.nodes);
  check(o.degree >= 3, "roles needs a degree of at least 3, not {}", o.degree);
  check(o.dimensions >= 5, "roles needs at least 5 feature dimensions, not {}", o.dimensions);
  const Rng rng(seed);
  Dataset d;
  d.name = "roles";
  d.class_names = {"bystander", "feedback", "feedforward", "relay"};
  for (NodeId u = 0; u < o.nodes; u++) d.label.push_back(u % kRoles);
  rng.split(0).shuffle(std::span(d.label));

  Array<Edge> planted;
  plant(
      d.label, [](int32_t c) { return c == feedback || c == relay; }, cyclic_triangle, planted,
      rng.split(1));
  plant(
      d.label, [](int32_t c) { return c == feedforward || c == relay; }, transitive_triangle,
      planted, rng.split(2));
  BuiltGraph built =
      build_graph(o.nodes, regular_with_planted(o.nodes, o.degree, planted, rng.split(3)));
  d.graph = std::move(built.graph);
  d.build = built.stats;
  d.features = hinting_features(d.label, o.dimensions, o.signal, rng.split(4));
  d.features_from = "a constant and weakly informative noise";
  for (int i = 0; i < o.splits; i++) {
    const std::vector<int> fold = stratified_folds(d.label, 5, rng.split(5).split(uint64_t(i)));
    d.splits.push_back(fold_split(fold, 5, 0));
    d.splits.back().name = fmt::format("random {}", i);
  }
  return d;
}

}  // namespace mgnn
