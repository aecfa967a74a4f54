#include "mgnn/io/metis.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

struct MetisHeader {
  int64_t nodes = 0, edges = 0;
  bool sizes = false, edge_weights = false;
  int64_t node_weights = 0;  // of each node
};

class MetisReader {
 public:
  MetisReader(std::string_view text, const std::string& path)
      : reader_(path, text), builder_(path), path_(path), bytes_(int64_t(text.size())) {}

  AttributedGraph read() {
    std::string_view line;
    if (!next_line(line)) fail_data("{}: is empty; expected the numbers of nodes and edges", path_);
    read_header(line);
    for (int64_t u = 0; u < header_.nodes; u++) {
      if (!next_line(line))
        fail_data("{}: has lines of {} nodes, but says it has {}", path_, u, header_.nodes);
      read_node(NodeId(u), line);
    }
    while (next_line(line))
      if (!trimmed(line).empty()) reader_.fail("there are more lines than nodes");
    check_edges();
    return builder_.finish(AttributedBuilder::Unlisted::refused);
  }

 private:
  struct Arc {
    NodeId from, to;
    std::string_view weight;
    int64_t line;
  };

  bool next_line(std::string_view& line) {
    do {
      if (!reader_.next(line)) return false;
    } while (line.starts_with('%'));
    return true;
  }

  int64_t number(std::string_view& line, const char* what) const {
    std::string_view field;
    int64_t value = 0;
    if (!next_field(line, ' ', field)) reader_.fail("{} is missing", what);
    if (!parse_number(field, value) || value < 0)
      reader_.fail("expected {}, got {}", what, in_quotes(field));
    return value;
  }

  void read_header(std::string_view line) {
    header_.nodes = number(line, "the number of nodes");
    header_.edges = number(line, "the number of edges");
    std::string_view format;
    if (next_field(line, ' ', format)) {
      if (format.size() > 3 || format.find_first_not_of("01") != format.npos)
        reader_.fail("the third number is {}; expected up to three digits 0 or 1",
                     in_quotes(format));
      const auto digit = [&](size_t from_right) {
        return format.size() >= from_right && format[format.size() - from_right] == '1';
      };
      header_.edge_weights = digit(1);
      header_.node_weights = digit(2);
      header_.sizes = digit(3);
    }
    if (!trimmed(line).empty()) {
      const int64_t count = number(line, "the number of weights of a node");
      constexpr int64_t kMost = 1000;
      if (count > kMost) reader_.fail("nodes have at most {} weights", kMost);
      if (header_.node_weights > 0) header_.node_weights = count;
    }
    if (header_.nodes > bytes_) reader_.fail("says it has {} nodes, but is shorter", header_.nodes);
    check_claimed_nodes(header_.nodes, bytes_, path_);
    for (int64_t u = 1; u <= header_.nodes; u++)
      builder_.listed_node(std::to_string(u), reader_.number());
  }

  void read_node(NodeId u, std::string_view line) {
    const auto attribute = [&](const std::string& name) {
      const int64_t value = number(line, "a weight of the node");
      builder_.node_attribute(u, name, std::to_string(value), reader_.number());
    };
    if (header_.sizes) attribute("size");
    for (int64_t k = 1; k <= header_.node_weights; k++) attribute("weight " + std::to_string(k));
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
      const int64_t to = number(line, "a neighbour");
      if (to < 1 || to > header_.nodes)
        reader_.fail("there is no node {}; there are 1 to {}", to, header_.nodes);
      std::string_view weight;
      if (header_.edge_weights && !next_field(line, ' ', weight))
        reader_.fail("the weight of the edge to {} is missing", to);
      arcs_.push_back({u, NodeId(to - 1), weight, reader_.number()});
    }
  }

  // Every arc has its reverse with the same weight; one of the two becomes the edge.
  void check_edges() {
    const auto ends = [](const Arc& a) {
      return std::tuple(std::min(a.from, a.to), std::max(a.from, a.to), a.from > a.to, a.weight);
    };
    std::sort(arcs_.begin(), arcs_.end(),
              [&](const Arc& a, const Arc& b) { return ends(a) < ends(b); });
    for (size_t begin = 0, end = 0; begin < arcs_.size(); begin = end) {
      const Arc& first = arcs_[begin];
      size_t forward = 0;
      while (end < arcs_.size() &&
             std::minmax(arcs_[end].from, arcs_[end].to) == std::minmax(first.from, first.to)) {
        forward += arcs_[end].from <= arcs_[end].to;
        end++;
      }
      const bool loop = first.from == first.to;
      if (!loop && 2 * forward != end - begin) fail_one_way(arcs_[forward == 0 ? begin : end - 1]);
      for (size_t i = 0; i < forward; i++) {
        const Arc& arc = arcs_[begin + i];
        if (!loop && arc.weight != arcs_[begin + forward + i].weight)
          fail_at(path_, arc.line, "the edge {} - {} has other weights at its two ends",
                  arc.from + 1, arc.to + 1);
        const int64_t edge = builder_.edge(arc.from, arc.to, false, arc.line);
        if (header_.edge_weights) builder_.edge_attribute(edge, "weight", arc.weight, arc.line);
      }
    }
    if (builder_.num_edges() != header_.edges)
      fail_data("{}: has {} edges, but says it has {}", path_, builder_.num_edges(), header_.edges);
  }

  [[noreturn]] void fail_one_way(const Arc& arc) const {
    fail_at(path_, arc.line, "node {} has the neighbour {}, but not the other way round",
            arc.from + 1, arc.to + 1);
  }

  LineReader reader_;
  AttributedBuilder builder_;
  const std::string& path_;
  int64_t bytes_;
  MetisHeader header_;
  std::vector<Arc> arcs_;
};

}  // namespace

AttributedGraph parse_metis(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  return MetisReader(text, path).read();
}

}  // namespace mgnn
