#include "mgnn/io/sif.h"

#include <limits>
#include <unordered_map>

#include "mgnn/base/lines.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

// From a word to its number by first appearance. Keeps views of the text.
class Words {
 public:
  int32_t number_of(std::string_view word) {
    const auto [place, is_new] = number_.emplace(word, int32_t(words_.size()));
    if (is_new) words_.push_back(word);
    return place->second;
  }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::unordered_map<std::string_view, int32_t> number_;
  std::vector<std::string_view> words_;
};

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (line = trimmed(line); !line.empty();) {
    const size_t end = separator == '\t' ? line.find('\t') : line.find_first_of(" \t");
    cells.push_back(trimmed(line.substr(0, end)));
    line = end == line.npos ? std::string_view() : line.substr(end + 1);
    if (separator == ' ') line = trimmed(line);
  }
  return cells;
}

}  // namespace

EdgeList parse_sif(std::string_view text, const std::string& path) {
  refuse_utf16(text, path);
  const char separator = text.find('\t') == text.npos ? ' ' : '\t';
  EdgeList list;
  Words nodes, relations;
  LineReader reader(path, text);
  for (std::string_view line; reader.next(line);) {
    const std::vector<std::string_view> cells = cells_of(line, separator);
    if (cells.empty()) continue;
    if (cells.size() == 2)
      reader.fail("has two cells; expected a node, or a node, a relation and nodes");
    for (const std::string_view cell : cells)
      if (cell.empty()) reader.fail("has an empty cell");
    if (nodes.words().size() + cells.size() >= size_t(std::numeric_limits<NodeId>::max()))
      reader.fail("there are too many nodes");
    const NodeId from = nodes.number_of(cells[0]);
    for (size_t c = 2; c < cells.size(); c++) {
      list.edges.push_back({from, nodes.number_of(cells[c])});
      list.relation.push_back(relations.number_of(cells[1]));
    }
  }
  if (nodes.words().empty()) fail_data("{}: holds no nodes", path);
  list.num_nodes = NodeId(nodes.words().size());
  for (const std::string_view name : nodes.words()) list.ids.push_back(name);
  list.relation_names.assign(relations.words().begin(), relations.words().end());
  list.reading = "lines are source, relation and targets; ids are names";
  return list;
}

}  // namespace mgnn
