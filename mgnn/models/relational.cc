// A product H [W_1 | … | W_R | W_root] has in row j the messages of node j, one of d columns for each
// relation. Read as a matrix of n (R + 1) rows and d columns, it is multiplied by one sparse matrix
// that picks, for every node, the messages of its neighbours under each relation.

#include "mgnn/models/relational.h"

#include <algorithm>
#include <limits>

namespace mgnn {
namespace {

struct Message {
  NodeId row;
  int64_t column;
  auto operator<=>(const Message&) const = default;
};

void add_both_directions(Edge e, int64_t relation, int64_t messages,
                         std::vector<Message>& entries) {
  if (e.from == e.to) return;
  entries.push_back({e.to, e.from * messages + 2 * relation});
  entries.push_back({e.from, e.to * messages + 2 * relation + 1});
}

std::vector<Message> entries_of(const GraphView& view, int64_t messages) {
  std::vector<Message> entries;
  for (NodeId v = 0; v < view.graph.num_nodes(); v++)
    entries.push_back({v, v * messages + messages - 1});
  if (view.relations.empty())
    for (const Edge& e : arcs(view.graph)) add_both_directions(e, 0, messages, entries);
  for (size_t r = 0; r < view.relations.size(); r++)
    for (const Edge& e : view.relations[r].edges)
      add_both_directions(e, int64_t(r), messages, entries);
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

}  // namespace

Operator relational_operator(const GraphView& view) {
  const NodeId n = view.graph.num_nodes();
  const int64_t messages = num_directed_relations(int64_t(view.relations.size())) + 1;
  if (n * messages > std::numeric_limits<NodeId>::max())
    fail_data("{} nodes with {} relations are too many for one matrix", n, view.relations.size());
  const std::vector<Message> entries = entries_of(view, messages);
  Csr pattern{n, NodeId(n * messages), Array<Offset>(size_t(n) + 1, 0), {}};
  Array<float> value(entries.size());
  std::vector<int64_t> count(size_t(messages), 0);  // in the row, by relation
  for (size_t first = 0, last = 0; first < entries.size(); first = last) {
    const NodeId row = entries[first].row;
    for (; last < entries.size() && entries[last].row == row; last++) {
      pattern.index.push_back(NodeId(entries[last].column));
      count[entries[last].column % messages]++;
    }
    for (size_t e = first; e < last; e++)
      value[e] = float(1. / double(count[entries[e].column % messages]));
    for (size_t e = first; e < last; e++) count[entries[e].column % messages] = 0;
    pattern.start[row + 1] = Offset(last);  // every node has a row: itself
  }
  return make_operator(std::move(pattern), std::move(value));
}

RelationalWeight make_relational_weight(const std::string& name, int64_t in, int64_t width,
                                        int64_t relations, int64_t bases, Parameters& weights,
                                        Rng& rng) {
  const int64_t count = num_directed_relations(relations);
  // Xavier initialisation of each matrix.
  const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + width))};
  RelationalWeight result{.width = width, .bases = bases};
  if (bases == 0) {
    result.weight = weights.add(name + ".weight", in, (count + 1) * width, init, rng);
    return result;
  }
  result.basis = weights.add(name + ".basis", bases, in * width, init, rng);
  result.coefficients =
      weights.add(name + ".coefficients", count, bases, {.kind = Init::xavier_uniform}, rng);
  result.root = weights.add(name + ".root.weight", in, width, init, rng);
  for (int64_t i = 0; i < in; i++)
    for (int64_t r = 0; r < count; r++) result.order.push_back(NodeId(r * in + i));
  return result;
}

template <class T>
Var<T> relational_weight(Step<T>& step, const RelationalWeight& w) {
  if (w.bases == 0) return step.weight(w.weight);
  const Var<T> root = step.weight(w.root);
  const int64_t count = w.coefficients.rows;
  const Var<T> flat = matmul(step.weight(w.coefficients), step.weight(w.basis));  // (R, in d)
  const Var<T> below = reshape(flat, count * root.rows, w.width);
  const Var<T> rows = gather_rows(below, std::span<const NodeId>(w.order));
  const Var<T> all[] = {reshape(rows, root.rows, count * w.width), root};
  return concat_columns<T>(all);
}

template <class T>
Var<T> relational_sum(Step<T>& step, const RelationalWeight& w, Var<T> hw) {
  const int64_t messages = hw.cols / w.width;
  return spmm(step.batch.operators.relational, reshape(hw, hw.rows * messages, w.width));
}

#define MGNN_INSTANTIATE(T)                                             \
  template Var<T> relational_weight(Step<T>&, const RelationalWeight&); \
  template Var<T> relational_sum(Step<T>&, const RelationalWeight&, Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE
#undef MGNN_INSTANTIATE

}  // namespace mgnn
