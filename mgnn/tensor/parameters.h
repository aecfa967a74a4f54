// All weights of a model in one flat array, and their gradients in another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/names.h"
#include "mgnn/base/rng.h"
#include "mgnn/base/types.h"

namespace mgnn {

// How a weight of shape (in, out) begins.
enum class Init {
  zeros,
  ones,
  constant,         // `scale`
  normal,           // N(0, scale²)
  uniform,          // in ±scale
  xavier_uniform,   // in ±scale √(6 / (in + out)) (Glorot)
  xavier_normal,    // N(0, scale² 2 / (in + out))
  kaiming_uniform,  // in ±scale √(6 / in) (He)
  linear,           // in ±scale √(1 / in): what PyTorch's Linear begins with, also for its bias
};
// Those that an option can choose; the others need a scale.
constexpr auto enum_names(Init) {
  return std::to_array<Named<Init>>({{"linear", Init::linear},
                                     {"xavier-uniform", Init::xavier_uniform},
                                     {"xavier-normal", Init::xavier_normal},
                                     {"kaiming-uniform", Init::kaiming_uniform},
                                     {"normal", Init::normal},
                                     {"zeros", Init::zeros}});
}

struct InitOptions {
  Init kind = Init::xavier_uniform;
  double scale = 1;    // factor, or the constant itself
  int64_t fan = 0;     // takes the place of `in`; 0: the number of rows
  double decay = 1;    // factor on the optimiser's weight decay
  bool learns = true;  // false: numbers kept with the weights, like running means
};

// A weight's place; the numbers themselves are in a ParametersOf<T>. A model keeps these, and so
// knows nothing of the scalar.
struct Parameter {
  int64_t rows = 0, cols = 0;
  int64_t at = 0;      // of its first element in the flat arrays
  bool learns = true;  // has a gradient, and the optimiser moves it
  int64_t size() const { return rows * cols; }
};

struct NamedParameter : Parameter {
  std::string name;
  double decay = 1;
};

template <class T>
struct ParametersOf {
  std::vector<NamedParameter> all;  // by `at`
  Array<T> value, grad;             // one parameter after the other

  // What `add` refuses to go beyond: a network that is read from a file has no more weights than the
  // file has.
  int64_t max_count = int64_t(1) << 40;  // of numbers
  size_t max_parameters = size_t(1) << 20;

  // Adds a weight with initial values from `rng`; the same for every T up to rounding.
  // Throws Error if the name is taken, or there are more than the limits.
  Parameter add(std::string_view name, int64_t rows, int64_t cols, InitOptions init, Rng& rng);

  int64_t count() const { return int64_t(value.size()); }
  void zero_grad();
  T* value_of(const Parameter& p) { return value.data() + p.at; }
  const T* value_of(const Parameter& p) const { return value.data() + p.at; }
  T* grad_of(const Parameter& p) { return grad.data() + p.at; }
  const T* grad_of(const Parameter& p) const { return grad.data() + p.at; }
};
using Parameters = ParametersOf<float>;

// The same weights in another scalar, gradients zero.
template <class To, class From>
ParametersOf<To> converted(const ParametersOf<From>& from);

}  // namespace mgnn
