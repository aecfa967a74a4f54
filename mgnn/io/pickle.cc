#include "mgnn/io/pickle.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "mgnn/base/error.h"
#include "mgnn/io/pickle_machine.h"

namespace mgnn {
namespace {

using Kind = PickleKind;
using Machine = PickleMachine;
using Value = PickleValue;

int64_t number(const Machine& machine, Value value, const char* what) {
  if (value.kind != Kind::number) machine.refuse("{} is not a whole number", what);
  return value.number;
}

std::vector<int64_t> shape_of(const Machine& machine, Value value) {
  if (value.kind != Kind::tuple) machine.refuse("the shape is not a tuple");
  std::vector<int64_t> shape;
  for (const Value length : machine.items(value))
    shape.push_back(number(machine, length, "a length of the shape"));
  return shape;
}

// "f4" and the state (3, "<", None, …) make "<f4". REQUIRES: a dtype.
std::string descr_of(const Machine& machine, Value value) {
  const auto parts = machine.items(value);
  if (parts.size() != 2) machine.refuse("an element type is broken");
  const auto state = machine.items(parts[1]);
  if (state.size() < 2 || state[1].kind != Kind::string)
    machine.refuse("an element type lacks its byte order");
  return fmt::format("{}{}", machine.text(state[1]), machine.text(parts[0]));
}

// The state of an array is (version, shape, dtype, column_major, bytes).
NumpyArray array_of(const Machine& machine, Value value, const std::string& where) {
  if (value.kind != Kind::raw_array || machine.items(value).size() != 1)
    fail_data("{}: is not a NumPy array", where);
  const auto state = machine.items(machine.items(value)[0]);
  if (state.size() != 5 || state[2].kind != Kind::dtype || state[3].kind != Kind::boolean ||
      state[4].kind != Kind::string)
    fail_data("{}: is an array whose state is broken", where);
  return numpy_array_of(descr_of(machine, state[2]), shape_of(machine, state[1]),
                        state[3].number != 0, machine.text(state[4]), where);
}

std::optional<Value> entry(const Machine& machine, Value dict, std::string_view key) {
  const auto items = machine.items(dict);
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].kind == Kind::string && machine.text(items[i]) == key) return items[i + 1];
  return std::nullopt;
}

NodeId node(const Machine& machine, Value value) {
  const int64_t id = number(machine, value, "a node");
  if (id < 0 || id >= std::numeric_limits<NodeId>::max())
    machine.refuse("a node is {}, which is out of range", id);
  return NodeId(id);
}

// Puts columns of each row in order, with their values.
void sort_rows(SparseMatrix& matrix, const std::string& path) {
  Csr& pattern = matrix.pattern;
  Array<std::pair<NodeId, float>> row;
  for (NodeId r = 0; r < pattern.rows; r++) {
    const auto begin = pattern.index.begin() + pattern.start[r];
    const auto end = pattern.index.begin() + pattern.start[r + 1];
    if (!std::is_sorted(begin, end)) {
      row.clear();
      for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
        row.emplace_back(pattern.index[e], matrix.value[e]);
      std::sort(row.begin(), row.end());
      for (size_t i = 0; i < row.size(); i++)
        std::tie(begin[ptrdiff_t(i)], matrix.value[size_t(pattern.start[r]) + i]) = row[i];
    }
    if (std::adjacent_find(begin, end) != end)
      fail_data("{}: row {} of the matrix lists a column twice", path, r);
  }
}

SparseMatrix checked_matrix(const std::vector<int64_t>& shape, const Array<int64_t>& start,
                            const Array<int64_t>& column, Array<float> value,
                            const std::string& path) {
  constexpr int64_t kMaxDimension = std::numeric_limits<NodeId>::max() - 1;
  if (shape.size() != 2 || std::min(shape[0], shape[1]) < 0 ||
      std::max(shape[0], shape[1]) > kMaxDimension)
    fail_data("{}: the shape of the matrix is not two sensible numbers", path);
  if (int64_t(start.size()) != shape[0] + 1 || column.size() != value.size() || start[0] != 0 ||
      start.back() != int64_t(column.size()) || !std::is_sorted(start.begin(), start.end()))
    fail_data("{}: the parts of the sparse matrix do not fit together", path);
  SparseMatrix matrix{{NodeId(shape[0]), NodeId(shape[1]), start, {}}, std::move(value)};
  matrix.pattern.index.reserve(column.size());
  for (int64_t c : column) {
    if (c < 0 || c >= shape[1])
      fail_data("{}: the matrix names column {}, but has {}", path, c, shape[1]);
    matrix.pattern.index.push_back(NodeId(c));
  }
  sort_rows(matrix, path);
  return matrix;
}

}  // namespace

NumpyArray parse_pickled_array(std::string_view bytes, const std::string& path) {
  Machine machine(bytes, path);
  const Value value = machine.run();
  return array_of(machine, value, path);
}

SparseMatrix parse_pickled_csr_matrix(std::string_view bytes, const std::string& path) {
  Machine machine(bytes, path);
  const Value value = machine.run();
  if (value.kind != Kind::csr_matrix || machine.items(value).size() != 1)
    fail_data("{}: is not a scipy csr_matrix", path);
  const Value state = machine.items(value)[0];
  const auto part = [&](const char* key) {
    const auto found = entry(machine, state, key);
    if (!found) fail_data("{}: the csr_matrix lacks its {}", path, in_quotes(key));
    return *found;
  };
  const auto array = [&](const char* key) {
    return array_of(machine, part(key), fmt::format("{}: {}", path, key));
  };
  const std::vector<int64_t> shape = shape_of(machine, part("_shape"));
  const Array<int64_t> start = array("indptr").integers(path + ": indptr");
  const Array<int64_t> column = array("indices").integers(path + ": indices");
  return checked_matrix(shape, start, column, array("data").floats(path + ": data"), path);
}

Array<Edge> parse_pickled_adjacency(std::string_view bytes, const std::string& path) {
  Machine machine(bytes, path);
  const Value value = machine.run();
  if (value.kind != Kind::dict) fail_data("{}: is not a dict of neighbours", path);
  const auto items = machine.items(value);
  Array<Edge> edges;
  std::vector<NodeId> from;
  for (size_t i = 0; i < items.size(); i += 2) {
    from.push_back(node(machine, items[i]));
    if (items[i + 1].kind != Kind::list)
      fail_data("{}: the neighbours of node {} are not a list", path, from.back());
    const auto neighbours = machine.items(items[i + 1]);
    if (edges.size() + neighbours.size() > bytes.size())  // each takes two bytes, unless shared
      fail_data("{}: lists more neighbours than fit into a file of {} bytes", path, bytes.size());
    for (const Value to : neighbours) edges.push_back({from.back(), node(machine, to)});
  }
  std::sort(from.begin(), from.end());
  const auto twice = std::adjacent_find(from.begin(), from.end());
  if (twice != from.end()) fail_data("{}: node {} is listed twice", path, *twice);
  return edges;
}

}  // namespace mgnn
