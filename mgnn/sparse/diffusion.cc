// PPR solves (I - c T) X = a E for a block E of unit columns, c = 1 - a. Where T is symmetric the
// eigenvalues of I - c T are in [a, 2 - a] and Chebyshev iteration takes about √(1 / a) steps
// instead of 1 / a. Heat sums its series. Push (Andersen, Chung, Lang 2006) moves the share a of a
// residual to the result and spreads the rest, only where the residual is large:
// S e_j = result + S residual / a holds after every move. Where T is not symmetric the number of
// moves has no good bound, hence push_arcs.

#include "mgnn/sparse/diffusion.h"

#include <cmath>
#include <numeric>
#include <optional>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

constexpr int kBlock = 16;  // columns that are multiplied at once

struct Transition {
  const Csr& pattern;
  std::span<const double> value;
  bool symmetric;
};

bool is_symmetric(const Csr& pattern, std::span<const double> value) {
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) {
      const auto row = pattern.row(pattern.index[e]);
      const auto back = std::lower_bound(row.begin(), row.end(), r);
      if (back == row.end() || *back != r) return false;
      const Offset place = pattern.start[pattern.index[e]] + (back - row.begin());
      if (std::abs(value[place] - value[e]) > 1e-12) return false;
    }
  return true;
}

using Block = std::vector<double>;  // (rows, kBlock)

// y = factor T x + keep y.
void multiply_add(const Transition& t, double factor, const Block& x, double keep, Block& y) {
  for (NodeId r = 0; r < t.pattern.rows; r++) {
    double sum[kBlock] = {};
    for (Offset e = t.pattern.start[r]; e < t.pattern.start[r + 1]; e++) {
      const double* const from = x.data() + size_t(t.pattern.index[e]) * kBlock;
      const double v = t.value[e];
      for (int c = 0; c < kBlock; c++) sum[c] += v * from[c];
    }
    double* const to = y.data() + size_t(r) * kBlock;
    for (int c = 0; c < kBlock; c++) to[c] = keep * to[c] + factor * sum[c];
  }
}

// What a thread needs for a block of columns.
struct Workspace {
  explicit Workspace(NodeId rows) : result(size_t(rows) * kBlock), residual(result), step(result) {}
  Block result, residual, step;
};

void chebyshev_ppr(const Transition& t, const DiffusionOptions& o, Workspace& w) {
  const double c = 1 - o.alpha, sigma = 1 / c;
  const int64_t steps =
      int64_t(std::ceil(std::log(2 / (o.alpha * o.tolerance)) / std::acosh(sigma)));
  double rho = 1 / sigma;
  w.step = w.residual;
  for (int64_t i = 0; i < steps; i++) {
    for (size_t k = 0; k < w.result.size(); k++) w.result[k] += w.step[k];
    // residual -= (I - c T) step
    for (size_t k = 0; k < w.step.size(); k++) w.residual[k] -= w.step[k];
    multiply_add(t, c, w.step, 1, w.residual);
    const double next = 1 / (2 * sigma - rho);
    for (size_t k = 0; k < w.step.size(); k++)
      w.step[k] = next * rho * w.step[k] + 2 * next / c * w.residual[k];
    rho = next;
  }
}

// Σ_k coefficient(k) T^k E until what is left of the coefficients is below the tolerance.
template <class Coefficient>
void series(const Transition& t, double tolerance, Workspace& w, Coefficient coefficient) {
  double left = 1;
  for (int64_t k = 0; left > tolerance; k++) {
    const double factor = coefficient(k);
    for (size_t i = 0; i < w.result.size(); i++) w.result[i] += factor * w.residual[i];
    left -= factor;
    multiply_add(t, 1, w.residual, 0, w.step);
    std::swap(w.step, w.residual);
  }
}

void diffuse_block(const Transition& t, const DiffusionOptions& o, NodeId first, NodeId last,
                   Workspace& w) {
  std::fill(w.result.begin(), w.result.end(), 0.);
  std::fill(w.residual.begin(), w.residual.end(), 0.);
  const bool solve = o.spread == Spread::ppr && t.symmetric && o.alpha < 1;
  for (NodeId j = first; j < last; j++)
    w.residual[size_t(j) * kBlock + size_t(j - first)] = solve ? o.alpha : 1;
  if (solve) {
    chebyshev_ppr(t, o, w);
  } else if (o.spread == Spread::ppr) {
    double next = o.alpha;
    series(t, o.tolerance, w, [&](int64_t) { return std::exchange(next, next * (1 - o.alpha)); });
  } else {
    double next = std::exp(-o.time);
    series(t, o.tolerance, w,
           [&](int64_t k) { return std::exchange(next, next * o.time / double(k + 1)); });
  }
}

struct Entry {
  NodeId row;
  double value;
};

// Keeps some entries of a column, by row.
void sparsify(std::vector<Entry>& column, const DiffusionOptions& o) {
  if (o.keep == Keep::threshold) {
    std::erase_if(column, [&](const Entry& e) { return e.value < o.threshold; });
  } else if (int64_t(column.size()) > o.top) {
    std::nth_element(column.begin(), column.begin() + o.top, column.end(),
                     [](const Entry& a, const Entry& b) {
                       return a.value != b.value ? a.value > b.value : a.row < b.row;
                     });
    column.resize(size_t(o.top));
  }
  std::sort(column.begin(), column.end(),
            [](const Entry& a, const Entry& b) { return a.row < b.row; });
  if (!o.normalise) return;
  double sum = 0;
  for (const Entry& e : column) sum += e.value;
  for (Entry& e : column) e.value /= sum > 0 ? sum : 1;
}

void exact_columns(const Transition& t, const DiffusionOptions& o, Workspace& w, NodeId first,
                   NodeId last, std::vector<Entry>* columns) {
  diffuse_block(t, o, first, last, w);
  for (NodeId j = first; j < last; j++) {
    std::vector<Entry>& column = columns[j - first];
    for (NodeId r = 0; r < t.pattern.rows; r++)
      if (const double v = w.result[size_t(r) * kBlock + size_t(j - first)]; v > 0)
        column.push_back({r, v});
    sparsify(column, o);
  }
}

// `columns_of` lists what T's columns hold: the transpose of T.
struct Pusher {
  const Csr& columns_of;
  const Array<double>& value;
  std::span<const double> root;  // √d
  std::vector<double> result = {}, residual = {};
  std::vector<NodeId> queue = {}, touched = {};
  std::vector<char> queued = {};
  static constexpr double kFirstEps = 0.01;

  // Returns the number of arcs that it walked.
  int64_t push_residual(NodeId j, double eps, double alpha) {
    const auto due = [&](NodeId v) { return residual[v] > eps * root[v] * root[j]; };
    queue.clear();
    for (const NodeId v : touched)
      if (due(v) && !std::exchange(queued[v], 1)) queue.push_back(v);
    int64_t walked = 0;
    for (size_t at = 0; at < queue.size(); at++) {
      if (at % 4096 == 0) check_interrupted();
      const NodeId v = queue[at];
      const double r = std::exchange(residual[v], 0.);
      queued[v] = 0;
      result[v] += alpha * r;
      walked += columns_of.row_size(v);
      for (Offset e = columns_of.start[v]; e < columns_of.start[v + 1]; e++) {
        const NodeId u = columns_of.index[e];
        if (residual[u] == 0 && result[u] == 0) touched.push_back(u);
        residual[u] += (1 - alpha) * r * value[e];
        if (!queued[u] && due(u)) queue.push_back(u), queued[u] = 1;
      }
    }
    return walked;
  }

  // In rounds, each four times as exact as the one before, until push_eps is reached or push_arcs
  // arcs were walked.
  void run(NodeId j, const DiffusionOptions& o, std::vector<Entry>& column) {
    residual[j] = 1;
    touched = {j};
    int64_t walked = 0;
    for (double eps = std::max(kFirstEps, o.push_eps);; eps = std::max(eps / 4, o.push_eps)) {
      walked += push_residual(j, eps, o.alpha);
      if (eps <= o.push_eps || walked > o.push_arcs) break;
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const NodeId v : touched) {
      if (result[v] > 0) column.push_back({v, result[v]});
      result[v] = residual[v] = 0;
    }
    sparsify(column, o);
  }
};

void check_options(const DiffusionOptions& o) {
  check(o.alpha > 0 && o.alpha <= 1, "alpha is {}; use 0 < alpha <= 1", o.alpha);
  check(o.time >= 0 && o.time <= 500, "time is {}; use 0 to 500", o.time);
  check(o.tolerance > 0 && o.push_eps > 0, "tolerances must be above 0");
  check(o.top > 0, "top is 0; use at least 1");
  check(!o.push || o.spread == Spread::ppr, "push supports ppr only, not heat");
}

DiffusedColumns gathered(const std::vector<std::vector<Entry>>& columns) {
  const auto n = NodeId(columns.size());
  DiffusedColumns result{{n, n, Array<Offset>(columns.size() + 1, 0), {}}, {}};
  for (size_t j = 0; j < columns.size(); j++)
    result.pattern.start[j + 1] = result.pattern.start[j] + Offset(columns[j].size());
  result.pattern.index.reserve(size_t(result.pattern.nnz()));
  result.value.reserve(size_t(result.pattern.nnz()));
  for (const auto& column : columns)
    for (const Entry& e : column) {
      result.pattern.index.push_back(e.row);
      result.value.push_back(e.value);
    }
  return result;
}

}  // namespace

DiffusedColumns diffused_columns(const Csr& pattern, std::span<const double> value,
                                 std::span<const double> degree, const DiffusionOptions& options) {
  check_options(options);
  const NodeId n = pattern.rows;
  const Transition t{pattern, value, !options.push && is_symmetric(pattern, value)};
  const Csr transposed = options.push ? transpose(pattern) : Csr{};
  Array<double> transposed_value(options.push ? value.size() : 0);
  std::vector<double> root(options.push ? size_t(n) : 0);
  if (options.push) {
    const Array<Offset> place = transposed_places(pattern, transposed);
    for (size_t e = 0; e < place.size(); e++) transposed_value[e] = value[place[e]];
    for (size_t v = 0; v < root.size(); v++) root[v] = std::sqrt(std::max(degree[v], 1.));
  }

  std::vector<std::vector<Entry>> columns(static_cast<size_t>(n));
  ParallelError error;
  const int64_t blocks = (int64_t(n) + kBlock - 1) / kBlock;
#pragma omp parallel if (worth_threads(int64_t(n) * pattern.nnz()))
  {
    std::optional<Workspace> workspace;
    Pusher pusher{.columns_of = transposed, .value = transposed_value, .root = root};
    error.run([&] {
      workspace.emplace(options.push ? 0 : n);
      pusher.result.resize(root.size());
      pusher.residual.resize(root.size());
      pusher.queued.resize(root.size());
    });
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < blocks; b++)
      error.run([&] {
        check_interrupted();
        const NodeId first = NodeId(b * kBlock), last = std::min(n, NodeId(first + kBlock));
        if (!options.push)
          exact_columns(t, options, *workspace, first, last, columns.data() + first);
        else
          for (NodeId j = first; j < last; j++) pusher.run(j, options, columns[j]);
      });
  }
  error.rethrow();

  return gathered(columns);
}

}  // namespace mgnn
