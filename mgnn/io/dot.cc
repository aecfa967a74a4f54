#include "mgnn/io/dot.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

enum class Kind { id, symbol, arrow, line, end };  // arrow: ->; line: --

struct Token {
  Kind kind = Kind::end;
  std::string text = {};
  int64_t line = 1;
  bool quoted = false;

  bool is(char c) const { return kind == Kind::symbol && text[0] == c; }
  bool is_word(std::string_view word) const {
    return kind == Kind::id && !quoted && lower(text) == word;
  }
};

class Tokens {
 public:
  Tokens(std::string_view text, const std::string& path) : rest_(text), path_(path) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    token_ = scan();
  }

  const Token& front() const { return token_; }
  Token take() {
    Token token = std::move(token_);
    token_ = scan();
    return token;
  }
  bool take(char symbol) {
    if (!token_.is(symbol)) return false;
    take();
    return true;
  }

  [[noreturn]] void fail_expected(const char* what) const {
    fail_at(path_, token_.line, "expected {}, got {}", what,
            token_.kind == Kind::end ? "the end of the file" : in_quotes(token_.text));
  }

 private:
  void advance(size_t bytes) {
    line_ += std::count(rest_.begin(), rest_.begin() + int64_t(bytes), '\n');
    rest_.remove_prefix(bytes);
    line_start_ = false;
  }

  void skip() {  // blanks and comments; a line that begins with # is one
    while (!rest_.empty()) {
      const char c = rest_[0];
      const bool line_comment = rest_.starts_with("//") || (c == '#' && line_start_);
      if (line_comment) {
        advance(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_.starts_with("/*")) {
        const size_t end = rest_.find("*/", 2);
        if (end == rest_.npos) fail_at(path_, line_, "a comment is not closed");
        advance(end + 2);
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        advance(1);
        line_start_ = c == '\n' || line_start_;
      } else {
        return;
      }
    }
  }

  Token scan() {
    skip();
    Token token{Kind::end, "", line_, false};
    if (rest_.empty()) return token;
    if (rest_.starts_with("->") || rest_.starts_with("--")) {
      token.kind = rest_[1] == '>' ? Kind::arrow : Kind::line;
      token.text = rest_.substr(0, 2);
      advance(2);
    } else if (rest_[0] == '"') {
      token = quoted();
    } else if (rest_[0] == '<') {
      token = markup();
    } else if (const size_t length = word_length(); length > 0) {
      token.kind = Kind::id;
      token.text = rest_.substr(0, length);
      advance(length);
    } else {
      token.kind = Kind::symbol;
      token.text = rest_.substr(0, 1);
      advance(1);
    }
    return token;
  }

  // Letters, digits, _ and bytes beyond ASCII; or a number.
  size_t word_length() const {
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || uint8_t(c) >= 0x80;
    };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    size_t length = 0;
    if (is_letter(rest_[0])) {
      while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length])))
        length++;
      return length;
    }
    length = rest_[0] == '-';
    while (length < rest_.size() && (is_digit(rest_[length]) || rest_[length] == '.')) length++;
    return length == 1 && rest_[0] == '-' ? 0 : length;
  }

  Token quoted() {
    Token token{Kind::id, "", line_, true};
    size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '"'; at++) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) {
        at++;
        if (rest_[at] == '\n') continue;  // the text goes on in the next line
        if (rest_[at] == 'n' || rest_[at] == 'l' || rest_[at] == 'r') {
          token.text += ' ';
          continue;
        }
        if (rest_[at] != '"' && rest_[at] != '\\') token.text += '\\';
      }
      token.text += rest_[at] == '\n' || rest_[at] == '\r' || rest_[at] == '\t' ? ' ' : rest_[at];
    }
    if (at == rest_.size()) fail_at(path_, line_, "a text begins with a quote that is not closed");
    advance(at + 1);
    return token;
  }

  Token markup() {
    Token token{Kind::id, "", line_, true};
    int64_t depth = 0;
    size_t at = 0;
    do {
      if (at == rest_.size()) fail_at(path_, line_, "a < is not closed");
      depth += (rest_[at] == '<') - (rest_[at] == '>');
      at++;
    } while (depth > 0);
    token.text = rest_.substr(1, at - 2);
    advance(at);
    return token;
  }

  std::string_view rest_;
  const std::string& path_;
  int64_t line_ = 1;
  bool line_start_ = true;
  Token token_;
};

class DotReader {
 public:
  DotReader(std::string_view text, const std::string& path, const AttributedOptions& options)
      : tokens_(text, path), builder_(path, options), path_(path), bytes_(int64_t(text.size())) {}

  AttributedGraph read() {
    if (tokens_.front().is_word("strict")) tokens_.take();
    if (!tokens_.front().is_word("graph") && !tokens_.front().is_word("digraph"))
      tokens_.fail_expected("graph or digraph");
    directed_ = tokens_.take().is_word("digraph");
    if (tokens_.front().kind == Kind::id) tokens_.take();
    if (!tokens_.take('{')) tokens_.fail_expected("{");
    std::vector<NodeId> nodes;
    read_block(1, nodes);
    if (tokens_.front().kind != Kind::end) tokens_.fail_expected("the end of the file");
    return builder_.finish(AttributedBuilder::Unlisted::allowed, "label",
                           AttributedBuilder::Label::caption);
  }

 private:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  // Statements up to the }; `nodes` are those that occur.
  void read_block(int depth, std::vector<NodeId>& nodes) {
    constexpr int kMaxDepth = 64;
    if (depth > kMaxDepth)
      fail_at(path_, tokens_.front().line, "subgraphs are nested deeper than {}", kMaxDepth);
    while (!tokens_.take('}')) {
      if (tokens_.take(';') || tokens_.take(',')) continue;
      if (tokens_.front().kind == Kind::end) tokens_.fail_expected("}");
      read_statement(depth, nodes);
    }
  }

  void read_statement(int depth, std::vector<NodeId>& nodes) {
    if (!tokens_.front().quoted)
      for (const char* word : {"graph", "node", "edge"})
        if (tokens_.front().is_word(word)) {
          tokens_.take();
          read_attributes();  // defaults, mostly of drawing
          return;
        }
    std::vector<NodeId> from;
    const int64_t line = tokens_.front().line;
    const size_t first_edge = size_t(builder_.num_edges());
    if (read_end(depth, from)) return;
    nodes.insert(nodes.end(), from.begin(), from.end());
    const bool single = from.size() == 1;
    bool has_edges = false;
    while (tokens_.front().kind == Kind::arrow || tokens_.front().kind == Kind::line) {
      if ((tokens_.front().kind == Kind::arrow) != directed_)
        fail_at(path_, tokens_.front().line, "{} stands in a {}", tokens_.front().text,
                directed_ ? "digraph, whose edges are ->" : "graph, whose edges are --");
      tokens_.take();
      std::vector<NodeId> to;
      if (read_end(depth, to)) tokens_.fail_expected("a node");
      join(from, to, line);
      nodes.insert(nodes.end(), to.begin(), to.end());
      from = std::move(to);
      has_edges = true;
    }
    const Pairs attributes = read_attributes();
    if (has_edges) {
      for (auto e = int64_t(first_edge); e < builder_.num_edges(); e++)
        for (const auto& [name, value] : attributes) builder_.edge_attribute(e, name, value, line);
    } else if (single) {
      for (const auto& [name, value] : attributes)
        if (!is_drawing(name)) builder_.node_attribute(from[0], name, value, line);
    }
  }

  void join(const std::vector<NodeId>& from, const std::vector<NodeId>& to, int64_t line) {
    // {a b c …} -> {x y z …} is a product: a short file could ask for any number of edges.
    constexpr int64_t kHarmless = 1'000'000;
    if (builder_.num_edges() + int64_t(from.size() * to.size()) > kHarmless + 8 * bytes_)
      fail_at(path_, line, "there are far more edges than a file of this size lists");
    for (const NodeId u : from)
      for (const NodeId v : to) builder_.edge(u, v, directed_, line);
  }

  // A node or a subgraph; true if it was an assignment, name = value, of the graph.
  bool read_end(int depth, std::vector<NodeId>& nodes) {
    if (tokens_.front().is_word("subgraph")) {
      tokens_.take();
      if (tokens_.front().kind == Kind::id) tokens_.take();
      if (!tokens_.front().is('{')) tokens_.fail_expected("{");
    }
    if (tokens_.take('{')) {
      read_block(depth + 1, nodes);
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      return false;
    }
    if (tokens_.front().kind != Kind::id) tokens_.fail_expected("a node or an edge");
    const Token id = take_text();
    if (tokens_.take('=')) {
      if (tokens_.front().kind != Kind::id) tokens_.fail_expected("a value");
      take_text();
      return true;
    }
    for (int ports = 0; ports < 2 && tokens_.take(':'); ports++) {
      if (tokens_.front().kind != Kind::id) tokens_.fail_expected("a port");
      take_text();
    }
    nodes.push_back(builder_.node(id.text, id.line));
    return false;
  }

  // "a" + "b" is one text.
  Token take_text() {
    Token token = tokens_.take();
    while (token.quoted && tokens_.take('+')) {
      if (!tokens_.front().quoted) tokens_.fail_expected("a text in quotes");
      token.text += tokens_.take().text;
    }
    return token;
  }

  Pairs read_attributes() {
    Pairs pairs;
    while (tokens_.take('[')) {
      while (!tokens_.take(']')) {
        if (tokens_.take(',') || tokens_.take(';')) continue;
        if (tokens_.front().kind != Kind::id) tokens_.fail_expected("the name of an attribute");
        std::string name = take_text().text, value = "true";
        if (tokens_.take('=')) {
          if (tokens_.front().kind != Kind::id) tokens_.fail_expected("a value");
          value = take_text().text;
        }
        pairs.emplace_back(std::move(name), std::move(value));
      }
    }
    return pairs;
  }

  static bool is_drawing(std::string_view name) {
    static constexpr std::string_view kNames[] = {
        "color",       "fillcolor", "fontcolor", "fontname",      "fontsize",     "height",
        "width",       "pos",       "shape",     "style",         "penwidth",     "fixedsize",
        "margin",      "rank",      "tooltip",   "URL",           "href",         "image",
        "peripheries", "regular",   "xlabel",    "labelloc",      "labeljust",    "pencolor",
        "orientation", "nojustify", "sides",     "skew",          "distortion",   "colorscheme",
        "ordering",    "pin",       "rects",     "gradientangle", "samplepoints", "imagepos",
        "imagescale"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }

  Tokens tokens_;
  AttributedBuilder builder_;
  const std::string& path_;
  int64_t bytes_;
  bool directed_ = true;
};

}  // namespace

AttributedGraph parse_dot(std::string_view text, const std::string& path,
                          const AttributedOptions& options) {
  check_utf8(text, path);
  return DotReader(text, path, options).read();
}

}  // namespace mgnn
