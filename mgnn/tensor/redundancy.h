// Redundancy minimisation (Δ): the part of each motif's message that the others do not carry.
#pragma once

#include "mgnn/base/names.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {

enum class Gate { sigmoid, tanh };
constexpr auto enum_names(Gate) {
  return std::to_array<Named<Gate>>({{"sigmoid", Gate::sigmoid}, {"tanh", Gate::tanh}});
}

struct RedundancyOptions {
  Gate gate = Gate::sigmoid;
  double weight_dropout = 0;  // on W_f
  double gate_dropout = 0;    // on β
  bool rectify = true;        // false: no relu
};

template <class T>
struct RedundancyWeights {
  Var<T> own;       // W_f (d, d')
  Var<T> own_bias;  // b_f (1, d')
  Var<T> rest;      // (K K d, d'): rows (k K + i) d .. are what g_k does with h_i; with Z for i = k
  Var<T> rest_bias;  // (K, d'): b_fk
};

// (n, K d'): relu(β_k (f_k - g_k)) for all motifs k side by side, where
//   f_k = h_k W_f + b_f,   g_k = Σ_{i != k} h_i rest_ki + Z rest_kk + b_fk,   β_k = s(f_k · g_k).
// h (n, D d) are the distinct representations side by side, z is (n, d). Fused: no intermediate of
// size n stays but g, f and β, and these only where making them again takes longer. `map` lives as
// long as the step.
//
// Random operations, in this order: the mask of W_f, the mask of β as an (n, K) matrix.
template <class T>
Var<T> minimise_redundancy(const BundleMap& map, Var<T> h, Var<T> z,
                           const RedundancyWeights<T>& weights, const RedundancyOptions& options);

template <class T>
struct RedundancyOutput {
  Var<T> result;   // as above; without a tape where not wanted
  Var<T> product;  // (n, c)
};
// The same and dropout(result, p) next, the product with the weight (K d', c) of the layer that
// follows, made while the result is in the cache. Unless `keeps_result`, the result is never
// stored. The mask of the dropout is the last random operation.
template <class T>
RedundancyOutput<T> minimise_redundancy_times(const BundleMap& map, Var<T> h, Var<T> z,
                                              const RedundancyWeights<T>& weights,
                                              const RedundancyOptions& options, Var<T> next,
                                              double p, bool keeps_result);

}  // namespace mgnn
