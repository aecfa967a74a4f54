// With y = A x in some layer and g the gradient of the explained number with respect to y, entry (i, j) of A
// has the share A_ij g_i · x_j. The products are those that the tape went through, so this holds for every
// network that multiplies by its matrices. What a motif adds is g · h'_k, h'_k its output in the last layer:
// exact where all that follows is linear.

#include "mgnn/explain/attribution.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mgnn/tensor/product_log.h"

namespace mgnn {
namespace {

using Product = SparseProduct<float>;

Var<float> on_tape(const Output<float>& output, const OutputNumber& number) {
  Tape<float>& tape = *output.out.tape;
  const auto index = [&](NodeId row) {
    NodeId* const at = tape.arena().array<NodeId>(1);
    *at = row;
    return std::span<const NodeId>(at, 1);
  };
  if (number.subject == Subject::pair) {
    const PairEnds<float> ends = pair_ends(output.out, number.decoder);
    return pair_dot<float>(ends.left, ends.right, index(number.row), index(number.other));
  }
  return slice_columns(gather_rows(output.out, index(number.row)), number.column, 1);
}

// ---- groups of motifs with equal matrices

struct Groups {
  std::vector<std::vector<int>> motifs;
  std::vector<uint8_t> absent;
  std::vector<int32_t> of_matrix;  // group of each matrix that the network multiplies by
};

// The first matrix with the same values as each; -1: all zero.
std::vector<int32_t> equal_matrices(const MotifOperators& motifs, int64_t count) {
  const bool separate = !motifs.separate.empty();
  const auto values = [&](int64_t k) {
    const Array<float>& all = separate ? motifs.separate[size_t(k)].value : motifs.value;
    Array<float> own(separate ? all.size() : all.size() / size_t(count));
    for (size_t e = 0; e < own.size(); e++)
      own[e] = separate ? all[e] : all[e * size_t(count) + size_t(k)];
    return own;
  };
  std::vector<Array<float>> seen;
  std::vector<int32_t> first;
  for (int64_t k = 0; k < count; k++) {
    seen.push_back(values(k));
    const auto& own = seen.back();
    const bool zero = std::all_of(own.begin(), own.end(), [](float x) { return x == 0; });
    first.push_back(zero ? -1 : int32_t(std::find(seen.begin(), seen.end(), own) - seen.begin()));
  }
  return first;
}

Groups groups_of(const MotifOperators& motifs) {
  const std::vector<int> numbers = motifs.set.numbers();
  const bool shared = !motifs.interleaved.value.empty();
  std::vector<int32_t> matrix =
      shared ? motifs.map.index : equal_matrices(motifs, int64_t(numbers.size()));
  Groups groups;
  std::unordered_map<int32_t, int32_t> group_of;
  groups.of_matrix.assign(std::max<size_t>(numbers.size(), size_t(motifs.map.distinct)), -1);
  for (size_t k = 0; k < numbers.size(); k++) {
    const auto [at, is_new] = group_of.emplace(matrix[k], int32_t(groups.motifs.size()));
    if (is_new) {
      groups.motifs.emplace_back();
      groups.absent.push_back(matrix[k] < 0);
    }
    groups.motifs[size_t(at->second)].push_back(numbers[k]);
    if (matrix[k] >= 0) groups.of_matrix[shared ? size_t(matrix[k]) : k] = at->second;
  }
  return groups;
}

// ---- entries

double entry_share(const Product& p, NodeId row, Offset e, int64_t k) {
  const int64_t d = p.width();
  const float* const g = p.y.grad() + int64_t(row) * p.y.cols + k * d;
  const float* const x =
      p.x.value + int64_t(p.pattern->index[size_t(e)]) * p.x.cols + (p.heads ? k * d : 0);
  double sum = 0;
  for (int64_t c = 0; c < d; c++) sum += double(g[c]) * double(x[c]);
  return sum * p.value(e, k);
}

bool has_gradient(const Product& p, NodeId row) {
  const float* const g = p.y.grad() + int64_t(row) * p.y.cols;
  return std::any_of(g, g + p.y.cols, [](float x) { return x != 0; });
}

template <class Use>
void for_each_share(const Product& p, Use use) {
  if (!p.y.grad()) return;
  for (NodeId r = 0; r < p.pattern->rows; r++) {
    if (!has_gradient(p, r)) continue;
    for (Offset e = p.pattern->start[size_t(r)]; e < p.pattern->start[size_t(r) + 1]; e++)
      for (int64_t k = 0; k < p.count; k++)
        if (const double share = entry_share(p, r, e, k); share != 0)
          use(r, p.pattern->index[size_t(e)], k, share);
  }
}

// Which of the network's matrices was multiplied by.
enum class Role { messages, relations, motifs, features, other };
struct Part {
  Role role;
  int64_t first = 0;  // matrix of the product's first
};

Part part_of(const Product& p, const Batch& batch) {
  const Operators& all = batch.operators;
  if (const auto* x = std::get_if<SparseFeatures>(&batch.x); x && p.pattern == &x->pattern)
    return {Role::features};
  if (p.pattern == &all.adjacency.pattern || p.pattern == &all.neighbours.rows ||
      p.pattern == &all.neighbours_and_self.rows)
    return {Role::messages};
  if (p.pattern == &all.relational.pattern) return {Role::relations};
  if (p.pattern == &all.motifs.interleaved.pattern || p.pattern == &all.motifs.pattern.rows)
    return {Role::motifs};
  for (size_t k = 0; k < all.motifs.separate.size(); k++)
    if (p.pattern == &all.motifs.separate[k].pattern) return {Role::motifs, int64_t(k)};
  return {Role::other};
}

void add_product(const Product& p, const Batch& batch, const Groups& groups, Attribution& to) {
  const Part part = part_of(p, batch);
  if (part.role == Role::other) return;
  if (part.role == Role::features) {
    to.feature.resize(size_t(p.pattern->cols)), to.node.resize(size_t(batch.num_nodes));
    for_each_share(p, [&](NodeId v, NodeId f, int64_t, double share) {
      to.feature[size_t(f)] += share, to.node[size_t(v)] += share;
    });
    return;
  }
  const int64_t relations =
      part.role == Role::relations ? p.pattern->cols / std::max<NodeId>(batch.num_nodes, 1) : 1;
  for_each_share(p, [&](NodeId r, NodeId c, int64_t k, double share) {
    const int32_t group = part.role == Role::motifs ? groups.of_matrix[size_t(part.first + k)] : -1;
    to.entries.push_back({r, NodeId(c / relations), group, share});
  });
}

// The same entry of several layers or heads is one.
void merge(std::vector<EntryShare>& entries) {
  const auto key = [](const EntryShare& e) { return std::tuple(e.group, e.to, e.from); };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  size_t last = 0;
  for (size_t i = 1; i < entries.size(); i++)
    if (key(entries[i]) == key(entries[last]))
      entries[last].share += entries[i].share;
    else
      entries[++last] = entries[i];
  if (!entries.empty()) entries.resize(last + 1);
}

// ---- biases

double dot(const Parameters& w, const NamedParameter& p) {
  double sum = 0;
  for (int64_t i = 0; i < p.size(); i++) sum += double(w.value_of(p)[i]) * double(w.grad_of(p)[i]);
  return sum;
}

// What biases that follow the last layer's motifs add. A batch norm in evaluation mode is w (x - mean) / σ +
// b, so its means are one, too: w · gradient is all of it, less what x brings.
double bias_share(const Parameters& weights, double motif_shares) {
  const auto find = [&](const std::string& name) {
    for (const NamedParameter& p : weights.all)
      if (p.name == name) return dot(weights, p);
    return 0.;
  };
  double bias = find("output.bias") + find("hidden.bias");
  int last = 0;
  for (int l = 1; std::any_of(
           weights.all.begin(), weights.all.end(),
           [&](const NamedParameter& p) { return p.name.starts_with(fmt::format("layer{}.", l)); });
       l++)
    last = l;
  const std::string mlp = fmt::format("layer{}.mlp.", last);
  const double before = find(mlp + "first.bias");
  bias += before + find(mlp + "norm.bias") + find(mlp + "second.bias");
  const auto has = [&](const std::string& name) {
    return std::any_of(weights.all.begin(), weights.all.end(),
                       [&](const NamedParameter& p) { return p.name == name; });
  };
  if (has(mlp + "norm.weight")) bias += find(mlp + "norm.weight") - motif_shares - before;
  return bias;
}

ShareKind share_kind(const OutputNumber& number, const Parameters& weights) {
  if (number.subject != Subject::graph) return ShareKind::exact;
  const bool attention = std::any_of(weights.all.begin(), weights.all.end(),
                                     [](const auto& p) { return p.name == "readout.weight"; });
  return attention ? ShareKind::first_order : ShareKind::piecewise;
}

void add_motif_outputs(Var<float> outputs, const std::vector<int>& motifs, Attribution& to) {
  to.motifs = motifs;
  to.motif.assign(motifs.size(), 0);
  const int64_t width = outputs.cols / int64_t(motifs.size());
  if (const float* const g = outputs.grad())
    for (int64_t i = 0; i < outputs.size(); i++)
      to.motif[size_t(i % outputs.cols / width)] += double(g[i]) * double(outputs.value[i]);
}

void add_dense_features(Var<float> x, Attribution& to) {
  if (!x.grad()) return;
  to.feature.resize(size_t(x.cols)), to.node.resize(size_t(x.rows));
  for (int64_t v = 0; v < x.rows; v++)
    for (int64_t f = 0; f < x.cols; f++) {
      const double share = double(x.grad()[v * x.cols + f]) * double(x(v, f));
      to.feature[size_t(f)] += share, to.node[size_t(v)] += share;
    }
}

}  // namespace

double number_in(const Output<float>& output, const OutputNumber& number) {
  return double(*on_tape(output, number).value);
}

Attribution attribute(const Model& model, Parameters& weights, const Batch& batch,
                      const OutputNumber& number) {
  weights.zero_grad();
  std::vector<Product> products;
  std::vector<Var<float>> motif_outputs;
  Tape<float> tape;
  tape.start_evaluation();
  tape.set_recording(true);
  Step<float> step(tape, weights, batch);
  step.motif_outputs = &motif_outputs;
  if (const auto* dense = std::get_if<Matrix>(&batch.x)) step.input = tape.leaf(*dense);
  const ProductLogScope<float> log(products);
  const Output<float> output = model.forward(step);
  const Var<float> explained = on_tape(output, number);
  // Of a product of two ends, either has half.
  const float seed = number.subject == Subject::pair ? .5f : 1.f;
  const Tape<float>::Seed seeds[] = {{explained, &seed}};
  tape.backward(seeds);

  Attribution result{.score = double(*explained.value)};
  const Groups groups =
      batch.operators.motifs.set.empty() ? Groups{} : groups_of(batch.operators.motifs);
  result.groups = groups.motifs, result.absent = groups.absent;
  for (const Product& p : products) add_product(p, batch, groups, result);
  merge(result.entries);
  if (step.input.tape) add_dense_features(step.input, result);
  if (motif_outputs.empty()) return result;
  result.kind = share_kind(number, weights);
  add_motif_outputs(motif_outputs.back(), batch.operators.motifs.set.numbers(), result);
  double sum = 0;
  for (const double share : result.motif) sum += share;
  result.bias = bias_share(weights, sum);
  return result;
}

void motif_groups(const Batch& batch, std::vector<std::vector<int>>& groups,
                  std::vector<uint8_t>& absent) {
  Groups found = groups_of(batch.operators.motifs);
  groups = std::move(found.motifs), absent = std::move(found.absent);
}

// A row of the output depends on the last layer's outputs of its own nodes alone.
MatrixOf<double> motif_shares_of_rows(const Model& model, Parameters& weights, const Batch& batch,
                                      std::span<const int32_t> column,
                                      std::span<const NodeId> graph_of) {
  weights.zero_grad();
  std::vector<Var<float>> motif_outputs;
  Tape<float> tape;
  tape.start_evaluation();
  tape.set_recording(true);
  Step<float> step(tape, weights, batch);
  step.motif_outputs = &motif_outputs;
  const Output<float> output = model.forward(step);
  if (motif_outputs.empty()) return {};
  Matrix seed(output.out.rows, output.out.cols);
  for (int64_t r = 0; r < seed.rows; r++)
    if (column[size_t(r)] >= 0) seed(r, column[size_t(r)]) = 1;
  const Tape<float>::Seed seeds[] = {{output.out, seed.data.data()}};
  tape.backward(seeds);
  const Var<float> h = motif_outputs.back();
  const auto motifs = int64_t(batch.operators.motifs.set.size());
  MatrixOf<double> shares(seed.rows, motifs);
  const int64_t width = h.cols / motifs;
  if (const float* const g = h.grad())
    for (int64_t v = 0; v < h.rows; v++)
      for (int64_t c = 0; c < h.cols; c++)
        shares(graph_of.empty() ? v : graph_of[size_t(v)], c / width) +=
            double(g[v * h.cols + c]) * double(h(v, c));
  return shares;
}

}  // namespace mgnn
