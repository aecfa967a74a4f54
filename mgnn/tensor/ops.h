// Everything a network is made of: operations on the matrices of a tape. Each computes its value at
// once and records its gradient. T is float or double.
//
// Shapes are (rows, columns). All throw Error (usage) if shapes do not fit. They use all threads
// (set_num_threads), and their results have the same bits for any number of them; an operation takes
// time and memory in proportion to what it reads and writes, a product to its multiplications.
#pragma once

#include <span>
#include <vector>

#include "mgnn/sparse/csr.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {

// ---- element by element

// Of two matrices of the same shape.
template <class T>
Var<T> add(Var<T> a, Var<T> b);
template <class T>
Var<T> sub(Var<T> a, Var<T> b);
template <class T>
Var<T> mul(Var<T> a, Var<T> b);

template <class T>
Var<T> scale(Var<T> x, double factor);
template <class T>
Var<T> scale(Var<T> x, Var<T> factor);  // one learned number (1, 1)
template <class T>
Var<T> shift(Var<T> x, double by);  // x + by

template <class T>
Var<T> relu(Var<T> x);  // slope 0 at 0
template <class T>
Var<T> leaky_relu(Var<T> x, double slope);
template <class T>
Var<T> elu(Var<T> x);
template <class T>
Var<T> sigmoid(Var<T> x);
template <class T>
Var<T> tanh(Var<T> x);
template <class T>
Var<T> softplus(Var<T> x);  // log(1 + e^x), without overflow
template <class T>
Var<T> exp(Var<T> x);
template <class T>
Var<T> log(Var<T> x);
template <class T>
Var<T> clamp(Var<T> x, double low, double high);

// In training each element is zero with probability p, else divided by 1 - p. Throws Error unless
// 0 <= p < 1.
template <class T>
Var<T> dropout(Var<T> x, double p);
// Independent N(0, 1) numbers; nothing learns here.
template <class T>
Var<T> normal_noise(Tape<T>& tape, int64_t rows, int64_t cols);
// The same numbers without a gradient.
template <class T>
Var<T> detached(Var<T> x) {
  x.gradient = nullptr;
  return x;
}

// (1, 1)
template <class T>
Var<T> sum(Var<T> x);
template <class T>
Var<T> mean(Var<T> x);  // 0 of nothing

// ---- dense products, bias, and pieces of matrices

template <class T>
Var<T> matmul(Var<T> a, Var<T> b);  // a b
template <class T>
Var<T> matmul_nt(Var<T> a, Var<T> b);  // a bᵀ
template <class T>
Var<T> dropout_matmul(Var<T> x, Var<T> weight, double p);  // dropout(x, p) weight

// (rows, K o): each block of i columns of x (rows, K i) times that block of o columns of w (i, K
// o).
template <class T>
Var<T> block_matmul(Var<T> x, Var<T> w, int64_t blocks);

// bias (1, cols) added to every row.
template <class T>
Var<T> add_bias(Var<T> x, Var<T> bias);

enum class Activation { none, relu };
// The same in place, then the activation: for an x that an operation has just made, whose backward
// does not look at its value, and that nobody else uses.
template <class T>
Var<T> add_bias_in_place(Var<T> x, Var<T> bias, Activation activation = Activation::none);

// Side by side; all have the same number of rows. REQUIRES: at least one.
template <class T>
Var<T> concat_columns(std::span<const Var<T>> parts);
// One below the other; all have the same number of columns. REQUIRES: at least one.
template <class T>
Var<T> concat_rows(std::span<const Var<T>> parts);
// Columns first .. first + count - 1.
template <class T>
Var<T> slice_columns(Var<T> x, int64_t first, int64_t count);
// The same numbers, row by row, in another shape. Free.
template <class T>
Var<T> reshape(Var<T> x, int64_t rows, int64_t cols);

// Row i of the result is row index[i] of x. `index` must live as long as the step.
template <class T>
Var<T> gather_rows(Var<T> x, std::span<const NodeId> index);

// (rows, 1): the inner product of each pair of rows.
template <class T>
Var<T> row_dot(Var<T> a, Var<T> b);
// (pairs, 1): left[sources[i]] · right[targets[i]]. `left` and `right` may be the same; the lists
// must live as long as the step. Throws Error if a pair names a row that is not there.
template <class T>
Var<T> pair_dot(Var<T> left, Var<T> right, std::span<const NodeId> sources,
                std::span<const NodeId> targets);
// (rows, K): row_dot of each block of d columns of x (rows, K d) with that block of a (1, K d).
template <class T>
Var<T> block_dot(Var<T> x, Var<T> a, int64_t blocks);
// (rows, 1)
template <class T>
Var<T> row_sum(Var<T> x);
// Each row times the number in the same row of s (rows, 1).
template <class T>
Var<T> scale_rows(Var<T> x, Var<T> s);
// Each row divided by its length; rows shorter than `eps` are divided by `eps`.
template <class T>
Var<T> l2_normalise_rows(Var<T> x, double eps = 1e-12);

// ---- sparse times dense, and operations on the non-zeros of a pattern

struct OperatorShare;  // tensor/row_share.h
struct PatternShare;

// A pattern and its transpose, so that the backward pass is row-parallel, too.
struct Pattern {
  Csr rows;
  Csr columns;          // the transpose of `rows`
  Array<Offset> place;  // non-zero e of `columns` is non-zero place[e] of `rows`
  std::shared_ptr<const PatternShare> share = {};  // where rows are divided among ranks
};
Pattern make_pattern(Csr rows);

// K fixed matrices on one pattern; K = 1 is an ordinary operator. Read-only once made.
struct Operator {
  int64_t count = 1;  // K
  Csr pattern;
  Array<float> value;             // (nnz, K): the K values of a non-zero lie together
  Csr transposed;                 // empty where the matrices are symmetric
  Array<float> transposed_value;  // (nnz, K)
  bool symmetric = false;
  std::shared_ptr<const OperatorShare> share = {};  // where rows are divided among ranks

  const Csr& back() const { return symmetric ? pattern : transposed; }
  const Array<float>& back_value() const { return symmetric ? value : transposed_value; }
};
// REQUIRES: values (nnz, K).
Operator make_operator(Csr pattern, Array<float> values, int64_t count = 1);

// (n, K d): the K products A_k x side by side, in one pass over the pattern; x is (n, d).
// The operator must live as long as the step; so must patterns below.
template <class T>
Var<T> spmm(const Operator& a, Var<T> x);

// (n, d): A left + right + bias, where x (n, 2 d) is [left | right]: the messages of the neighbours
// and the node's own, from one product with both weights. K = 1; the bias (1, d) may have no rows.
template <class T>
Var<T> spmm_plus_self(const Operator& a, Var<T> x, Var<T> bias);

// spmm with values (nnz, K) that may learn. x is (n, d): result [A_1 x | ... | A_K x].
template <class T>
Var<T> spmm(const Pattern& pattern, Var<T> values, Var<T> x);
// K heads: x is (n, K d), matrix k multiplies the k-th d columns.
template <class T>
Var<T> spmm_heads(const Pattern& pattern, Var<T> values, Var<T> x);

// Like spmm with max for Σ, column by column: max over the non-zeros i of row r with value_k != 0
// of value_k x[i]; 0 where there is none. Of equal ones the first gets the gradient.
template <class T>
Var<T> spmm_max(const Pattern& pattern, Var<T> values, Var<T> x);

// Column by column the largest x[i] over the non-zeros i of row r; 0 where there are none. Of equal
// ones the first gets the gradient.
template <class T>
Var<T> neighbour_max(const Pattern& pattern, Var<T> x);

// (nnz, d): left[r] + right[c] for every non-zero (r, c). Attention scores are made of this.
template <class T>
Var<T> edge_add(const Pattern& pattern, Var<T> left, Var<T> right);
// (nnz, 1): left[r] · right[c].
template <class T>
Var<T> edge_dot(const Pattern& pattern, Var<T> left, Var<T> right);

// ---- K matrices that share a pattern

// K matrices of which many are equal up to a factor: only products with the D distinct ones are
// computed.
struct BundleMap {
  int64_t distinct = 0;        // D
  std::vector<int32_t> index;  // (K) product k is distinct product index[k]; -1: matrix k is zero
  std::vector<float> factor;   // (K) ... times factor[k]
  int64_t size() const { return int64_t(index.size()); }
};

// ---- sparse input features times a dense weight

// Bag-of-words features are nearly all zeros, and a zero stays zero under dropout: only the
// non-zeros are stored, multiplied and dropped.
struct SparseFeatures {
  Csr pattern;  // (n, features)
  Array<float> value;
  Csr transposed;
  Array<float> transposed_value;
  Array<Offset> place;  // non-zero e of `transposed` is non-zero place[e] of `pattern`
  // Where rows are divided among ranks.
  Offset first_nonzero = 0;     // number in the whole of this rank's first
  Offset nonzeros_of_all = -1;  // of all ranks; -1: all are here
};
SparseFeatures make_sparse_features(SparseMatrix features);

// X W, (n, d), with dropout of probability p on X in training. `x` lives as long as the step.
template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, double p = 0);

// The same for `modules` networks side by side, each with a mask of its own; weight is
// (features, modules d), and the k-th d columns of the result are those of module k.
template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, int64_t modules, double p);

// M neighbour + X self, where row r of M is, column by column, the maximum of the rows of X that row r
// of `pattern` lists (0 for an empty row). Dropout and modules as above; M is never stored.
template <class T>
Var<T> sparse_features_max_times(const Pattern& pattern, const SparseFeatures& x, Var<T> neighbour,
                                 Var<T> self, int64_t modules = 1, double p = 0);

// ---- sums, means, maxima and softmax over runs of rows: the nodes of a graph, the edges of a node

// `start` (segments + 1) ascends from 0 to x.rows; segment s is rows start[s] .. start[s + 1] - 1,
// as in Csr::start. It must live as long as the step. Results of the first three: (segments, cols),
// 0 for an empty segment.
template <class T>
Var<T> segment_sum(Var<T> x, std::span<const Offset> start);
template <class T>
Var<T> segment_mean(Var<T> x, std::span<const Offset> start);
// Of equal elements the first gets the gradient.
template <class T>
Var<T> segment_max(Var<T> x, std::span<const Offset> start);

// Softmax down each column of each segment; shape of x. Elements whose `mask` is 0 take no part
// and get 0; an empty mask (rows * cols otherwise) hides none.
template <class T>
Var<T> segment_softmax(Var<T> x, std::span<const Offset> start, std::span<const float> mask = {});

// ---- attention of several heads over neighbours, from the scores to the activation

struct AttentionOptions {
  int64_t heads = 1;  // K
  double slope = 0.2;
  double dropout = 0;  // on α
};

// (n, K d). Of each head: elu(Σ_j α_ij x_j + bias) over the non-zeros j of row i, where α_ij is the
// softmax along the row of leaky_relu(target · x_i + source · x_j, slope). x is (n, K d); target,
// source and bias are (1, K d). What block_dot, edge_add, leaky_relu, segment_softmax, dropout,
// spmm_heads, add_bias and elu give, in one pass over the pattern forward and two back.
template <class T>
Var<T> attend(const Pattern& pattern, Var<T> x, Var<T> target, Var<T> source, Var<T> bias,
              const AttentionOptions& options);

// ---- normalisation of activations

// Running statistics of a batch norm, kept with the weights: both (1, cols), learns = false, at
// first 0 and 1.
template <class T>
struct RunningStatistics {
  T* mean;
  T* variance;
};

// gamma (x - mean) / √(variance + eps) + beta, column by column; gamma and beta are (1, cols).
// Training: with the mean and variance of these rows, which also move the running ones by
// `momentum` (the variance without bias). Evaluation: with the running ones.
template <class T>
Var<T> batch_norm(Var<T> x, Var<T> gamma, Var<T> beta, RunningStatistics<T> running,
                  double momentum = 0.1, double eps = 1e-5);

// ---- losses; all results are (1, 1) unless said otherwise

// Row by row, shape of x.
template <class T>
Var<T> log_softmax(Var<T> x);
template <class T>
Var<T> softmax(Var<T> x);

// Mean over `rows` of -log softmax(logits[r])[labels[r]]; 0 for no rows. `labels` has a class for
// every row of logits; those of other rows are not looked at. With a `class_weight` (cols), all
// positive, the mean is weighted by that of each row's label, as in PyTorch. All must live as long as
// the step. Throws Error if a row or its label is out of range.
template <class T>
Var<T> cross_entropy(Var<T> logits, std::span<const int32_t> labels, std::span<const NodeId> rows,
                     std::span<const float> class_weight = {});

// Mean over all elements of -w t log s(x) - (1 - t) log(1 - s(x)), s the sigmoid, w the weight of
// positives; computed without overflow. `target` lives as long as the step.
template <class T>
Var<T> binary_cross_entropy(Var<T> logits, std::span<const float> target,
                            double positive_weight = 1);

// Mean over `rows` and all columns of (out - target)²; 0 for no rows. `target` has the layout of out;
// elements of other rows are not read. Both spans must live as long as the step. Throws Error if the
// sizes differ or a row is out of range.
template <class T>
Var<T> squared_error(Var<T> out, std::span<const float> target, std::span<const NodeId> rows);

// The same of the Huber loss of d = out - target: d²/2 where |d| <= delta, else
// delta (|d| - delta/2). Throws Error also if delta is not positive.
template <class T>
Var<T> huber(Var<T> out, std::span<const float> target, std::span<const NodeId> rows,
             double delta = 1);

// Mean over rows of the divergence of N(mean, e^(2 log_sigma)) from N(0, 1):
// -½ Σ_c (1 + 2 log_sigma - mean² - e^(2 log_sigma)).
template <class T>
Var<T> kl_normal(Var<T> mean, Var<T> log_sigma);

}  // namespace mgnn
