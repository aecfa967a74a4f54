// Genes belong to pathways; a disease's genes come mostly from a few pathways, and so do a
// compound's, as in biology, so that neighbourhoods overlap. Then the rule
//
//   treats(c, d)  if  binds(c, g) and associates(d, g) for some gene g
//
// is applied, thinned (`kept`) and overlaid with chance links (`wrong`).

#include <algorithm>
#include <array>
#include <set>

#include "mgnn/base/error.h"
#include "mgnn/base/rng.h"
#include "mgnn/data/embedded.h"

namespace mgnn {
namespace {

enum Type : int32_t { compound, gene, disease, pathway, kTypes };

class ToyWorld {
 public:
  ToyWorld(const ToykgOptions& options, uint64_t seed) : o_(options), rng_(seed) {
    size_ = {o_.compounds, o_.genes, o_.diseases, o_.pathways};
    for (int t = 0; t < kTypes; t++) first_[t + 1] = first_[t] + size_[t];
  }

  NodeId num_nodes() const { return first_[kTypes]; }
  NodeId node(Type type, int64_t i) const { return NodeId(first_[type] + i); }
  NodeId size(Type type) const { return size_[type]; }
  NodeId any(Type type) { return node(type, int64_t(rng_.below(uint64_t(size_[type])))); }

  // Gene i is in pathway i % pathways, and some in a second.
  Relation participates() {
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (NodeId i = 0; i < size(gene); i++) {
      pairs.insert({node(gene, i), node(pathway, i % size(pathway))});
      if (rng_.chance(0.3)) pairs.insert({node(gene, i), any(pathway)});
    }
    return relation("participates", pairs);
  }

  // Genes of the same pathway, each with about two others.
  Relation interacts() {
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (NodeId i = 0; i < size(gene); i++)
      for (int k = 0; k < 2; k++) {
        const NodeId other = gene_near(i % size(pathway));
        if (other != node(gene, i)) pairs.insert({node(gene, i), other});
      }
    return relation("interacts", pairs);
  }

  // Each node of a type with 1 to 2 x mean - 1 genes, three in four from its own pathway.
  Relation to_genes(const std::string& name, Type type, int mean) {
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (NodeId i = 0; i < size(type); i++) {
      const NodeId home = NodeId(rng_.below(uint64_t(size(pathway))));
      const uint64_t count = 1 + rng_.below(uint64_t(2 * mean - 1));
      for (uint64_t k = 0; k < count; k++)
        pairs.insert({node(type, i), rng_.chance(0.75) ? gene_near(home) : any(gene)});
    }
    return relation(name, pairs);
  }

  Relation treats(const Relation& binds, const Relation& associates) {
    std::vector<std::vector<NodeId>> diseases_of{size_t(num_nodes())};
    for (const Edge& e : associates.edges) diseases_of[e.to].push_back(e.from);
    std::set<std::pair<NodeId, NodeId>> by_rule, listed;
    for (const Edge& e : binds.edges)
      for (const NodeId d : diseases_of[e.to]) by_rule.insert({e.from, d});
    for (const auto& pair : by_rule)
      if (rng_.chance(o_.kept)) listed.insert(pair);
    const size_t all = size_t(size(compound)) * size_t(size(disease));
    size_t wrong = std::min(size_t(o_.wrong * double(listed.size())), all - by_rule.size());
    while (wrong > 0) {
      const std::pair pair(any(compound), any(disease));
      if (!by_rule.count(pair) && listed.insert(pair).second) wrong--;
    }
    return relation("treats", listed);
  }

 private:
  NodeId gene_near(NodeId home) {  // a gene of that pathway
    const NodeId count = (size(gene) - home + size(pathway) - 1) / size(pathway);
    return node(gene, home + int64_t(rng_.below(uint64_t(count))) * size(pathway));
  }
  static Relation relation(const std::string& name,
                           const std::set<std::pair<NodeId, NodeId>>& pairs) {
    Relation r{name, {}};
    for (const auto& [u, v] : pairs) r.edges.push_back({u, v});
    return r;
  }

  const ToykgOptions& o_;
  Rng rng_;
  std::array<NodeId, kTypes> size_{};
  std::array<NodeId, kTypes + 1> first_{};
};

}  // namespace

Dataset toykg_dataset(const ToykgOptions& o, uint64_t seed) {
  check(o.compounds > 0 && o.diseases > 0 && o.pathways > 0 && o.genes >= o.pathways &&
            int64_t(o.compounds) + o.genes + o.diseases + o.pathways <= 10'000'000,
        "toykg needs some nodes of every type, at least as many genes as pathways, and at most ten "
        "million in all");
  check(o.genes_per_compound >= 1 && o.genes_per_disease >= 1,
        "toykg needs at least one gene per compound and per disease");
  check(o.kept >= 0 && o.kept <= 1 && o.wrong >= 0 && o.wrong <= 10,
        "toykg cannot keep {} of the links and add {} wrong ones", o.kept, o.wrong);
  ToyWorld world(o, seed);
  Dataset d;
  d.name = "toykg";
  d.relations = {world.to_genes("binds", compound, o.genes_per_compound),
                 world.to_genes("associates", disease, o.genes_per_disease), world.participates(),
                 world.interacts()};
  d.relations.push_back(world.treats(d.relations[0], d.relations[1]));

  d.node_type_names = {"compound", "gene", "disease", "pathway"};
  for (int32_t t = 0; t < kTypes; t++)
    for (NodeId i = 0; i < world.size(Type(t)); i++) {
      d.node_type.push_back(t);
      d.ids.push_back(fmt::format("{}:{:04}", d.node_type_names[t], i));
    }
  Array<Edge> edges;
  for (const Relation& r : d.relations) edges.insert(edges.end(), r.edges.begin(), r.edges.end());
  BuiltGraph built = build_graph(world.num_nodes(), std::move(edges));
  d.graph = std::move(built.graph);
  d.build = built.stats;
  return d;
}

}  // namespace mgnn
