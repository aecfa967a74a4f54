#include <map>

#include "mgnn/io/graphml.h"
#include "mgnn/io/xml.h"

namespace mgnn {
namespace {

class GexfReader {
 public:
  GexfReader(const std::string& path, const AttributedOptions& options)
      : path_(path), builder_(path, options) {}

  void begin(const XmlElement& e) {
    const std::string_view name = e.name;
    if (name == "graph") {
      begin_graph(e);
    } else if (name == "attributes") {
      of_edges_ = e.get("class") == "edge";
    } else if (name == "attribute") {
      begin_attribute(e);
    } else if (name == "node") {
      nodes_.push_back(builder_.listed_node(needed(e, "id"), e.line));
      if (e.has("label")) builder_.node_attribute(nodes_.back(), "label", e.get("label"), e.line);
    } else if (name == "edge") {
      begin_edge(e);
    } else if (name == "attvalue") {
      begin_value(e);
    } else if (name == "spell") {
      timed_ = true;
    }
  }

  void end(std::string_view name, std::string_view text) {
    if (name == "node") {
      nodes_.pop_back();
    } else if (name == "edge") {
      edge_ = -1;
    } else if (name == "attribute") {
      attribute_ = nullptr;
    } else if (name == "default" && attribute_ != nullptr) {
      if (of_edges_)
        builder_.edge_default(*attribute_, one_line(text), 1);
      else
        builder_.node_default(*attribute_, one_line(text), 1);
    }
  }

  AttributedGraph finish() {
    if (!has_graph_) fail_data("{}: holds no graph", path_);
    if (timed_) builder_.remark("times are not used: nodes and edges count whenever they exist");
    return builder_.finish(AttributedBuilder::Unlisted::refused, "label",
                           AttributedBuilder::Label::caption);
  }

 private:
  std::string_view needed(const XmlElement& e, std::string_view attribute) const {
    if (e.get(attribute).empty()) fail_at(path_, e.line, "{} has no {}", e.name, attribute);
    return e.get(attribute);
  }

  bool is_directed(const XmlElement& e, std::string_view type) const {
    if (type == "directed") return true;
    if (type == "undirected" || type == "mutual") return false;
    fail_at(path_, e.line, "type of an edge is {}; expected directed, undirected or mutual",
            in_quotes(type));
  }

  void begin_graph(const XmlElement& e) {
    if (has_graph_) fail_at(path_, e.line, "has a second graph; put each into a file of its own");
    has_graph_ = true;
    timed_ = e.get("mode") == "dynamic";
    directed_ = e.has("defaultedgetype") && is_directed(e, e.get("defaultedgetype"));
  }

  void begin_attribute(const XmlElement& e) {
    auto& names = of_edges_ ? edge_names_ : node_names_;
    const std::string id(needed(e, "id"));
    const std::string title(e.get("title").empty() ? id : e.get("title"));
    const auto [place, is_new] = names.emplace(id, title);
    if (!is_new) fail_at(path_, e.line, "attribute {} is there twice", in_quotes(id));
    attribute_ = &place->second;
  }

  void begin_edge(const XmlElement& e) {
    const NodeId from = builder_.node(needed(e, "source"), e.line);
    const NodeId to = builder_.node(needed(e, "target"), e.line);
    const bool directed = e.has("type") ? is_directed(e, e.get("type")) : directed_;
    edge_ = builder_.edge(from, to, directed, e.line);
    for (const char* name : {"weight", "label", "kind"})
      if (e.has(name)) builder_.edge_attribute(edge_, name, e.get(name), e.line);
  }

  void begin_value(const XmlElement& e) {
    const std::string id(needed(e, e.has("for") ? "for" : "id"));  // id in version 1.1
    const bool of_edge = edge_ >= 0;
    if (!of_edge && nodes_.empty()) fail_at(path_, e.line, "attvalue is of no node and no edge");
    const auto& names = of_edge ? edge_names_ : node_names_;
    const auto found = names.find(id);
    if (found == names.end()) fail_at(path_, e.line, "there is no attribute {}", in_quotes(id));
    const std::string text = one_line(e.get("value"));
    if (of_edge)
      builder_.edge_attribute(edge_, found->second, text, e.line);
    else
      builder_.node_attribute(nodes_.back(), found->second, text, e.line);
  }

  const std::string& path_;
  AttributedBuilder builder_;
  std::map<std::string, std::string> node_names_, edge_names_;  // by id
  std::vector<NodeId> nodes_;                                   // that are open
  const std::string* attribute_ = nullptr;                      // that is open
  int64_t edge_ = -1;                                           // that is open
  bool of_edges_ = false, has_graph_ = false, directed_ = false, timed_ = false;
};

}  // namespace

AttributedGraph parse_gexf(std::string_view text, const std::string& path,
                           const AttributedOptions& options) {
  GexfReader reader(path, options);
  parse_xml(text, path,
            {.begin = [&](const XmlElement& element) { reader.begin(element); },
             .end = [&](std::string_view name, std::string_view content,
                        int64_t) { reader.end(name, content); }});
  return reader.finish();
}

}  // namespace mgnn
