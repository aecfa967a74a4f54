#include "mgnn/task/link_split.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/splits.h"

namespace mgnn {
namespace {

constexpr size_t kMinEdges = 20;

// `name` among `known`, or an Error that lists them.
size_t find_name(const Dataset& dataset, const char* kind, const std::string& name,
                 const std::vector<std::string>& known, Hint::Topic column) {
  const auto place = std::find(known.begin(), known.end(), name);
  if (place != known.end()) return size_t(place - known.begin());
  if (known.empty()) fail_usage(column, "{}: there are no {}s", dataset.name, kind);
  fail_usage("{}: there is no {} {}; there are {}", dataset.name, kind, in_quotes(name),
             human_list(known));
}

const Relation& find_relation(const Dataset& dataset, const std::string& name) {
  std::vector<std::string> known;
  for (const Relation& relation : dataset.relations) known.push_back(relation.name);
  return dataset.relations[find_name(dataset, "relation", name, known, Hint::relation_column)];
}

int32_t find_type(const Dataset& dataset, const std::string& name) {
  return int32_t(find_name(dataset, "node type", name, dataset.node_type_names, Hint::type_column));
}

// The type that all these ends have, or -1.
int32_t common_type(const Dataset& dataset, const Array<Edge>& edges, NodeId Edge::*end) {
  if (dataset.node_type.empty() || edges.empty()) return -1;
  const auto type = [&](const Edge& e) { return dataset.node_type[e.*end]; };
  const bool same = std::all_of(edges.begin(), edges.end(),
                                [&](const Edge& e) { return type(e) == type(edges[0]); });
  return same ? type(edges[0]) : -1;
}

std::string question(const LinkOptions& options) {
  if (!options.relation.empty()) return "relation " + in_quotes(options.relation);
  return options.between.empty() ? "the graph" : "the pair of types " + options.between;
}

uint64_t key_of(NodeId u, NodeId v) {
  const auto [low, high] = std::minmax(u, v);
  return uint64_t(uint32_t(low)) << 32 | uint32_t(high);
}

Graph without(const Graph& graph, std::initializer_list<const NodePairs*> held_out) {
  std::vector<uint64_t> keys;
  for (const NodePairs* pairs : held_out)
    for (size_t i = 0; i < pairs->size(); i++) keys.push_back(key_of(pairs->from[i], pairs->to[i]));
  std::sort(keys.begin(), keys.end());
  Array<Edge> kept;
  kept.reserve(size_t(graph.num_arcs()));
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : graph.out.row(u))
      if (!std::binary_search(keys.begin(), keys.end(), key_of(u, v))) kept.push_back({u, v});
  return make_graph(graph.num_nodes(), std::move(kept));
}

}  // namespace

Options link_options(LinkOptions& o) {
  return {
      option("relation", o.relation, "predict the edges of this relation only"),
      option("between", o.between,
             "predict the edges between two node types only, as in Disease,Gene"),
      choice("decoder", o.decoder,
             "score of a pair: inner product, bilinear form, or inner product of a source and a "
             "target vector; the last two are directed"),
      choice(
          "negatives", o.negatives,
          "negative samples: pairs with the node types of an edge, any pairs, or pairs of ends of "
          "other edges, so that degrees tell nothing"),
      choice(
          "link_loss", o.loss,
          "binary cross-entropy; softmax of an edge among its negatives; or Bayesian personalised "
          "ranking"),
      option("num_negatives", o.num_negatives, "negative samples for each training edge"),
      option("adversarial_temperature", o.adversarial_temperature,
             "weigh the negatives of an edge by the softmax of their scores times this (0: alike)"),
      option("dimension", o.dimension, "dimension of the vectors that are scored or embedded"),
      option("validation_share", o.validation_share, "share of edges held out for validation"),
      option("test_share", o.test_share, "share of edges held out for the test"),
      option("hits", o.hits, "k of Hits@k"),
      choice(
          "heuristics", o.heuristics,
          "link heuristics that the network is compared and combined with: auto leaves out those "
          "that would take long"),
  };
}

LinkEnds link_ends(const Dataset& dataset, const LinkOptions& options) {
  if (!options.relation.empty() && !options.between.empty())
    fail_usage("relation and between exclude each other; use one of them");
  if (!options.relation.empty()) {
    const Relation& relation = find_relation(dataset, options.relation);
    return {common_type(dataset, relation.edges, &Edge::from),
            common_type(dataset, relation.edges, &Edge::to)};
  }
  if (options.between.empty()) return {};
  const size_t comma = options.between.find(',');
  if (comma == std::string::npos)
    fail_usage("between is {}; name two node types, as in Disease,Gene",
               in_quotes(options.between));
  return {find_type(dataset, options.between.substr(0, comma)),
          find_type(dataset, options.between.substr(comma + 1))};
}

NodePairs asked_pairs(const Dataset& dataset, const LinkOptions& options) {
  const LinkEnds ends = link_ends(dataset, options);
  const bool directed = is_directed(options.decoder);
  const auto type = [&](NodeId v) { return dataset.node_type.empty() ? -1 : dataset.node_type[v]; };
  const bool two_types = ends.from >= 0 && ends.to >= 0 && ends.from != ends.to;
  const auto turned = [&](Edge e) {
    const bool wrong = two_types ? type(e.from) != ends.from : e.from > e.to;
    return wrong && !directed ? Edge{e.to, e.from} : e;
  };
  const Array<Edge> listed = options.relation.empty()
                                 ? arcs(dataset.graph)
                                 : find_relation(dataset, options.relation).edges;
  std::vector<std::pair<NodeId, NodeId>> found;
  for (const Edge& one : listed) {
    const Edge e = turned(one);
    const bool fits =
        options.between.empty() || (type(e.from) == ends.from && type(e.to) == ends.to);
    if (e.from != e.to && fits) found.emplace_back(e.from, e.to);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  NodePairs pairs;
  for (const auto& [u, v] : found) pairs.push_back({u, v});
  return pairs;
}

LinkSplit link_split(const Dataset& dataset, const LinkOptions& options, const Rng& rng) {
  const NodePairs asked = asked_pairs(dataset, options);
  if (asked.size() < kMinEdges)
    fail_data(
        "{}: {} has {} edges, too few to learn from some and be tested on others; at least {} are "
        "needed",
        dataset.name, question(options), asked.size(), kMinEdges);
  std::vector<Edge> edges;
  for (size_t i = 0; i < asked.size(); i++) edges.push_back(asked[i]);
  const EdgeSplit parts = edge_split(edges, options.validation_share, options.test_share, rng);
  LinkSplit split;
  const auto fill = [&](NodePairs& to, const std::vector<Offset>& which) {
    for (const Offset e : which) to.push_back(edges[e]);
  };
  fill(split.train, parts.train);
  fill(split.validation, parts.validation);
  fill(split.test, parts.test);
  split.graph = without(dataset.graph, {&split.validation, &split.test});
  return split;
}

}  // namespace mgnn
