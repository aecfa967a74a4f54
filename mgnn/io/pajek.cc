#include "mgnn/io/pajek.h"

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

class PajekReader {
 public:
  PajekReader(std::string_view text, const std::string& path, const AttributedOptions& options)
      : reader_(path, text), builder_(path, options), path_(path), bytes_(int64_t(text.size())) {}

  AttributedGraph read() {
    for (std::string_view line; reader_.next(line);) {
      if (trimmed(line).empty() || line.starts_with('%')) continue;
      split(line);
      if (words_.empty()) continue;
      if (words_[0].starts_with('*'))
        begin_section();
      else
        read_line();
    }
    if (num_nodes_ < 0) fail_data("{}: has no *Vertices", path_);
    if (section_ == Section::matrix && row_ != num_nodes_)
      reader_.fail("the matrix has {} of {} rows", row_, num_nodes_);
    return builder_.finish(AttributedBuilder::Unlisted::refused, "label",
                           AttributedBuilder::Label::caption);
  }

 private:
  enum class Section { none, vertices, arcs, edges, arcs_list, edges_list, matrix };

  // Words between blanks; one in quotes may have blanks.
  void split(std::string_view line) {
    words_.clear();
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
      const bool quoted = line[0] == '"';
      const size_t end = quoted ? line.find('"', 1) : line.find_first_of(" \t");
      if (quoted && end == line.npos)
        reader_.fail("a label begins with a quote that is not closed");
      words_.push_back(quoted ? line.substr(1, end - 1) : line.substr(0, end));
      line.remove_prefix(end == line.npos ? line.size() : end + quoted);
    }
  }

  void begin_section() {
    if (section_ == Section::matrix && row_ != num_nodes_)
      reader_.fail("the matrix has {} of {} rows", row_, num_nodes_);
    std::string name = lower(words_[0]);
    relation_.clear();
    // "*Arcs :2 "likes"" is the second relation.
    for (size_t i = 1; i < words_.size(); i++)
      if (words_[i].starts_with(':')) {
        relation_ = i + 1 < words_.size() ? words_[i + 1] : words_[i].substr(1);
        break;
      }
    if (name == "*vertices") {
      begin_vertices();
      return;
    }
    if (name == "*network") return;
    section_ = name == "*arcs"        ? Section::arcs
               : name == "*edges"     ? Section::edges
               : name == "*arcslist"  ? Section::arcs_list
               : name == "*edgeslist" ? Section::edges_list
               : name == "*matrix"    ? Section::matrix
                                      : Section::none;
    if (section_ == Section::none)
      reader_.fail(
          "{} is not read; networks have *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist "
          "and *Matrix",
          in_quotes(words_[0]));
    if (num_nodes_ < 0) reader_.fail("{} stands before *Vertices", in_quotes(words_[0]));
    row_ = 0;
  }

  void begin_vertices() {
    if (num_nodes_ >= 0) reader_.fail("has a second network; put each into a file of its own");
    if (words_.size() < 2 || !parse_number(words_[1], num_nodes_) || num_nodes_ < 0)
      reader_.fail("expected the number of vertices behind *Vertices");
    int64_t first_mode = num_nodes_;
    const bool has_modes = words_.size() > 2;
    if (has_modes &&
        (!parse_number(words_[2], first_mode) || first_mode < 0 || first_mode > num_nodes_))
      reader_.fail("expected the number of vertices of the first mode, got {}",
                   in_quotes(words_[2]));
    check_claimed_nodes(num_nodes_, bytes_ / 4, path_);
    for (int64_t i = 1; i <= num_nodes_; i++) {
      const NodeId u = builder_.listed_node(std::to_string(i), reader_.number());
      if (has_modes)
        builder_.node_attribute(u, "mode", i <= first_mode ? "1" : "2", reader_.number());
    }
    if (has_modes) builder_.set_type_attribute("mode");
    has_label_.assign(size_t(num_nodes_), false);
    section_ = Section::vertices;
  }

  NodeId vertex(std::string_view word) const {
    int64_t number = 0;
    if (!parse_number(word, number) || number < 1 || number > num_nodes_)
      reader_.fail("expected a vertex from 1 to {}, got {}", num_nodes_, in_quotes(word));
    return NodeId(number - 1);
  }

  void read_line() {
    switch (section_) {
      case Section::none:
        reader_.fail("expected *Vertices");
      case Section::vertices:
        return read_vertex();
      case Section::arcs:
      case Section::edges:
        return read_edge();
      case Section::arcs_list:
      case Section::edges_list:
        if (words_.size() < 2) reader_.fail("expected a vertex and its neighbours");
        for (size_t i = 1; i < words_.size(); i++)
          add(vertex(words_[0]), vertex(words_[i]), section_ == Section::arcs_list);
        return;
      case Section::matrix:
        return read_row();
    }
  }

  void read_vertex() {
    const NodeId u = vertex(words_[0]);
    if (has_label_[size_t(u)]) reader_.fail("vertex {} is listed twice", words_[0]);
    has_label_[size_t(u)] = true;
    builder_.node_attribute(u, "label", words_.size() > 1 ? words_[1] : words_[0],
                            reader_.number());
  }

  void read_edge() {
    size_t first = 0;
    if (words_[0].ends_with(':')) {  // "2: 1 3" is of the second relation
      relation_ = words_[0].substr(0, words_[0].size() - 1);
      first = 1;
    }
    if (words_.size() < first + 2) reader_.fail("expected two vertices");
    const int64_t edge =
        add(vertex(words_[first]), vertex(words_[first + 1]), section_ == Section::arcs);
    float weight = 0;
    if (words_.size() > first + 2 && parse_number(words_[first + 2], weight))
      builder_.edge_attribute(edge, "weight", words_[first + 2], reader_.number());
    // Then parameters, as networkx writes attributes of edges: l "label", relation r.
    for (size_t i = first + 3; i + 1 < words_.size(); i += 2)
      if (words_[i] == "l" || words_[i] == "relation")
        builder_.edge_attribute(edge, words_[i] == "l" ? "label" : "relation", words_[i + 1],
                                reader_.number());
  }

  void read_row() {
    if (row_ == num_nodes_) reader_.fail("the matrix has more than {} rows", num_nodes_);
    if (int64_t(words_.size()) != num_nodes_)
      reader_.fail("the row has {} numbers; expected {}", words_.size(), num_nodes_);
    for (int64_t column = 0; column < num_nodes_; column++) {
      float weight = 0;
      if (!parse_number(words_[size_t(column)], weight))
        reader_.fail("expected a number, got {}", in_quotes(words_[size_t(column)]));
      if (weight == 0) continue;
      const int64_t edge = add(NodeId(row_), NodeId(column), true);
      builder_.edge_attribute(edge, "weight", words_[size_t(column)], reader_.number());
    }
    row_++;
  }

  int64_t add(NodeId from, NodeId to, bool directed) {
    const int64_t edge = builder_.edge(from, to, directed, reader_.number());
    if (!relation_.empty()) builder_.edge_attribute(edge, "relation", relation_, reader_.number());
    return edge;
  }

  LineReader reader_;
  AttributedBuilder builder_;
  const std::string& path_;
  int64_t bytes_;
  std::vector<std::string_view> words_;
  Section section_ = Section::none;
  std::string relation_;
  int64_t num_nodes_ = -1, row_ = 0;
  std::vector<bool> has_label_;
};

}  // namespace

AttributedGraph parse_pajek(std::string_view text, const std::string& path,
                            const AttributedOptions& options) {
  check_utf8(text, path);
  return PajekReader(text, path, options).read();
}

}  // namespace mgnn
