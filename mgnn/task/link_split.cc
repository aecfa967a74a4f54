#include "mgnn/task/link_split.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/data/splits.h"

namespace mgnn {
namespace {

constexpr size_t kMinEdges = 20;

// `name` among `known`, or an Error that lists them.
size_t find_name(const Dataset& dataset, const char* kind, const std::string& name,
                 const std::vector<std::string>& known, const char* otherwise) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return size_t(found - known.begin());
  if (known.empty()) fail_usage("{}: there are no {}s; {}", dataset.name, kind, otherwise);
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  fail_usage("{}: there is no {} {}; there are {}", dataset.name, kind, in_quotes(name), list);
}

const Relation& find_relation(const Dataset& dataset, const std::string& name) {
  std::vector<std::string> known;
  for (const Relation& relation : dataset.relations) known.push_back(relation.name);
  return dataset.relations[find_name(dataset, "relation", name, known,
                                     "name the column of an edge list with --relation-column")];
}

int32_t find_type(const Dataset& dataset, const std::string& name) {
  return int32_t(find_name(dataset, "node type", name, dataset.node_type_names,
                           "give them in a table with --nodes FILE --type-column NAME"));
}

// The type that all these ends have, or -1.
int32_t common_type(const Dataset& dataset, const Array<Edge>& edges, NodeId Edge::*end) {
  if (dataset.node_type.empty() || edges.empty()) return -1;
  const auto type = [&](const Edge& e) { return dataset.node_type[size_t(e.*end)]; };
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
      option("relation", o.relation, "of links: ask about the edges of this relation only"),
      option("between", o.between,
             "of links: ask about edges between two node types only, as in Disease,Gene"),
      choice("decoder", o.decoder,
             "of links: how a pair is scored; the last two tell u -> v from v -> u"),
      choice<bool>("negatives", o.typed, {{"typed", true}, {"uniform", false}},
                   "of links: pairs without an edge have the node types of an edge, or any"),
      option("dimension", o.dimension, "of links: columns of what a score is made of"),
      option("validation_share", o.validation_share, "of the edges asked about"),
      option("test_share", o.test_share, "of the edges asked about"),
      option("hits", o.hits, "of links: k of Hits@k"),
  };
}

LinkEnds link_ends(const Dataset& dataset, const LinkOptions& options) {
  if (!options.relation.empty() && !options.between.empty())
    fail_usage("--relation and --between exclude each other; use one of them");
  if (!options.relation.empty()) {
    const Relation& relation = find_relation(dataset, options.relation);
    return {common_type(dataset, relation.edges, &Edge::from),
            common_type(dataset, relation.edges, &Edge::to)};
  }
  if (options.between.empty()) return {};
  const size_t comma = options.between.find(',');
  if (comma == std::string::npos)
    fail_usage("--between {}: name two node types, as in Disease,Gene", options.between);
  return {find_type(dataset, options.between.substr(0, comma)),
          find_type(dataset, options.between.substr(comma + 1))};
}

NodePairs asked_pairs(const Dataset& dataset, const LinkOptions& options) {
  const LinkEnds ends = link_ends(dataset, options);
  const bool directed = is_directed(options.decoder);
  const auto type = [&](NodeId v) {
    return dataset.node_type.empty() ? -1 : dataset.node_type[size_t(v)];
  };
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
    for (const Offset e : which) to.push_back(edges[size_t(e)]);
  };
  fill(split.train, parts.train);
  fill(split.validation, parts.validation);
  fill(split.test, parts.test);
  split.graph = without(dataset.graph, {&split.validation, &split.test});
  return split;
}

}  // namespace mgnn
