#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "mgnn/base/interrupt.h"
#include "mgnn/explain/attribution.h"

namespace mgnn {
namespace {

// Shares by joined pair; smaller node first.
class ArcSums {
 public:
  explicit ArcSums(const Graph& graph) : graph_(graph) {}

  // To the pair, if it is joined.
  void add(NodeId u, NodeId v, int motif, double share) {
    if (u != v) parts_.push_back({std::min(u, v), std::max(u, v), motif, share});
  }
  std::vector<ArcShare> sorted() {
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return std::tuple(a.u, a.v, a.motif) < std::tuple(b.u, b.v, b.motif);
    });
    std::vector<ArcShare> arcs;
    for (size_t i = 0; i < parts_.size();) {
      const NodeId u = parts_[i].u, v = parts_[i].v;
      const bool forward = graph_.has_arc(u, v), back = graph_.has_arc(v, u);
      ArcShare arc{forward ? u : v, forward ? v : u, forward && back};
      double largest = -1;
      while (i < parts_.size() && parts_[i].u == u && parts_[i].v == v) {
        const int motif = parts_[i].motif;
        double share = 0;
        for (;
             i < parts_.size() && parts_[i].u == u && parts_[i].v == v && parts_[i].motif == motif;
             i++)
          share += parts_[i].share;
        arc.share += share;
        if (std::abs(share) > largest) largest = std::abs(share), arc.strongest = motif;
      }
      if (forward || back) arcs.push_back(arc);
    }
    std::stable_sort(arcs.begin(), arcs.end(), [](const ArcShare& a, const ArcShare& b) {
      return std::abs(a.share) > std::abs(b.share);
    });
    return arcs;
  }

 private:
  struct Part {
    NodeId u, v;
    int motif;
    double share;
  };
  const Graph& graph_;
  std::vector<Part> parts_;
};

// Of motifs with one matrix, that with the most arcs: on an undirected graph the one whose instances are the
// triangles, or the paths, as they are.
int representative(const std::vector<int>& motifs) {
  return *std::max_element(motifs.begin(), motifs.end(),
                           [](int a, int b) { return motif(a).num_arcs < motif(b).num_arcs; });
}

class InstanceSums {
 public:
  void add(int motif, const Triple& triple, double share) {
    InstanceShare& to = share_[{motif, triple.nodes}];
    to.motif = motif, to.nodes = triple.nodes, to.arcs |= triple.arcs, to.share += share;
  }
  std::vector<InstanceShare> sorted() const {
    std::vector<InstanceShare> instances;
    for (const auto& [key, instance] : share_) instances.push_back(instance);
    std::stable_sort(instances.begin(), instances.end(), [](const auto& a, const auto& b) {
      return std::abs(a.share) > std::abs(b.share);
    });
    return instances;
  }

 private:
  std::map<std::pair<int, std::array<NodeId, 3>>, InstanceShare> share_;
};

void add_to_arcs(const Triple& triple, int motif, double share, ArcSums& arcs) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (int a = 0; a < 3; a++)
    for (int b = a + 1; b < 3; b++)
      if (triple.arcs & (arc_bit(a, b) | arc_bit(b, a)))
        pairs.emplace_back(triple.nodes[size_t(a)], triple.nodes[size_t(b)]);
  for (const auto& [u, v] : pairs) arcs.add(u, v, motif, share / double(pairs.size()));
}

}  // namespace

Spread spread_over_arcs(const Attribution& attribution, const Graph& graph,
                        const InstanceOptions& options, SpreadOver over, int64_t max_thirds) {
  std::vector<EntryShare> entries = attribution.entries;
  std::stable_sort(entries.begin(), entries.end(), [](const EntryShare& a, const EntryShare& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
  ArcSums arcs(graph);
  InstanceSums instances;
  Spread result;
  int64_t thirds = 0;
  const auto degree = [&](NodeId v) { return graph.out.row_size(v) + graph.in.row_size(v); };
  for (const EntryShare& entry : entries) {
    check_interrupted();
    if (entry.group >= 0 && over == SpreadOver::messages) continue;
    if (entry.group >= 0) result.entries++;
    const bool spreads = over == SpreadOver::instances && entry.group >= 0 && thirds < max_thirds &&
                         !is_published(options.counting);
    const int motif = entry.group < 0 ? 0 : representative(attribution.groups[size_t(entry.group)]);
    if (!spreads) {
      arcs.add(entry.to, entry.from, motif, entry.share);
      continue;
    }
    thirds += degree(entry.to) + degree(entry.from);
    result.spread++;
    std::vector<Triple> triples;
    double total = 0;
    for_each_instance(graph, options, motif, entry.to, entry.from, [&](const Triple& triple) {
      triples.push_back(triple);
      total += triple.weight;
    });
    if (total == 0) arcs.add(entry.to, entry.from, motif, entry.share);  // of a diagonal, say
    for (const Triple& triple : triples) {
      if (total == 0) break;
      const double share = entry.share * triple.weight / total;
      instances.add(motif, triple, share);
      add_to_arcs(triple, motif, share, arcs);
    }
  }
  result.instances = instances.sorted();
  result.arcs = arcs.sorted();
  return result;
}

}  // namespace mgnn
