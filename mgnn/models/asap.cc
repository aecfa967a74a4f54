// ASAP: every node is the centre of a cluster of itself and its in-neighbours; keeps the
// top-scoring clusters.
//
//   m_i  = W max_{j in N(i), i} h_j                         query of cluster i
//   α_ij = softmax over j of leaky_relu(a_1 · m_i + a_2 · h_j + b)
//   c_i  = Σ_j α_ij h_j
//   φ_i  = sigmoid(Σ_j w_ij (c_j · u_1 + b_1 - c_i · u_2) + c_i · u_3 + b_3)
//   H'   = (c ∘ φ)[top],   B' = R B Rᵀ without its diagonal,   R = α[top, :]
//
// with B the adjacency matrix with self loops and weights w, and the top ceil(ratio n) fitness
// scores φ of each graph. B' is a product of sparse matrices with gradients of their values. The network around it: pooling.h.
//
// Ranjan, Sanyal, Talukdar. "ASAP: adaptive structure aware pooling", AAAI 2020.

#include "mgnn/models/methods.h"
#include "mgnn/models/pooling.h"

namespace mgnn {
namespace {

template <class T>
struct SparseVar {
  const Pattern* pattern;
  Var<T> value;  // (nnz, 1)
};

// The pattern of a b: every place that a pair of non-zeros contributes to.
Csr product_pattern(const Csr& a, const Csr& b) {
  Csr c{a.rows, b.cols, Array<Offset>(size_t(a.rows) + 1, 0), {}};
  std::vector<NodeId> row, seen(size_t(b.cols), -1);
  for (NodeId i = 0; i < a.rows; i++) {
    row.clear();
    for (const NodeId j : a.row(i))
      for (const NodeId k : b.row(j))
        if (std::exchange(seen[k], i) != i) row.push_back(k);
    std::sort(row.begin(), row.end());
    c.index.insert(c.index.end(), row.begin(), row.end());
    c.start[i + 1] = Offset(c.index.size());
  }
  return c;
}

// each(e of a, f of b, g of c) for every term c_g += a_e b_f.
template <class Each>
void for_each_term(const Csr& a, const Csr& b, const Csr& c, Each each) {
  std::vector<Offset> place(size_t(c.cols));
  for (NodeId i = 0; i < a.rows; i++) {
    for (Offset g = c.start[i]; g < c.start[i + 1]; g++) place[c.index[g]] = g;
    for (Offset e = a.start[i]; e < a.start[i + 1]; e++)
      for (Offset f = b.start[a.index[e]]; f < b.start[a.index[e] + 1]; f++)
        each(e, f, place[b.index[f]]);
  }
}

template <class T>
SparseVar<T> sparse_product(Step<T>& step, SparseVar<T> a, SparseVar<T> b) {
  const Csr &pa = a.pattern->rows, &pb = b.pattern->rows;
  const Pattern& pc = step.keep(make_pattern(product_pattern(pa, pb)));
  const Var<T> c = step.tape.make(pc.rows.nnz(), 1, a.value.learns() || b.value.learns());
  std::fill_n(c.value, c.size(), T(0));
  for_each_term(pa, pb, pc.rows, [&](Offset e, Offset f, Offset g) {
    c.value[g] += a.value.value[e] * b.value.value[f];
  });
  step.tape.on_backward(c, [=, &pa, &pb, &pc] {
    const T* dc = c.grad();
    T* const da = a.value.learns() ? a.value.grad_to_add() : nullptr;
    T* const db = b.value.learns() ? b.value.grad_to_add() : nullptr;
    for_each_term(pa, pb, pc.rows, [&](Offset e, Offset f, Offset g) {
      if (da) da[e] += dc[g] * b.value.value[f];
      if (db) db[f] += dc[g] * a.value.value[e];
    });
  });
  return {&pc, c};
}

// Some of the non-zeros: those of `place`.
template <class T>
SparseVar<T> selected(Step<T>& step, SparseVar<T> from, Csr pattern,
                      const std::vector<NodeId>& place) {
  const std::span<NodeId> index = scratch<NodeId>(step, int64_t(place.size()));
  std::copy(place.begin(), place.end(), index.begin());
  return {&step.keep(make_pattern(std::move(pattern))), gather_rows<T>(from.value, index)};
}

template <class T>
SparseVar<T> selected_rows(Step<T>& step, SparseVar<T> from, std::span<const NodeId> rows) {
  const Csr& p = from.pattern->rows;
  Csr part{NodeId(rows.size()), p.cols, {0}, {}};
  std::vector<NodeId> place;
  for (const NodeId r : rows) {
    for (Offset e = p.start[r]; e < p.start[r + 1]; e++) {
      part.index.push_back(p.index[e]);
      place.push_back(NodeId(e));
    }
    part.start.push_back(Offset(part.index.size()));
  }
  return selected(step, from, std::move(part), place);
}

template <class T>
SparseVar<T> transposed(Step<T>& step, SparseVar<T> from) {
  const std::vector<NodeId> place(from.pattern->place.begin(), from.pattern->place.end());
  return selected(step, from, from.pattern->columns, place);
}

template <class T>
SparseVar<T> without_diagonal(Step<T>& step, SparseVar<T> from) {
  const Csr& p = from.pattern->rows;
  Csr part{p.rows, p.cols, {0}, {}};
  std::vector<NodeId> place;
  for (NodeId r = 0; r < p.rows; r++) {
    for (Offset e = p.start[r]; e < p.start[r + 1]; e++)
      if (p.index[e] != r) {
        part.index.push_back(p.index[e]);
        place.push_back(NodeId(e));
      }
    part.start.push_back(Offset(part.index.size()));
  }
  return selected(step, from, std::move(part), place);
}

// The adjacency matrix of a level with a self loop of weight 1 at every node that has none.
template <class T>
SparseVar<T> with_loops(Step<T>& step, const PoolLevel<T>& level) {
  const Csr& p = level.neighbours(step).rows;
  Csr whole{p.rows, p.cols, {0}, {}};
  std::vector<NodeId> place;  // in the weights, which a 1 follows
  for (NodeId r = 0; r < p.rows; r++) {
    bool has_loop = false;
    const auto loop = [&] {
      whole.index.push_back(r);
      place.push_back(NodeId(p.nnz()));
      has_loop = true;
    };
    for (Offset e = p.start[r]; e < p.start[r + 1]; e++) {
      if (p.index[e] > r && !has_loop) loop();
      has_loop |= p.index[e] == r;
      whole.index.push_back(p.index[e]);
      place.push_back(NodeId(e));
    }
    if (!has_loop) loop();
    whole.start.push_back(Offset(whole.index.size()));
  }
  const Var<T> ones = step.tape.make_constant(p.nnz() + 1, 1);
  std::fill_n(ones.value, ones.size(), T(1));
  Var<T> weight = ones;
  if (level.weight.tape) {
    Var<T> one = ones;
    one.rows = 1;
    const Var<T> both[] = {level.weight, one};
    weight = concat_rows<T>(both);
  }
  return selected(step, SparseVar<T>{nullptr, weight}, std::move(whole), place);
}

class Asap {
 public:
  Options options(PoolOptions& o) {
    return {option("ratio", o.ratio, "share of the clusters of each graph that are kept"),
            option("attention_dropout", dropout_, "dropout on the attention coefficients")};
  }

  void build(int64_t width, const std::string& name, Parameters& weights, Rng& rng) {
    check_probability("attention_dropout", dropout_);
    const InitOptions half{.kind = Init::linear, .fan = 2 * width};
    const auto linear = [&](const char* part, int64_t out, const LinearOptions& options = {}) {
      return make_linear(name + part, width, out, weights, rng, options);
    };
    weights_.push_back({.query = linear(".query", width),
                        .target = weights.add(name + ".attention.target", width, 1, half, rng),
                        .source = weights.add(name + ".attention.source", width, 1, half, rng),
                        .bias = weights.add(name + ".attention.bias", 1, 1, half, rng),
                        .neighbour = linear(".fitness.neighbour", 1),
                        .centre = linear(".fitness.centre", 1, {.bias = false}),
                        .root = linear(".fitness.root", 1)});
  }

  template <class T>
  PoolLevel<T> pool(Step<T>& step, size_t which, const PoolLevel<T>& level,
                    const PoolOptions& o) const {
    const Weights& w = weights_[which];
    const SparseVar<T> b = with_loops(step, level);
    const Pattern& neighbours = *b.pattern;
    const Var<T> query = apply(step, w.query, neighbour_max(neighbours, level.h));
    const Var<T> score =
        edge_add(neighbours, add_bias(matmul(query, step.weight(w.target)), step.weight(w.bias)),
                 matmul(level.h, step.weight(w.source)));
    const Var<T> alpha =
        dropout(segment_softmax<T>(leaky_relu(score, kSlope), neighbours.rows.start), dropout_);
    const Var<T> c = spmm(neighbours, alpha, level.h);

    const Var<T> sum = spmm(neighbours, b.value, apply(step, w.neighbour, c));
    const Var<T> centre =
        mul(apply(step, w.centre, c), segment_sum<T>(b.value, neighbours.rows.start));
    const Var<T> fitness = sigmoid(add(sub(sum, centre), apply(step, w.root, c)));
    const auto kept_nodes = top_rows<T>(step, fitness.value, level.graph_start, o.ratio);

    const SparseVar<T> r = selected_rows(step, SparseVar<T>{&neighbours, alpha}, kept_nodes);
    const SparseVar<T> coarse = without_diagonal(
        step, sparse_product(step, sparse_product(step, r, b), transposed(step, r)));
    return {gather_rows(scale_rows(c, fitness), kept_nodes), coarse.pattern, coarse.value,
            kept_graph_start(step, kept_nodes, level.graph_start)};
  }

 private:
  static constexpr double kSlope = 0.2;
  struct Weights {
    Linear query;                    // W (d, d)
    Parameter target, source;        // a_1, a_2 (d, 1)
    Parameter bias;                  // b (1, 1)
    Linear neighbour, centre, root;  // u_1, u_2, u_3 (d, 1)
  };

  double dropout_ = 0;
  std::vector<Weights> weights_;
};

}  // namespace

std::unique_ptr<Model> make_asap() { return make_model<PoolingNetwork<Asap>>(); }

}  // namespace mgnn
