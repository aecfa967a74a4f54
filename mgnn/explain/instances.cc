#include "mgnn/explain/instances.h"

#include <algorithm>

namespace mgnn {
namespace {

constexpr int kArcSets = 64;
constexpr std::pair<int, int> kPlaces[6] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};

// Which sets of arcs form each motif.
const std::array<std::vector<int>, kNumMotifs + 1>& sets_of_motifs() {
  static const auto sets = [] {
    std::array<std::vector<int>, kNumMotifs + 1> result;
    for (int set = 0; set < kArcSets; set++) result[size_t(motif_of_arcs(set))].push_back(set);
    return result;
  }();
  return sets;
}

double weight_of_arc(const Graph& graph, const InstanceOptions& options, NodeId u, NodeId v) {
  const auto row = graph.out.row(u);
  const auto at = std::lower_bound(row.begin(), row.end(), v) - row.begin();
  return double(options.arc_weight[size_t(graph.out.start[u] + at)]);
}

double weight_of(const Graph& graph, const InstanceOptions& options, const Triple& triple) {
  if (options.weights == MotifWeights::none || options.arc_weight.empty()) return 1;
  double sum = 0, product = 1;
  int count = 0;
  for (const auto& [from, to] : kPlaces) {
    if (!(triple.arcs & arc_bit(from, to))) continue;
    const double w = weight_of_arc(graph, options, triple.nodes[from], triple.nodes[to]);
    sum += w, product *= w, count++;
  }
  return options.weights == MotifWeights::mean ? sum / count : product;
}

std::vector<NodeId> neighbours_of_either(const Graph& graph, NodeId i, NodeId j) {
  std::vector<NodeId> nodes;
  for (const NodeId end : {i, j})
    for (const Csr* rows : {&graph.out, &graph.in})
      nodes.insert(nodes.end(), rows->row(end).begin(), rows->row(end).end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [=](NodeId w) { return w == i || w == j; });
  return nodes;
}

}  // namespace

int arcs_among(const Graph& graph, const std::array<NodeId, 3>& nodes) {
  int set = 0;
  for (const auto& [from, to] : kPlaces)
    if (graph.has_arc(nodes[from], nodes[to])) set |= arc_bit(from, to);
  return set;
}

void for_each_instance(const Graph& graph, const InstanceOptions& options, int motif, NodeId i,
                       NodeId j, const std::function<void(const Triple&)>& use) {
  for (const NodeId w : neighbours_of_either(graph, i, j)) {
    Triple triple{{i, j, w}, 0, 1};
    std::sort(triple.nodes.begin(), triple.nodes.end());
    const auto place = [&](NodeId u) {
      return int(std::find(triple.nodes.begin(), triple.nodes.end(), u) - triple.nodes.begin());
    };
    const int forward = arc_bit(place(i), place(j)), back = arc_bit(place(j), place(i));
    const int needed = options.entry == Entry::arc    ? forward
                       : options.entry == Entry::edge ? forward | back
                                                      : kArcSets - 1;
    const int all = arcs_among(graph, triple.nodes);
    const auto offer = [&](int set) {
      if (!(set & needed)) return;
      triple.arcs = set;
      triple.weight = weight_of(graph, options, triple);
      use(triple);
    };
    if (options.counting == Counting::induced) {
      if (motif_of_arcs(all) == motif) offer(all);
      continue;
    }
    for (const int set : sets_of_motifs()[size_t(motif)])
      if ((set & all) == set) offer(set);
  }
}

}  // namespace mgnn
