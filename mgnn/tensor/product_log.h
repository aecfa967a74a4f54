// Which sparse matrices were multiplied by on a tape: what an explanation takes its shares of arcs from.
#pragma once

#include <vector>

#include "mgnn/tensor/ops.h"

namespace mgnn {

// y = [A_1 x | … | A_K x] on one pattern; with heads, A_k multiplies the k-th columns of x alone. Where x
// is wider than one product needs, as of spmm_plus_self, its first columns are multiplied.
template <class T>
struct SparseProduct {
  const Csr* pattern = nullptr;
  const float* fixed = nullptr;  // (nnz, K), or
  const T* values = nullptr;     // (nnz, K) on the tape
  int64_t count = 1;             // K
  bool heads = false;
  Var<T> x, y;

  int64_t width() const { return y.cols / count; }
  double value(Offset e, int64_t k) const {
    return fixed ? double(fixed[e * count + k]) : double(values[e * count + k]);
  }
};

// While it lives, this thread appends its products to `products`.
template <class T>
class ProductLogScope {
 public:
  explicit ProductLogScope(std::vector<SparseProduct<T>>& products) : outer_(log_) {
    log_ = &products;
  }
  ~ProductLogScope() { log_ = outer_; }
  ProductLogScope(const ProductLogScope&) = delete;
  ProductLogScope& operator=(const ProductLogScope&) = delete;

  static std::vector<SparseProduct<T>>* current() { return log_; }

 private:
  inline static thread_local std::vector<SparseProduct<T>>* log_ = nullptr;
  std::vector<SparseProduct<T>>* const outer_;
};

template <class T>
void log_product(const SparseProduct<T>& product) {
  if (auto* log = ProductLogScope<T>::current()) log->push_back(product);
}

}  // namespace mgnn
