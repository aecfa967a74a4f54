// Masked products, C<M> = X Y over (plus, pair), then sums with transposes where the closed form
// has them; M1 to M7 with X = A:
//   M1 sym((XX)∘Xᵀ)   M2 sym((BX)∘Xᵀ + (XB)∘Xᵀ + (XX)∘B)   M3 sym((BB)∘X + (BX)∘B + (XB)∘B)
//   M4 (BB)∘B   M5 sym((XX)∘X + (XXᵀ)∘X + (XᵀX)∘X)
//   M6 (XB)∘X + (BXᵀ)∘Xᵀ + (XᵀX)∘B   M7 (XᵀB)∘Xᵀ + (BX)∘X + (XXᵀ)∘B
// Products that several motifs need are computed once.

#include "bench/graphblas_motifs.h"

#include <cassert>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

extern "C" {  // missing in the header
#include <GraphBLAS.h>
}

namespace mgnn::bench {
namespace {

void need(GrB_Info info) {
  if (info == GrB_SUCCESS) return;
  std::fprintf(stderr, "GraphBLAS: error %d\n", int(info));
  std::exit(1);
}

GrB_Matrix empty(GrB_Index n) {
  GrB_Matrix m;
  need(GrB_Matrix_new(&m, GrB_INT64, n, n));
  return m;
}

}  // namespace

struct GraphBlasMotifs::Matrices {
  GrB_Index n;
  GrB_Matrix x, t, b;  // A, its transpose, its mutual part

  GrB_Matrix product(GrB_Matrix left, GrB_Matrix right, GrB_Matrix mask) const {
    GrB_Matrix c = empty(n);
    need(GrB_mxm(c, mask, GrB_NULL, GxB_PLUS_PAIR_INT64, left, right, GrB_DESC_S));
    return c;
  }
  // Sum of the matrices, plus its transpose if `symmetric`; then the sum of its entries.
  int64_t total(std::initializer_list<GrB_Matrix> parts, bool symmetric) const {
    GrB_Matrix c = empty(n);
    for (GrB_Matrix part : parts)
      need(GrB_Matrix_eWiseAdd_BinaryOp(c, GrB_NULL, GrB_NULL, GrB_PLUS_INT64, c, part, GrB_NULL));
    if (symmetric)
      need(GrB_Matrix_eWiseAdd_BinaryOp(c, GrB_NULL, GrB_NULL, GrB_PLUS_INT64, c, c, GrB_DESC_T1));
    int64_t sum = 0;
    need(GrB_Matrix_reduce_INT64(&sum, GrB_NULL, GrB_PLUS_MONOID_INT64, c, GrB_NULL));
    GrB_Matrix_free(&c);
    return sum;
  }
};

GraphBlasMotifs::GraphBlasMotifs(const Graph& graph, int threads) : matrices_(new Matrices) {
  static const bool started = [] {
    need(GrB_init(GrB_NONBLOCKING));
    return true;
  }();
  (void)started;
  need(GxB_Global_Option_set_INT32(GxB_Option_Field(GxB_NTHREADS), threads));
  Matrices& m = *matrices_;
  m.n = GrB_Index(graph.num_nodes());
  m.x = empty(m.n), m.t = empty(m.n), m.b = empty(m.n);
  std::vector<GrB_Index> row, column;
  for (const Edge& e : arcs(graph))
    row.push_back(GrB_Index(e.from)), column.push_back(GrB_Index(e.to));
  const std::vector<int64_t> ones(row.size(), 1);
  need(GrB_Matrix_build_INT64(m.x, row.data(), column.data(), ones.data(), row.size(),
                              GrB_PLUS_INT64));
  need(GrB_transpose(m.t, GrB_NULL, GrB_NULL, m.x, GrB_NULL));
  need(GrB_Matrix_eWiseMult_BinaryOp(m.b, GrB_NULL, GrB_NULL, GrB_TIMES_INT64, m.x, m.t, GrB_NULL));
  for (GrB_Matrix* each : {&m.x, &m.t, &m.b}) need(GrB_Matrix_wait(*each, GrB_MATERIALIZE));
}

GraphBlasMotifs::~GraphBlasMotifs() {
  for (GrB_Matrix* each : {&matrices_->x, &matrices_->t, &matrices_->b}) GrB_Matrix_free(each);
  delete matrices_;
}

void GraphBlasMotifs::count(int64_t sums[7]) const {
  const Matrices& m = *matrices_;
  const GrB_Matrix x = m.x, t = m.t, b = m.b;
  enum {
    xx_t,
    bx_t,
    xb_t,
    xx_b,
    bb_x,
    bx_b,
    xb_b,
    bb_b,
    xx_x,
    xt_x,
    tx_x,
    xb_x,
    bt_t,
    tx_b,
    tb_t,
    bx_x,
    xt_b
  };
  std::vector<GrB_Matrix> p = {m.product(x, x, t), m.product(b, x, t), m.product(x, b, t),
                               m.product(x, x, b), m.product(b, b, x), m.product(b, x, b),
                               m.product(x, b, b), m.product(b, b, b), m.product(x, x, x),
                               m.product(x, t, x), m.product(t, x, x), m.product(x, b, x),
                               m.product(b, t, t), m.product(t, x, b), m.product(t, b, t),
                               m.product(b, x, x), m.product(x, t, b)};
  sums[0] = m.total({p[xx_t]}, true);
  sums[1] = m.total({p[bx_t], p[xb_t], p[xx_b]}, true);
  sums[2] = m.total({p[bb_x], p[bx_b], p[xb_b]}, true);
  sums[3] = m.total({p[bb_b]}, false);
  sums[4] = m.total({p[xx_x], p[xt_x], p[tx_x]}, true);
  sums[5] = m.total({p[xb_x], p[bt_t], p[tx_b]}, false);
  sums[6] = m.total({p[tb_t], p[bx_x], p[xt_b]}, false);
  for (GrB_Matrix& each : p) GrB_Matrix_free(&each);
}

}  // namespace mgnn::bench
