#include "mgnn/io/node_link.h"

#include <nlohmann/json.hpp>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/json_text.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

using Json = nlohmann::json;

// Characters that count the lines as they are read.
class CountedText {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  CountedText(const char* place, int64_t* line) : place_(place), line_(line) {}
  reference operator*() const { return *place_; }
  CountedText& operator++() {
    *line_ += *place_ == '\n';
    place_++;
    return *this;
  }
  CountedText operator++(int) {
    const CountedText before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountedText& other) const { return place_ == other.place_; }
  bool operator!=(const CountedText& other) const { return place_ != other.place_; }

 private:
  const char* place_;
  int64_t* line_;
};

struct MemberText {
  std::string name, text;
};

// A node or an edge.
struct Item {
  std::vector<MemberText> fields;
  int64_t line = 0;

  const std::string* find(std::string_view name) const {
    for (const MemberText& field : fields)
      if (field.name == name) return &field.text;
    return nullptr;
  }
};

// Events of nlohmann's parser. Items are the objects in the arrays of the outermost object.
class NodeLinkReader {
 public:
  NodeLinkReader(const std::string& path, const int64_t& line) : path_(path), line_(line) {}

  bool null() { return true; }
  bool boolean(bool value) {
    if (depth_ == 1 && key_ == "directed") directed_ = value;
    return put(value ? "true" : "false");
  }
  bool number_integer(int64_t value) { return put(std::to_string(value)); }
  bool number_unsigned(uint64_t value) { return put(std::to_string(value)); }
  bool number_float(double, const std::string& text) { return put(text); }
  bool string(std::string& text) { return put(text); }
  bool binary(Json::binary_t&) { return true; }

  bool start_object(size_t) {
    if (depth_ == 0) is_object_ = true;
    if (depth_ == 2 && section_ != nullptr) {
      section_->push_back({{}, line_});
    } else if (depth_ == 3 && section_ != nullptr) {
      num_unused_++;
    }
    return deeper();
  }
  bool end_object() { return shallower(); }
  bool start_array(size_t) {
    if (depth_ == 1) {
      section_ = key_ == "nodes" ? &nodes_ : key_ == "links" || key_ == "edges" ? &edges_ : nullptr;
      if (section_ != nullptr) begin_section();
    } else if (depth_ == 2 && section_ != nullptr) {
      fail_at(path_, line_, "expected an object, got a list");
    } else if (depth_ == 3 && section_ != nullptr) {
      num_unused_++;
    }
    return deeper();
  }
  bool end_array() {
    shallower();
    if (depth_ == 1) section_ = nullptr;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ == 1 || depth_ == 3) key_ = name;
    return true;
  }
  bool parse_error(size_t, const std::string& token, const Json::exception&) {
    fail_at(path_, line_, "is not valid JSON at {}", in_quotes(token));
  }

  AttributedGraph finish(const AttributedOptions& options) {
    if (!is_object_ || !has_nodes_ || !has_edges_)
      fail_data(
          "{}: is JSON, but not of nodes and links: an object with the arrays \"nodes\" and "
          "\"links\" or \"edges\" is expected",
          path_);
    AttributedBuilder builder(path_, options);
    bool has_ids = false;
    for (const Item& node : nodes_) has_ids = has_ids || node.find("id") != nullptr;
    for (size_t i = 0; i < nodes_.size(); i++) add_node(builder, nodes_[i], i, has_ids);
    for (const Item& edge : edges_) add_edge(builder, edge);
    if (num_unused_ > 0)
      builder.remark(fmt::format("{} attributes that are lists or objects are not used",
                                 human_count(num_unused_)));
    return builder.finish(AttributedBuilder::Unlisted::refused, has_ids ? "label" : "name");
  }

 private:
  bool put(std::string text) {
    if (depth_ != 3 || section_ == nullptr) {
      if (depth_ == 2 && section_ != nullptr)
        fail_at(path_, line_, "expected an object, got {}", in_quotes(text));
      return true;
    }
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    section_->back().fields.push_back({key_, std::move(text)});
    return true;
  }

  void begin_section() {
    bool& has = section_ == &nodes_ ? has_nodes_ : has_edges_;
    if (has) fail_at(path_, line_, "has a second array of {}", in_quotes(key_));
    has = true;
  }

  bool deeper() {
    if (++depth_ > kMaxJsonDepth) fail_at(path_, line_, "is nested deeper than {}", kMaxJsonDepth);
    return true;
  }
  bool shallower() {
    depth_--;
    return true;
  }

  void add_node(AttributedBuilder& builder, const Item& item, size_t number, bool has_ids) {
    const std::string* id = item.find("id");
    if (has_ids && id == nullptr) fail_at(path_, item.line, "the node has no id, as others have");
    const NodeId u = builder.listed_node(has_ids ? *id : std::to_string(number), item.line);
    for (const MemberText& field : item.fields)
      if (field.name != "id") builder.node_attribute(u, field.name, field.text, item.line);
  }

  void add_edge(AttributedBuilder& builder, const Item& item) {
    const auto end = [&](const char* name) {
      const std::string* id = item.find(name);
      if (id == nullptr) fail_at(path_, item.line, "the edge has no {}", name);
      return builder.node(*id, item.line);
    };
    const NodeId from = end("source"), to = end("target");
    const int64_t edge = builder.edge(from, to, directed_, item.line);
    for (const MemberText& field : item.fields)
      if (field.name != "source" && field.name != "target" && field.name != "key")
        builder.edge_attribute(edge, field.name, field.text, item.line);
  }

  const std::string& path_;
  const int64_t& line_;
  std::vector<Item> nodes_, edges_;
  std::vector<Item>* section_ = nullptr;  // whose array is open
  std::string key_;
  int depth_ = 0;
  bool directed_ = false, is_object_ = false, has_nodes_ = false, has_edges_ = false;
  int64_t num_unused_ = 0;
};

}  // namespace

AttributedGraph parse_node_link(std::string_view text, const std::string& path,
                                const AttributedOptions& options) {
  check_utf8(text, path);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int64_t line = 1;
  NodeLinkReader reader(path, line);
  Json::sax_parse(CountedText(text.data(), &line), CountedText(text.data() + text.size(), &line),
                  &reader);
  return reader.finish(options);
}

}  // namespace mgnn
