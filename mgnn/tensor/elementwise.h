// Operations element by element.
#pragma once

#include "mgnn/tensor/tape.h"

namespace mgnn {

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

}  // namespace mgnn
