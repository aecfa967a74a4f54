#include "mgnn/io/attributed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/text.h"

namespace mgnn {
std::string_view TextStore::keep(std::string_view text) {
  constexpr size_t kPiece = size_t(1) << 16;
  if (pieces_.empty() || pieces_.back().capacity() - pieces_.back().size() < text.size()) {
    pieces_.emplace_back();
    pieces_.back().reserve(std::max(kPiece, text.size()));
  }
  Array<char>& piece = pieces_.back();
  const size_t start = piece.size();
  piece.insert(piece.end(), text.begin(), text.end());
  return {piece.data() + start, text.size()};
}

AttributedBuilder::AttributedBuilder(std::string path, AttributedOptions options)
    : path_(std::move(path)), options_(std::move(options)) {}

NodeId AttributedBuilder::node(std::string_view name, int64_t line) {
  if (name.empty()) fail_at(path_, line, "a node has no id");
  bool is_new = false;
  if (const NodeId known = find(name); known >= 0) return known;
  if (has_control_character(name))
    fail_at(path_, line, "the node id {} has a control character", in_quotes(name));
  if (num_nodes() == std::numeric_limits<NodeId>::max())
    fail_at(path_, line, "there are too many nodes");
  graph_.names.push_back(graph_.texts.keep(name));
  graph_.lines.push_back(line);
  listed_.push_back(false);
  return nodes_.number(graph_.names.back(), is_new);
}

NodeId AttributedBuilder::listed_node(std::string_view name, int64_t line) {
  const NodeId u = node(name, line);
  if (listed_[u])
    fail_at(path_, line, "node {} is listed twice, first in line {}", in_quotes(name),
            graph_.lines[u]);
  listed_[u] = true;
  graph_.lines[u] = line;
  return u;
}

int64_t AttributedBuilder::edge(NodeId from, NodeId to, bool directed, int64_t line) {
  if ((num_edges() & 0xFFF) == 0) check_interrupted();
  if (num_edges() == int64_t(1) << 40) fail_at(path_, line, "there are too many edges");
  graph_.list.edges.push_back({from, to});
  undirected_.push_back(!directed);
  num_undirected_ += !directed;
  return num_edges() - 1;
}

int32_t AttributedBuilder::number_of(Interner& names, Attributes& attributes, std::string_view name,
                                     int64_t line) {
  constexpr size_t kMaxNames = 10'000;
  if (const int32_t known = names.find(name); known >= 0) return known;
  if (attributes.names.size() == kMaxNames)
    fail_at(path_, line, "there are more than {} attributes", human_count(kMaxNames));
  attributes.names.emplace_back(name);
  attributes.default_value.emplace_back();
  bool is_new = false;
  return names.number(graph_.texts.keep(name), is_new);
}

void AttributedBuilder::node_attribute(NodeId node, std::string_view name, std::string_view text,
                                       int64_t line) {
  const int32_t number = number_of(node_attributes_, graph_.nodes, name, line);
  graph_.nodes.values.push_back({node, number, graph_.texts.keep(text), line});
}

void AttributedBuilder::edge_attribute(int64_t edge, std::string_view name, std::string_view text,
                                       int64_t line) {
  const int32_t number = number_of(edge_attributes_, edges_, name, line);
  if (relation_rank(name) < 0 && weight_rank(name) < 0 && name != options_.relation &&
      name != options_.weight)
    return;
  edges_.values.push_back({edge, number, graph_.texts.keep(text), line});
}

void AttributedBuilder::node_default(std::string_view name, std::string_view text, int64_t line) {
  const int32_t number = number_of(node_attributes_, graph_.nodes, name, line);
  graph_.nodes.default_value[size_t(number)] = graph_.texts.keep(text);
}

void AttributedBuilder::edge_default(std::string_view name, std::string_view text, int64_t line) {
  const int32_t number = number_of(edge_attributes_, edges_, name, line);
  edges_.default_value[size_t(number)] = graph_.texts.keep(text);
}

// ---- what the attributes are used as

// Whether the attribute gives every node another name.
bool AttributedBuilder::find_names(int32_t attribute, Array<std::string_view>& names) const {
  names.assign(size_t(num_nodes()), {});
  for (const Attributes::Value& value : graph_.nodes.values) {
    if (value.name != attribute || !names[value.item].empty()) continue;
    if (has_control_character(value.text)) return false;
    names[value.item] = value.text;
  }
  const std::unordered_set<std::string_view> distinct(names.begin(), names.end());
  return int64_t(distinct.size()) == num_nodes() && !distinct.contains("");
}

void AttributedBuilder::use_labels(std::string_view label, Label kind) {
  const int32_t attribute = node_attributes_.find(label);
  if (attribute < 0) return;
  Array<std::string_view> names;
  const bool are_names = find_names(attribute, names);
  if (!are_names && kind == Label::attribute) return;
  if (are_names && names != graph_.names)
    graph_.list.reading += fmt::format(", nodes are called by their {}", in_quotes(label));
  if (!are_names)
    remark(fmt::format("nodes are called by their ids: not every one has a {} of its own",
                       in_quotes(label)));
  if (are_names) graph_.names = std::move(names);
  std::erase_if(graph_.nodes.values, [&](const auto& value) { return value.name == attribute; });
}

// The number of the attribute that is asked for, or else of the one with the best of the usual names that
// has values; -1: there is none.
int32_t AttributedBuilder::chosen(const std::string& asked, int (*rank)(std::string_view)) const {
  if (!asked.empty()) {
    const int32_t found = edge_attributes_.find(asked);
    if (found < 0)
      fail_usage("{}: edges have no attribute {}{}", path_, in_quotes(asked),
                 columns_hint(asked, edges_.names));
    return found;
  }
  int32_t best = -1;
  for (size_t i = 0; i < edges_.names.size(); i++)
    if (const int place = rank(edges_.names[i]);
        place >= 0 && (best < 0 || place < rank(edges_.names[size_t(best)])))
      best = int32_t(i);
  return best;
}

void AttributedBuilder::use_relations(int32_t name) {
  if (name < 0) return;
  EdgeList& list = graph_.list;
  Interner relations;
  bool is_new = false;
  list.relation.assign(list.edges.size(), -1);
  for (const Attributes::Value& value : edges_.values)
    if (value.name == name && list.relation[value.item] < 0 && !value.text.empty())
      list.relation[value.item] = relations.number(value.text, is_new);
  const std::string_view given = edges_.default_value[size_t(name)];
  for (int32_t& relation : list.relation)
    if (relation < 0) relation = relations.number(given.empty() ? "(none)" : given, is_new);
  for (const std::string_view relation : relations.names())
    list.relation_names.emplace_back(relation);
  list.reading += fmt::format(", relations are {}", in_quotes(edges_.names[size_t(name)]));
}

void AttributedBuilder::use_weights(int32_t name) {
  if (name < 0) return;
  EdgeList& list = graph_.list;
  list.weight.assign(list.edges.size(), std::numeric_limits<float>::quiet_NaN());
  const auto number_in = [&](std::string_view text, int64_t line) {
    float weight = 0;
    if (!parse_number(trimmed(text), weight) || !std::isfinite(weight))
      fail_at(path_, line, "the weight {} is not a finite number", in_quotes(text));
    return weight;
  };
  for (const Attributes::Value& value : edges_.values)
    if (value.name == name && std::isnan(list.weight[value.item]))
      list.weight[value.item] = number_in(value.text, value.line);
  const std::string_view given = edges_.default_value[size_t(name)];
  const float otherwise = given.empty() ? 1 : number_in(given, 1);
  int64_t missing = 0;
  for (float& weight : list.weight) {
    missing += std::isnan(weight);
    if (std::isnan(weight)) weight = otherwise;
  }
  if (missing > 0 && given.empty())
    remark(fmt::format("{} of {} edges have no weight; it is 1", human_count(missing),
                       human_count(num_edges())));
  list.reading += fmt::format(", weights are {}", in_quotes(edges_.names[size_t(name)]));
}

// Edges without a direction among others that have one are listed both ways.
void AttributedBuilder::use_directions() {
  EdgeList& list = graph_.list;
  if (num_undirected_ == num_edges()) {
    list.undirected = num_edges() > 0;
    return;
  }
  const size_t given = list.edges.size();
  for (size_t e = 0; e < given; e++) {
    const Edge edge = list.edges[e];
    if (!undirected_[e] || edge.from == edge.to) continue;
    list.edges.push_back({edge.to, edge.from});
    if (!list.relation.empty()) list.relation.push_back(list.relation[e]);
    if (!list.weight.empty()) list.weight.push_back(list.weight[e]);
  }
}

AttributedGraph AttributedBuilder::finish(Unlisted unlisted, std::string_view label, Label kind) {
  if (num_nodes() == 0) fail_data("{}: holds no nodes", path_);
  for (NodeId u = 0; u < num_nodes() && unlisted == Unlisted::refused; u++)
    if (!listed_[u])
      fail_at(path_, graph_.lines[u], "an edge names the node {}, which is not listed",
              in_quotes(name(u)));
  EdgeList& list = graph_.list;
  list.num_nodes = NodeId(num_nodes());
  list.reading = num_undirected_ == 0             ? "directed edges"
                 : num_undirected_ == num_edges() ? "undirected edges"
                                                  : "directed and undirected edges";
  use_labels(label, kind);
  const int32_t relation = chosen(options_.relation, relation_rank);
  const int32_t weight = chosen(options_.weight, weight_rank);
  use_relations(relation);
  use_weights(weight);
  std::vector<std::string> unused;
  for (size_t i = 0; i < edges_.names.size(); i++)
    if (int32_t(i) != relation && int32_t(i) != weight)
      unused.push_back(in_quotes(edges_.names[i]));
  if (!unused.empty())
    list.reading += ", attributes of edges that are not used: " + human_list(unused, 5);
  use_directions();
  return std::move(graph_);
}

// ---- attributes of nodes as a table

Table node_table(const AttributedGraph& graph, const std::string& path, int64_t bytes,
                 int64_t& repeated) {
  std::vector<int32_t> column(graph.nodes.names.size(), -1);
  std::vector<std::string> names;
  const auto use = [&](size_t name) {
    if (column[name] >= 0) return;
    column[name] = int32_t(names.size());
    names.push_back(graph.nodes.names[name]);
  };
  for (const Attributes::Value& value : graph.nodes.values) use(size_t(value.name));
  for (size_t name = 0; name < column.size(); name++)
    if (graph.nodes.default_value[name].data() != nullptr) use(name);
  const auto rows = int64_t(graph.names.size()), columns = int64_t(names.size());
  constexpr int64_t kHarmless = int64_t(1) << 22;
  if (rows * columns > kHarmless + 4 * bytes)
    fail_data("{}: {} attributes of {} nodes are too many for a table, since most have no value",
              path, human_count(columns), human_count(rows));
  Array<std::string_view> cells(size_t(rows * columns));
  repeated = 0;
  for (const Attributes::Value& value : graph.nodes.values) {
    std::string_view& cell = cells[size_t(value.item * columns + column[value.name])];
    if (cell.data() == nullptr)
      cell = value.text;
    else
      repeated++;
  }
  for (size_t name = 0; name < column.size(); name++) {
    const std::string_view given = graph.nodes.default_value[name];
    for (int64_t row = 0; row < rows && given.data() != nullptr; row++) {
      std::string_view& cell = cells[size_t(row * columns + column[name])];
      if (cell.data() == nullptr) cell = given;
    }
  }
  return table_of_cells(path, std::move(names), std::move(cells), graph.lines);
}

}  // namespace mgnn
