// Graphs on their way to programs that draw them: Cytoscape, Gephi, NetworkX, D3.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mgnn/graph/graph.h"

namespace mgnn {

// Something that each node, or each edge, has or lacks.
struct DrawnAttribute {
  enum class Kind { text, whole, number, truth };  // truth: "true" or "false"

  std::string name;
  Kind kind = Kind::text;
  // Appends the value of item i as text; false: it has none. Numbers are finite.
  std::function<bool(int64_t item, std::string& text)> value;
};

// Appends a number as short as reads back the same; false if it is not finite.
bool append_number(double value, std::string& text);
bool append_number(float value, std::string& text);

struct DrawnGraph {
  NodeId num_nodes = 0;
  std::function<std::string(NodeId)> name;  // of nodes; all differ
  bool directed = true;
  Array<Edge> edges;  // undirected ones once
  std::vector<DrawnAttribute> node_attributes, edge_attributes;
};

// How it is written, a piece at a time.
using PutText = std::function<void(std::string_view)>;
using DrawGraph = void (*)(const DrawnGraph& graph, const PutText& put);

void draw_graphml(const DrawnGraph& graph, const PutText& put);
// 1.2. The attribute of edges called weight becomes Gephi's weight.
void draw_gexf(const DrawnGraph& graph, const PutText& put);
// {"directed", "multigraph", "graph", "nodes", "links"} as of networkx.node_link_data.
void draw_node_link(const DrawnGraph& graph, const PutText& put);
// The edge attribute called relation, or "to", between the nodes; undirected edges both ways; lone nodes in
// lines of their own; no other attributes. Throws Error (data) if a name has a tab.
void draw_sif(const DrawnGraph& graph, const PutText& put);

struct DrawnFormat {
  std::string_view ending;  // .graphml
  DrawGraph draw;
};
std::span<const DrawnFormat> drawn_formats();
// That of the path's ending, also before .gz and the like; null: it is none of them.
DrawGraph drawn_format(const std::string& path);

// Writes it, with TextWriter. Throws Error (data) if the name of a node cannot be text.
void write_drawn(const std::string& path, const DrawnGraph& graph, DrawGraph draw, bool overwrite);

}  // namespace mgnn
