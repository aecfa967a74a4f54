// Normalisation of activations.
#pragma once

#include "mgnn/tensor/tape.h"

namespace mgnn {

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

}  // namespace mgnn
