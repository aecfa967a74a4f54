// Losses; all results are (1, 1) unless said otherwise.
#pragma once

#include <span>

#include "mgnn/tensor/tape.h"

namespace mgnn {

// Row by row, shape of x.
template <class T>
Var<T> log_softmax(Var<T> x);
template <class T>
Var<T> softmax(Var<T> x);

// Mean over `rows` of -log softmax(logits[r])[labels[r]]; 0 for no rows. `labels` has a class for
// every row of logits; those of other rows are not looked at. Both must live as long as the step.
// Throws Error if a row or its label is out of range.
template <class T>
Var<T> cross_entropy(Var<T> logits, std::span<const int32_t> labels, std::span<const NodeId> rows);

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
