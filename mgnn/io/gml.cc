#include "mgnn/io/gml.h"

#include <map>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/utf8.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

enum class Kind { word, text, open, close, end };

struct Token {
  Kind kind = Kind::end;
  std::string text = {};
  int64_t line = 1;
};

// &quot; and &#233; stand for characters.
std::string without_entities(std::string_view text) {
  static const std::map<std::string_view, std::string_view> kNamed = {
      {"quot", "\""}, {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"apos", "'"}};
  constexpr size_t kLongest = 10;
  std::string result;
  while (!text.empty()) {
    const size_t end = text[0] == '&' ? text.substr(0, kLongest).find(';') : text.npos;
    if (end == text.npos) {
      const size_t next = text.find('&', 1);
      result += text.substr(0, next);
      text.remove_prefix(next == text.npos ? text.size() : next);
      continue;
    }
    const std::string_view name = text.substr(1, end - 1);
    uint32_t code = 0;
    const bool is_code = name.starts_with('#') && parse_number(name.substr(1), code);
    if (const auto named = kNamed.find(name); named != kNamed.end())
      result += named->second;
    else if (!is_code || !append_utf8(result, code))
      result += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
  }
  return result;
}

class Tokens {
 public:
  Tokens(std::string_view text, const std::string& path) : rest_(text), path_(path) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  Token next() {
    skip();
    if (rest_.empty()) return {Kind::end, "", line_};
    const char first = rest_[0];
    if (first == '[' || first == ']') {
      rest_.remove_prefix(1);
      return {first == '[' ? Kind::open : Kind::close, "", line_};
    }
    return first == '"' ? quoted() : word();
  }

  template <class... Args>
  [[noreturn]] void fail(int64_t line, fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(path_, line, format, std::forward<Args>(args)...);
  }

 private:
  void skip() {  // blanks, and comments to the end of their line
    while (!rest_.empty()) {
      const char c = rest_[0];
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
      line_ += c == '\n';
      rest_.remove_prefix(1);
    }
  }

  Token quoted() {
    const int64_t line = line_;
    const size_t end = rest_.find('"', 1);
    if (end == rest_.npos) fail(line, "a text begins with a quote that is not closed");
    std::string text(rest_.substr(1, end - 1));
    for (char& c : text) {
      line_ += c == '\n';
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    rest_.remove_prefix(end + 1);
    return {Kind::text, without_entities(text), line};
  }

  Token word() {
    const size_t end = std::min(rest_.find_first_of(" \t\r\n[]\"#"), rest_.size());
    Token token{Kind::word, std::string(rest_.substr(0, end)), line_};
    rest_.remove_prefix(end);
    return token;
  }

  std::string_view rest_;
  const std::string& path_;
  int64_t line_ = 1;
};

struct Field {
  std::string name, value;
  int64_t line;
};

class GmlReader {
 public:
  GmlReader(std::string_view text, const std::string& path, const AttributedOptions& options)
      : tokens_(text, path), builder_(path, options), path_(path) {}

  AttributedGraph read() {
    bool has_graph = false;
    for (Token key = tokens_.next(); key.kind != Kind::end; key = tokens_.next()) {
      const Token value = value_of(key);
      if (key.text == "graph" && value.kind == Kind::open) {
        if (has_graph)
          tokens_.fail(key.line, "has a second graph; put each into a file of its own");
        has_graph = true;
        read_graph(value.line);
      } else if (value.kind == Kind::open) {
        skip_list(value.line);
      }
    }
    if (!has_graph) fail_data("{}: holds no graph", path_);
    for (const GivenEdge& e : edges_) add_edge(e);  // directed may stand behind them
    return builder_.finish(AttributedBuilder::Unlisted::refused, "label",
                           AttributedBuilder::Label::caption);
  }

 private:
  struct GivenEdge {
    std::vector<Field> fields;
    int64_t line;
  };

  Token value_of(const Token& key) {
    if (key.kind != Kind::word)
      tokens_.fail(key.line, "expected a key, got {}",
                   key.kind == Kind::text    ? in_quotes(key.text)
                   : key.kind == Kind::open  ? "["
                   : key.kind == Kind::close ? "a ] that closes nothing"
                                             : "the end of the file");
    Token value = tokens_.next();
    if (value.kind == Kind::close || value.kind == Kind::end)
      tokens_.fail(value.line, "the key {} has no value", in_quotes(key.text));
    return value;
  }

  void skip_list(int64_t line) {
    for (int64_t depth = 1; depth > 0;) {
      const Token token = tokens_.next();
      depth += (token.kind == Kind::open) - (token.kind == Kind::close);
      if (token.kind == Kind::end) tokens_.fail(line, "a [ is not closed");
    }
  }

  // Hands each key with its value to `each`, up to the ] of the list.
  template <class Each>
  void each_in_list(int64_t line, Each&& each) {
    for (Token key = tokens_.next(); key.kind != Kind::close; key = tokens_.next()) {
      if (key.kind == Kind::end) tokens_.fail(line, "a [ is not closed");
      each(key, value_of(key));
    }
  }

  std::vector<Field> fields(int64_t line) {
    std::vector<Field> fields;
    each_in_list(line, [&](const Token& key, const Token& value) {
      if (value.kind == Kind::open)
        skip_list(value.line);
      else
        fields.push_back({key.text, value.text, value.line});
    });
    return fields;
  }

  void read_graph(int64_t line) {
    each_in_list(line, [&](const Token& key, const Token& value) {
      if (value.kind == Kind::open) {
        if (key.text == "node")
          add_node(fields(value.line), value.line);
        else if (key.text == "edge")
          edges_.push_back({fields(value.line), value.line});
        else
          skip_list(value.line);
      } else if (key.text == "directed") {
        if (value.text != "0" && value.text != "1")
          tokens_.fail(value.line, "directed is {}; expected 0 or 1", in_quotes(value.text));
        directed_ = value.text == "1";
      }
    });
  }

  const std::string& needed(const std::vector<Field>& fields, std::string_view name, int64_t line,
                            const char* of) const {
    const std::string* found = nullptr;
    for (const Field& field : fields) {
      if (field.name != name) continue;
      if (found) tokens_.fail(field.line, "{} has {} twice", of, name);
      found = &field.value;
    }
    if (!found) tokens_.fail(line, "{} has no {}", of, name);
    return *found;
  }

  void add_node(const std::vector<Field>& fields, int64_t line) {
    const NodeId u = builder_.listed_node(needed(fields, "id", line, "a node"), line);
    for (const Field& field : fields)
      if (field.name != "id") builder_.node_attribute(u, field.name, field.value, field.line);
  }

  void add_edge(const GivenEdge& e) {
    const NodeId from = builder_.node(needed(e.fields, "source", e.line, "an edge"), e.line);
    const NodeId to = builder_.node(needed(e.fields, "target", e.line, "an edge"), e.line);
    const int64_t edge = builder_.edge(from, to, directed_, e.line);
    for (const Field& field : e.fields)
      if (field.name != "source" && field.name != "target")
        builder_.edge_attribute(edge, field.name, field.value, field.line);
  }

  Tokens tokens_;
  AttributedBuilder builder_;
  const std::string& path_;
  std::vector<GivenEdge> edges_;
  bool directed_ = false;
};

}  // namespace

AttributedGraph parse_gml(std::string_view text, const std::string& path,
                          const AttributedOptions& options) {
  check_utf8(text, path);
  return GmlReader(text, path, options).read();
}

}  // namespace mgnn
