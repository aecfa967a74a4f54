#include "mgnn/io/numpy_graph.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "mgnn/base/error.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

constexpr int64_t kMaxNodes = std::numeric_limits<NodeId>::max();

// One archive with the name for messages.
struct Source {
  const NumpyArchive& arrays;
  const std::string& path;

  bool has(const std::string& key) const { return arrays.contains(key); }
  std::string what(const std::string& key) const { return fmt::format("{}: {}", path, key); }
  const NumpyArray& array(const std::string& key) const {
    const auto found = arrays.find(key);
    if (found == arrays.end()) fail_data("{}: lacks the array {}", path, in_quotes(key));
    return found->second;
  }
  Array<int64_t> integers(const std::string& key) const { return array(key).integers(what(key)); }
  std::string names() const {
    std::string list;
    for (const auto& [name, array] : arrays) list += (list.empty() ? "" : ", ") + in_quotes(name);
    return list.empty() ? "nothing" : list;
  }
};

// `known`: how many numbers the file has that are of nodes or arcs.
NodeId checked_count(int64_t nodes, int64_t known, const std::string& what) {
  if (nodes < 0 || nodes > kMaxNodes)
    fail_data("{}: {} nodes are not possible; there can be up to {}", what, nodes, kMaxNodes);
  check_claimed_nodes(nodes, known, what);
  return NodeId(nodes);
}

void set_weight(EdgeList& list, const Source& source, const std::string& key) {
  if (!source.has(key)) return;
  const NumpyArray& array = source.array(key);
  if (array.size() != Offset(list.edges.size()))
    fail_data("{}: has {} values for {} edges", source.what(key), array.size(), list.edges.size());
  list.weight = array.floats(source.what(key));
  if (std::all_of(list.weight.begin(), list.weight.end(), [](float w) { return w == 1.f; }))
    list.weight = {};
}

void set_relation(EdgeList& list, const Source& source) {
  if (!source.has("edge_type")) return;
  const Array<int64_t> type = source.integers("edge_type");
  if (type.size() != list.edges.size())
    fail_data("{}: has {} values for {} edges", source.what("edge_type"), type.size(),
              list.edges.size());
  std::unordered_map<int64_t, int32_t> number;
  list.relation.reserve(type.size());
  for (int64_t t : type) {
    const auto [place, fresh] = number.try_emplace(t, int32_t(number.size()));
    if (fresh) list.relation_names.push_back(fmt::format("{}", t));
    list.relation.push_back(place->second);
  }
}

void set_ids(EdgeList& list, const Source& source) {
  if (!source.has("ids")) return;
  const NumpyArray& array = source.array("ids");
  const std::string what = source.what("ids");
  if (array.size() != list.num_nodes)
    fail_data("{}: names {} nodes, but there are {}", what, array.size(), list.num_nodes);
  if (array.is_text()) {
    std::vector<std::string> names = array.texts(what);
    for (const std::string& name : names) list.ids.push_back(name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail_data("{}: names two nodes {}", what, in_quotes(*twice));
  } else {
    list.ids.number = array.integers(what);
    Array<int64_t> sorted = list.ids.number;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) fail_data("{}: names two nodes {}", what, *twice);
  }
}

// `rows` and `columns` are numbered as in the matrix.
void set_entries(EdgeList& list, const Array<int64_t>& rows, const Array<int64_t>& columns,
                 const std::string& path) {
  if (rows.size() != columns.size())
    fail_data("{}: has {} row and {} column numbers", path, rows.size(), columns.size());
  list.edges.resize(rows.size());
  for (size_t e = 0; e < rows.size(); e++) {
    const auto largest = std::max(uint64_t(rows[e]), uint64_t(columns[e]));  // or a negative one
    if (largest >= uint64_t(list.num_nodes))
      fail_data("{}: arc {} is {} -> {}, but there are {} nodes, numbered from 0", path, e, rows[e],
                columns[e], list.num_nodes);
    list.edges[e] = {NodeId(rows[e]), NodeId(columns[e])};
  }
}

// Number of the row of each entry.
Array<int64_t> expanded(const Array<int64_t>& start, int64_t rows, int64_t entries,
                        const std::string& what) {
  if (int64_t(start.size()) != rows + 1 || start[0] != 0 || start.back() != entries ||
      !std::is_sorted(start.begin(), start.end()))
    fail_data("{}: does not rise from 0 to {} in {} steps", what, entries, rows);
  Array<int64_t> row(static_cast<size_t>(entries));
  for (int64_t r = 0; r < rows; r++)
    std::fill(row.begin() + start[r], row.begin() + start[r + 1], r);
  return row;
}

int64_t known_entries(const Source& source) {
  int64_t entries = 0;
  for (const char* key : {"row", "indices", "indptr"})
    if (source.has(key)) entries = std::max(entries, source.array(key).size());
  return entries;
}

EdgeList matrix_graph(const Source& source, const std::string& format) {
  const Array<int64_t> shape = source.integers("shape");
  if (shape.size() != 2 || shape[0] != shape[1])
    fail_data("{}: a graph needs a square matrix (n, n)", source.what("shape"));
  EdgeList list;
  list.num_nodes = checked_count(shape[0], known_entries(source), source.what("shape"));
  if (format == "coo") {
    set_entries(list, source.integers("row"), source.integers("col"), source.path);
  } else {
    const Array<int64_t> inner = source.integers("indices");
    const Array<int64_t> outer =
        expanded(source.integers("indptr"), shape[0], int64_t(inner.size()), source.what("indptr"));
    set_entries(list, format == "csr" ? outer : inner, format == "csr" ? inner : outer,
                source.path);
  }
  set_weight(list, source, "data");
  return list;
}

std::string sparse_format(const Source& source) {
  const NumpyArray& array = source.array("format");
  const std::string what = source.what("format");
  const std::vector<std::string> texts = array.texts(what);
  const std::string format = texts.size() == 1 ? texts[0] : "";
  if (format != "csr" && format != "csc" && format != "coo")
    fail_data("{}: is {}; csr, csc and coo can be read: save matrix.tocsr()", what,
              in_quotes(format));
  return format;
}

// Renumbers nodes by ascending id if the ids have gaps too large to fill.
void number_nodes(EdgeList& list, const Array<int64_t>& from, const Array<int64_t>& to,
                  const std::string& what) {
  int64_t smallest = 0, largest = -1;
  for (const Array<int64_t>* ends : {&from, &to})
    for (int64_t id : *ends) {
      smallest = std::min(smallest, id);
      largest = std::max(largest, id);
    }
  if (smallest < 0) fail_data("{}: names node {}; nodes are numbered from 0", what, smallest);
  const size_t edges = from.size();
  if (largest < std::max<int64_t>(1 << 20, 32 * int64_t(edges)) && largest < kMaxNodes) {
    list.num_nodes = NodeId(largest + 1);
    set_entries(list, from, to, what);
    return;
  }
  Array<int64_t> ids = from;
  ids.insert(ids.end(), to.begin(), to.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  list.num_nodes = checked_count(int64_t(ids.size()), int64_t(ids.size()), what);
  const auto number = [&](int64_t id) {
    return NodeId(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  list.edges.resize(edges);
  for (size_t e = 0; e < edges; e++) list.edges[e] = {number(from[e]), number(to[e])};
  list.ids.number = std::move(ids);
}

// The number of nodes as the file says it: by itself, or by arrays with a row for each node.
std::optional<NodeId> stated_count(const Source& source, int64_t edges) {
  if (source.has("num_nodes")) {
    const Array<int64_t> count = source.integers("num_nodes");
    if (count.size() != 1) fail_data("{}: is not one number", source.what("num_nodes"));
    return checked_count(count[0], edges, source.what("num_nodes"));
  }
  for (const char* key : {"ids", "node_labels", "node_features", "x"})
    if (source.has(key) && !source.array(key).shape.empty())
      return checked_count(source.array(key).shape[0], source.array(key).shape[0],
                           source.what(key));
  return std::nullopt;
}

EdgeList listed_graph(const Source& source, const std::string& key) {
  const NumpyArray& array = source.array(key);
  const std::string what = source.what(key);
  const bool two_rows = array.shape.size() == 2 && array.shape[0] == 2;
  if (!two_rows && !(array.shape.size() == 2 && array.shape[1] == 2))
    fail_data("{}: a list of edges has the shape (2, E) or (E, 2), not ({})", what,
              fmt::join(array.shape, ", "));
  const Array<int64_t> ends = array.integers(what);
  const size_t edges = ends.size() / 2;
  Array<int64_t> from(edges), to(edges);
  for (size_t e = 0; e < edges; e++) {
    from[e] = two_rows ? ends[e] : ends[2 * e];
    to[e] = two_rows ? ends[edges + e] : ends[2 * e + 1];
  }
  EdgeList list;
  if (const auto count = stated_count(source, int64_t(edges))) {
    list.num_nodes = *count;
    set_entries(list, from, to, what);
  } else {
    number_nodes(list, from, to, what);
  }
  set_weight(list, source, "edge_weight");
  set_relation(list, source);
  return list;
}

EdgeList any_graph(const Source& source) {
  if (source.has("format")) return matrix_graph(source, sparse_format(source));
  if (source.has("indptr")) return matrix_graph(source, "csr");
  for (const char* key : {"edge_index", "edges"})
    if (source.has(key)) return listed_graph(source, key);
  if (source.arrays.size() == 1) return listed_graph(source, source.arrays.begin()->first);
  fail_data(
      "{}: holds no graph: edge_index, edges or a scipy sparse matrix is needed, but there "
      "is {}",
      source.path, source.names());
}

}  // namespace

EdgeList numpy_graph(const NumpyArchive& arrays, const std::string& path) {
  const Source source{arrays, path};
  EdgeList list = any_graph(source);
  set_ids(list, source);
  return list;
}

EdgeList parse_numpy_graph(std::string_view bytes, const std::string& path) {
  if (!looks_like_npy(bytes)) return numpy_graph(parse_npz(bytes, path), path);
  NumpyArchive arrays;
  arrays.emplace("array", parse_npy(bytes, path));
  return numpy_graph(arrays, path);
}

EdgeList read_numpy_graph(const std::string& path) {
  return parse_numpy_graph(read_bytes(path).view(), path);
}

NumpyArray numpy_ids(const NodeIds& ids) {
  if (!ids.are_strings()) return numpy_array<int64_t>(ids.number, {int64_t(ids.number.size())});
  std::vector<std::string> names;
  for (size_t i = 0; i + 1 < ids.text_start.size(); i++) names.push_back(ids.name(NodeId(i)));
  return numpy_texts(names);
}

void write_graph_npz(const std::string& path, const Graph& graph, const NodeIds& ids,
                     std::span<const float> weight, bool overwrite) {
  const Csr& out = graph.out;
  check(weight.empty() || Offset(weight.size()) == out.nnz(), "{} weights for {} arcs",
        weight.size(), out.nnz());
  const Array<float> ones(weight.empty() ? size_t(out.nnz()) : 0, 1.f);
  const int64_t shape[] = {out.rows, out.cols};
  NumpyArchive arrays;
  arrays["format"] = {.dtype = "|S3", .bytes = {'c', 's', 'r'}};
  arrays["shape"] = numpy_array<int64_t>(shape, {2});
  arrays["indptr"] = numpy_array<int64_t>(out.start, {int64_t(out.start.size())});
  arrays["indices"] = numpy_array<int32_t>(out.index, {out.nnz()});
  arrays["data"] = numpy_array<float>(weight.empty() ? std::span(ones) : weight, {out.nnz()});
  if (!ids.trivial()) arrays["ids"] = numpy_ids(ids);
  write_npz(path, arrays, overwrite);
}

}  // namespace mgnn
