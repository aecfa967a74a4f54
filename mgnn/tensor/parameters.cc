#include "mgnn/tensor/parameters.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

// Draws one value of the distribution.
double draw(const InitOptions& init, double in, double out, Rng& rng) {
  const auto uniform = [&](double bound) { return bound * (2 * rng.uniform() - 1); };
  const auto safe = [](double fan) { return std::max(fan, 1.); };
  switch (init.kind) {
    case Init::zeros:
      return 0;
    case Init::ones:
      return 1;
    case Init::constant:
      return init.scale;
    case Init::normal:
      return init.scale * rng.normal();
    case Init::uniform:
      return uniform(init.scale);
    case Init::xavier_uniform:
      return uniform(init.scale * std::sqrt(6 / safe(in + out)));
    case Init::xavier_normal:
      return init.scale * std::sqrt(2 / safe(in + out)) * rng.normal();
    case Init::kaiming_uniform:
      return uniform(init.scale * std::sqrt(6 / safe(in)));
    case Init::linear:
      return uniform(init.scale / std::sqrt(safe(in)));
  }
  return 0;
}

}  // namespace

template <class T>
Parameter ParametersOf<T>::add(std::string_view name, int64_t rows, int64_t cols, InitOptions init,
                               Rng& rng) {
  for (const NamedParameter& p : all)
    check(p.name != name, "there are two parameters with the name {}", in_quotes(name));
  check(rows >= 0 && cols >= 0, "parameter {}: invalid shape ({}, {})", in_quotes(name), rows,
        cols);
  check(all.size() < max_parameters && (rows == 0 || cols <= (max_count - count()) / rows),
        "parameter {} of shape ({}, {}): there are more than the {} weights in {} tensors that are "
        "allowed",
        in_quotes(name), rows, cols, max_count, max_parameters);
  const Parameter place{rows, cols, int64_t(value.size()), init.learns};
  all.push_back({place, std::string(name), init.decay});
  value.resize(size_t(place.at + place.size()));
  grad.resize(value.size(), T(0));
  const double in = double(init.fan > 0 ? init.fan : rows);
  for (int64_t i = 0; i < place.size(); i++)
    value[place.at + i] = T(draw(init, in, double(cols), rng));
  return place;
}

template <class T>
void ParametersOf<T>::zero_grad() {
  std::fill(grad.begin(), grad.end(), T(0));
}

template <class To, class From>
ParametersOf<To> converted(const ParametersOf<From>& from) {
  ParametersOf<To> to;
  to.all = from.all;
  to.value.resize(from.value.size());
  std::transform(from.value.begin(), from.value.end(), to.value.begin(),
                 [](From value) { return To(value); });
  to.grad.assign(from.value.size(), To(0));
  return to;
}

template struct ParametersOf<float>;
template struct ParametersOf<double>;
template ParametersOf<double> converted(const ParametersOf<float>&);
template ParametersOf<float> converted(const ParametersOf<double>&);

}  // namespace mgnn
