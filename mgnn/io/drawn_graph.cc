#include "mgnn/io/drawn_graph.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/text.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

template <class Number>
bool append(Number value, std::string& text) {
  if (!std::isfinite(value)) return false;
  char digits[64];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return true;
}

// Characters that XML 1.0 cannot hold become blanks; line ends in attributes must be written so.
std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':
        result += fmt::format("&#{};", int(c));
        break;
      default:
        result += uint8_t(c) < ' ' ? ' ' : c;
    }
  return result;
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view type_of(DrawnAttribute::Kind kind) {
  switch (kind) {
    case DrawnAttribute::Kind::whole:
      return "long";
    case DrawnAttribute::Kind::number:
      return "double";
    case DrawnAttribute::Kind::truth:
      return "boolean";
    default:
      return "string";
  }
}

// Names of nodes, which edges repeat.
std::vector<std::string> names_of(const DrawnGraph& graph,
                                  std::string (*escaped)(std::string_view)) {
  std::vector<std::string> names;
  names.reserve(size_t(graph.num_nodes));
  for (NodeId u = 0; u < graph.num_nodes; u++) names.push_back(escaped(graph.name(u)));
  return names;
}

// Calls each(number of the attribute, attribute, text) for those that the item has.
template <class Each>
void each_value(const std::vector<DrawnAttribute>& attributes, int64_t item, Each&& each) {
  std::string text;
  if ((item & 0xFFF) == 0) check_interrupted();
  for (size_t a = 0; a < attributes.size(); a++) {
    text.clear();
    if (attributes[a].value(item, text)) each(a, attributes[a], text);
  }
}

void put_keys(const std::vector<DrawnAttribute>& attributes, const char* target, char letter,
              const PutText& put) {
  for (size_t a = 0; a < attributes.size(); a++)
    put(fmt::format("  <key id=\"{}{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", letter,
                    a, target, xml_text(attributes[a].name), type_of(attributes[a].kind)));
}

void put_data(const std::vector<DrawnAttribute>& attributes, char letter, int64_t item,
              const PutText& put) {
  each_value(attributes, item, [&](size_t a, const DrawnAttribute&, const std::string& text) {
    put(fmt::format("<data key=\"{}{}\">{}</data>", letter, a, xml_text(text)));
  });
}

void put_gexf_attributes(const std::vector<DrawnAttribute>& attributes, const char* target,
                         const PutText& put) {
  if (attributes.empty()) return;
  put(fmt::format("    <attributes class=\"{}\">\n", target));
  for (size_t a = 0; a < attributes.size(); a++)
    put(fmt::format("      <attribute id=\"{}\" title=\"{}\" type=\"{}\"/>\n", a,
                    xml_text(attributes[a].name), type_of(attributes[a].kind)));
  put("    </attributes>\n");
}

void put_gexf_values(const std::vector<DrawnAttribute>& attributes, int64_t item,
                     const PutText& put) {
  put("<attvalues>");
  each_value(attributes, item, [&](size_t a, const DrawnAttribute&, const std::string& text) {
    put(fmt::format("<attvalue for=\"{}\" value=\"{}\"/>", a, xml_text(text)));
  });
  put("</attvalues>");
}

void put_json_values(const std::vector<DrawnAttribute>& attributes, int64_t item,
                     const PutText& put) {
  each_value(
      attributes, item, [&](size_t, const DrawnAttribute& attribute, const std::string& text) {
        put(fmt::format(", {}: {}", json_text(attribute.name),
                        attribute.kind == DrawnAttribute::Kind::text ? json_text(text) : text));
      });
}

}  // namespace

bool append_number(double value, std::string& text) { return append(value, text); }
bool append_number(float value, std::string& text) { return append(value, text); }

void draw_graphml(const DrawnGraph& graph, const PutText& put) {
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  put_keys(graph.node_attributes, "node", 'n', put);
  put_keys(graph.edge_attributes, "edge", 'e', put);
  put(fmt::format("  <graph edgedefault=\"{}\">\n", graph.directed ? "directed" : "undirected"));
  const std::vector<std::string> names = names_of(graph, xml_text);
  for (NodeId u = 0; u < graph.num_nodes; u++) {
    put(fmt::format("    <node id=\"{}\">", names[size_t(u)]));
    put_data(graph.node_attributes, 'n', u, put);
    put("</node>\n");
  }
  for (size_t e = 0; e < graph.edges.size(); e++) {
    put(fmt::format("    <edge source=\"{}\" target=\"{}\">", names[size_t(graph.edges[e].from)],
                    names[size_t(graph.edges[e].to)]));
    put_data(graph.edge_attributes, 'e', int64_t(e), put);
    put("</edge>\n");
  }
  put("  </graph>\n</graphml>\n");
}

void draw_gexf(const DrawnGraph& graph, const PutText& put) {
  const DrawnAttribute* weight = nullptr;
  std::vector<DrawnAttribute> others;
  for (const DrawnAttribute& attribute : graph.edge_attributes)
    if (attribute.name == "weight")
      weight = &attribute;
    else
      others.push_back(attribute);
  put(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                  "  <graph defaultedgetype=\"{}\" mode=\"static\">\n",
                  graph.directed ? "directed" : "undirected"));
  put_gexf_attributes(graph.node_attributes, "node", put);
  put_gexf_attributes(others, "edge", put);
  const std::vector<std::string> names = names_of(graph, xml_text);
  put("    <nodes>\n");
  for (NodeId u = 0; u < graph.num_nodes; u++) {
    put(fmt::format("      <node id=\"{0}\" label=\"{0}\">", names[size_t(u)]));
    put_gexf_values(graph.node_attributes, u, put);
    put("</node>\n");
  }
  put("    </nodes>\n    <edges>\n");
  for (size_t e = 0; e < graph.edges.size(); e++) {
    std::string text;
    const bool weighted = weight != nullptr && weight->value(int64_t(e), text);
    put(fmt::format("      <edge id=\"{}\" source=\"{}\" target=\"{}\"{}>", e,
                    names[size_t(graph.edges[e].from)], names[size_t(graph.edges[e].to)],
                    weighted ? fmt::format(" weight=\"{}\"", text) : ""));
    put_gexf_values(others, int64_t(e), put);
    put("</edge>\n");
  }
  put("    </edges>\n  </graph>\n</gexf>\n");
}

void draw_node_link(const DrawnGraph& graph, const PutText& put) {
  put(fmt::format("{{\"directed\": {}, \"multigraph\": false, \"graph\": {{}},\n \"nodes\": [",
                  graph.directed));
  const std::vector<std::string> names = names_of(graph, json_text);
  for (NodeId u = 0; u < graph.num_nodes; u++) {
    put(fmt::format("{}\n  {{\"id\": {}", u > 0 ? "," : "", names[size_t(u)]));
    put_json_values(graph.node_attributes, u, put);
    put("}");
  }
  put("],\n \"links\": [");
  for (size_t e = 0; e < graph.edges.size(); e++) {
    put(fmt::format("{}\n  {{\"source\": {}, \"target\": {}", e > 0 ? "," : "",
                    names[size_t(graph.edges[e].from)], names[size_t(graph.edges[e].to)]));
    put_json_values(graph.edge_attributes, int64_t(e), put);
    put("}");
  }
  put("]}\n");
}

void draw_sif(const DrawnGraph& graph, const PutText& put) {
  const DrawnAttribute* relation = nullptr;
  for (const DrawnAttribute& attribute : graph.edge_attributes)
    if (attribute.name == "relation") relation = &attribute;
  const auto cell = [](std::string text) {
    if (text.empty() || text.find_first_of("\t\r\n") != text.npos || text.front() == ' ' ||
        text.back() == ' ' || text.starts_with("\xEF\xBB\xBF"))
      fail_data(
          "{} cannot stand in a SIF file: it is empty, has a tab, a blank at an end, or a byte "
          "order mark",
          in_quotes(text));
    return text;
  };
  std::vector<bool> has_edge(size_t(graph.num_nodes), false);
  for (size_t e = 0; e < graph.edges.size(); e++) {
    std::string between;
    if (relation == nullptr || !relation->value(int64_t(e), between)) between = "to";
    const Edge& edge = graph.edges[e];
    has_edge[size_t(edge.from)] = has_edge[size_t(edge.to)] = true;
    const std::string from = cell(graph.name(edge.from)), to = cell(graph.name(edge.to));
    put(fmt::format("{}\t{}\t{}\n", from, cell(between), to));
    if (!graph.directed) put(fmt::format("{}\t{}\t{}\n", to, between, from));
  }
  for (NodeId u = 0; u < graph.num_nodes; u++) {
    if (has_edge[size_t(u)]) continue;
    const std::string name = cell(graph.name(u));
    if (graph.edges.empty() && name.find(' ') != name.npos)  // without a tab, blanks separate
      fail_data("{} cannot stand in a SIF file without edges: it has a blank", in_quotes(name));
    put(name + "\n");
  }
}

std::span<const DrawnFormat> drawn_formats() {
  static constexpr DrawnFormat kFormats[] = {{".graphml", draw_graphml},
                                             {".gexf", draw_gexf},
                                             {".json", draw_node_link},
                                             {".sif", draw_sif}};
  return kFormats;
}

DrawGraph drawn_format(const std::string& path) {
  const std::string plain = without_compression_suffix(path);
  for (const DrawnFormat& format : drawn_formats())
    if (plain.ends_with(format.ending)) return format.draw;
  return nullptr;
}

namespace {

// What readers would refuse, or take for another name.
void check_node_name(const std::string& name, const std::string& path) {
  if (name.empty()) fail_data("{}: a node has an empty name, which edges cannot refer to", path);
  if (has_control_character(name))
    fail_data("{}: node id {} has a control character, which the format cannot hold", path,
              in_quotes(name));
  check_id_is_text(name, path);
}

}  // namespace

void write_drawn(const std::string& path, const DrawnGraph& graph, DrawGraph draw, bool overwrite) {
  for (NodeId u = 0; u < graph.num_nodes; u++) check_node_name(graph.name(u), path);
  TextWriter out(path, overwrite);
  draw(graph, [&](std::string_view text) { out.text(text); });
  out.commit();
}

}  // namespace mgnn
