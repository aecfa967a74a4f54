// Graphs as graph programs write them: nodes and edges with attributes.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/io/edge_list.h"
#include "mgnn/io/interner.h"
#include "mgnn/io/table.h"

namespace mgnn {

// Texts that live as long as this, at places that do not change.
class TextStore {
 public:
  std::string_view keep(std::string_view text);

 private:
  std::deque<Array<char>> pieces_;
};

// Attributes of nodes or edges: any may have any, as texts.
struct Attributes {
  struct Value {
    int64_t item;
    int32_t name;
    std::string_view text;
    int64_t line;  // of the file, for messages
  };
  std::vector<std::string> names;               // by first appearance
  std::vector<std::string_view> default_value;  // (names) of items without a value; null: none
  std::vector<Value> values;
};

struct AttributedGraph {
  EdgeList list;  // without ids; `reading` says what edges are and which names are used
  Array<std::string_view> names;  // (nodes) what the file calls them
  Array<int64_t> lines;           // (nodes) where each is listed
  Attributes nodes;
  std::string type_attribute;  // that of nodes which is their type; empty: type, if there
  std::vector<std::string> remarks;
  TextStore texts;  // what the views are of
};

// A column for each attribute, a row for each node; empty where a node has no value, and the first where
// it has several, which `repeated` counts. REQUIRES: `graph` outlives it. Throws Error (data) if it would
// be far larger than a file of `bytes`.
Table node_table(const AttributedGraph& graph, const std::string& path, int64_t bytes,
                 int64_t& repeated);

struct AttributedOptions {
  // Attributes of edges. Empty: those with the usual names of such columns in edge lists, if there.
  std::string relation = {}, weight = {};
};

// Collects a graph while its file is read. Functions that take a line throw Error with path:line.
class AttributedBuilder {
 public:
  explicit AttributedBuilder(std::string path, AttributedOptions options = {});

  // The node of that name, which is new if nothing named it before.
  NodeId node(std::string_view name, int64_t line);
  // The same, where the file lists the node, which it does once.
  NodeId listed_node(std::string_view name, int64_t line);
  NodeId find(std::string_view name) const { return nodes_.find(name); }  // -1: there is none
  int64_t num_nodes() const { return int64_t(graph_.names.size()); }
  int64_t num_edges() const { return int64_t(graph_.list.edges.size()); }
  std::string_view name(NodeId node) const { return graph_.names[node]; }

  // Gives the number of the edge.
  int64_t edge(NodeId from, NodeId to, bool directed, int64_t line);
  void node_attribute(NodeId node, std::string_view name, std::string_view text, int64_t line);
  void edge_attribute(int64_t edge, std::string_view name, std::string_view text, int64_t line);
  // Of those that have no value.
  void node_default(std::string_view name, std::string_view text, int64_t line);
  void edge_default(std::string_view name, std::string_view text, int64_t line);

  void set_type_attribute(std::string_view name) { graph_.type_attribute = name; }
  void remark(std::string text) { graph_.remarks.push_back(std::move(text)); }

  enum class Unlisted { allowed, refused };  // nodes that only edges name
  // `label`: the attribute of nodes with names for people, or "". Where every node has one and all differ,
  // the nodes are called so; else it is an attribute as others, or, where it is a `caption`, which can be
  // nothing else, not used, which is said. Throws Error (usage) if an attribute that is asked for is not there.
  enum class Label { attribute, caption };
  AttributedGraph finish(Unlisted unlisted, std::string_view label = "",
                         Label kind = Label::attribute);

 private:
  int32_t number_of(Interner& names, Attributes& attributes, std::string_view name, int64_t line);
  void use_labels(std::string_view label, Label kind);
  bool find_names(int32_t attribute, Array<std::string_view>& names) const;
  int32_t chosen(const std::string& asked, int (*rank)(std::string_view)) const;
  void use_relations(int32_t name);
  void use_weights(int32_t name);
  void use_directions();

  std::string path_;
  AttributedOptions options_;
  AttributedGraph graph_;
  Attributes edges_;  // values of possible relations and weights alone
  Interner nodes_, node_attributes_, edge_attributes_;
  std::vector<bool> listed_;      // (nodes)
  std::vector<bool> undirected_;  // (edges)
  int64_t num_undirected_ = 0;
};

}  // namespace mgnn
