#include "mgnn/io/graphml.h"

#include <map>

#include "mgnn/io/xml.h"

namespace mgnn {
namespace {

struct Key {
  std::string name, target, text;  // target: node, edge, graph or all; text: the default value
  bool has_default = false;
  int64_t line = 0;
};

class GraphmlReader {
 public:
  GraphmlReader(const std::string& path, const AttributedOptions& options)
      : path_(path), builder_(path, options) {}

  void begin(const XmlElement& e) {
    const std::string_view name = e.name;
    if (name == "key") {
      begin_key(e);
    } else if (name == "graph") {
      begin_graph(e);
    } else if (name == "node") {
      nodes_.push_back(builder_.listed_node(needed(e, "id"), e.line));
      if (e.has("labels")) {  // as Neo4j writes types
        builder_.node_attribute(nodes_.back(), "labels", e.get("labels"), e.line);
        builder_.set_type_attribute("labels");
      }
    } else if (name == "edge") {
      begin_edge(e);
    } else if (name == "data") {
      begin_data(e);
    } else if (name == "hyperedge") {
      fail_at(path_, e.line, "has a hyperedge, which is not read");
    }
    open_.emplace_back(name);
  }

  void end(std::string_view name, std::string_view text, int64_t line) {
    open_.pop_back();
    if (name == "node") {
      nodes_.pop_back();
    } else if (name == "edge") {
      edge_ = -1;
    } else if (name == "default" && key_ != nullptr) {
      key_->text = one_line(text);
      key_->has_default = true;
    } else if (name == "key") {
      key_ = nullptr;
    } else if (name == "data") {
      if (value_of_ != nullptr) put(value_of_->name, one_line(text), line);
      value_of_ = nullptr;
    } else if (name == "NodeLabel" && edge_ < 0 && !nodes_.empty()) {
      builder_.node_attribute(nodes_.back(), "label", one_line(text), line);
    }
  }

  AttributedGraph finish() {
    if (graphs_ == 0) fail_data("{}: holds no graph", path_);
    for (const auto& [id, key] : keys_) {
      if (!key.has_default) continue;
      if (key.target == "node" || key.target == "all")
        builder_.node_default(key.name, key.text, key.line);
      if (key.target == "edge" || key.target == "all")
        builder_.edge_default(key.name, key.text, key.line);
    }
    return builder_.finish(AttributedBuilder::Unlisted::refused, "label");
  }

 private:
  std::string_view needed(const XmlElement& e, std::string_view attribute) const {
    if (e.get(attribute).empty()) fail_at(path_, e.line, "{} has no {}", e.name, attribute);
    return e.get(attribute);
  }

  void begin_key(const XmlElement& e) {
    Key key{std::string(e.get("attr.name")), std::string(e.get("for")), "", false, e.line};
    const std::string id(needed(e, "id"));
    if (key.name.empty()) key.name = id;
    if (key.target.empty()) key.target = "all";
    if (e.has("yfiles.type")) key.target = "drawing";
    const auto [place, is_new] = keys_.emplace(id, std::move(key));
    if (!is_new) fail_at(path_, e.line, "key {} is there twice", in_quotes(id));
    key_ = &place->second;
  }

  void begin_graph(const XmlElement& e) {
    const bool nested = !nodes_.empty();
    if (!nested && ++graphs_ > 1)
      fail_at(path_, e.line, "has a second graph; put each into a file of its own");
    const std::string_view direction = e.get("edgedefault");
    if (direction != "directed" && direction != "undirected" && !(nested && direction.empty()))
      fail_at(path_, e.line, "edgedefault of the graph is {}; expected directed or undirected",
              in_quotes(direction));
    if (!nested) directed_ = direction == "directed";
  }

  void begin_edge(const XmlElement& e) {
    const std::string_view stated = e.get("directed");
    if (!stated.empty() && stated != "true" && stated != "false")
      fail_at(path_, e.line, "directed is {}; expected true or false", in_quotes(stated));
    const NodeId from = builder_.node(needed(e, "source"), e.line);
    const NodeId to = builder_.node(needed(e, "target"), e.line);
    edge_ = builder_.edge(from, to, stated.empty() ? directed_ : stated == "true", e.line);
    if (e.has("label")) builder_.edge_attribute(edge_, "relation", e.get("label"), e.line);
  }

  void begin_data(const XmlElement& e) {
    if (open_.empty() || (open_.back() != "node" && open_.back() != "edge")) return;
    const std::string key(needed(e, "key"));
    const auto found = keys_.find(key);
    if (found == keys_.end()) fail_at(path_, e.line, "there is no key {}", in_quotes(key));
    value_of_ = found->second.target == "drawing" ? nullptr : &found->second;
  }

  void put(const std::string& name, std::string_view text, int64_t line) {
    if (edge_ >= 0)
      builder_.edge_attribute(edge_, name, text, line);
    else if (!nodes_.empty())
      builder_.node_attribute(nodes_.back(), name, text, line);
  }

  const std::string& path_;
  AttributedBuilder builder_;
  std::map<std::string, Key, std::less<>> keys_;
  std::vector<std::string> open_;
  std::vector<NodeId> nodes_;  // that are open
  Key* key_ = nullptr;         // that is open
  const Key* value_of_ = nullptr;
  int64_t edge_ = -1;  // that is open
  int64_t graphs_ = 0;
  bool directed_ = true;
};

}  // namespace

AttributedGraph parse_graphml(std::string_view text, const std::string& path,
                              const AttributedOptions& options) {
  GraphmlReader reader(path, options);
  parse_xml(text, path,
            {.begin = [&](const XmlElement& element) { reader.begin(element); },
             .end = [&](std::string_view name, std::string_view content,
                        int64_t line) { reader.end(name, content, line); }});
  return reader.finish();
}

}  // namespace mgnn
