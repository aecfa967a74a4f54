// Gradient checks: backward passes against central differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "mgnn/tensor/ops.h"
#include "tests/util.h"

namespace mgnn::testing {

using Matrices = std::vector<MatrixOf<double>>;
using Vars = std::vector<Var<double>>;
using Function = std::function<Var<double>(Tape<double>&, const Vars&)>;

inline MatrixOf<double> random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  MatrixOf<double> m(rows, cols);
  Rng rng(seed);
  for (double& x : m.data) x = rng.normal();
  return m;
}

// Σ c y with fixed random c: a loss to which every element of y matters differently.
inline Var<double> weighed(Tape<double>& tape, Var<double> y) {
  const MatrixOf<double> c = random_matrix(y.rows, y.cols, 99);
  return sum(mul(y, tape.converted(y.rows, y.cols, c.data.data())));
}

// Checks d weighed(f(inputs)) for every element of every input; `training` as on a tape.
inline void check_gradient(const std::string& name, Matrices inputs, const Function& f,
                           bool training = true) {
  constexpr double h = 1e-5;
  Tape<double> tape(7);
  const auto run = [&](bool backward, Matrices* grads) {
    tape.start_training(3);
    tape.set_training(training);
    Vars vars;
    for (const auto& m : inputs) vars.push_back(tape.leaf(m));
    const Var<double> loss = weighed(tape, f(tape, vars));
    if (backward) {
      tape.backward(loss);
      for (size_t i = 0; i < inputs.size(); i++) {
        MatrixOf<double> g(inputs[i].rows, inputs[i].cols);
        if (vars[i].grad()) std::copy_n(vars[i].grad(), g.data.size(), g.data.begin());
        grads->push_back(std::move(g));
      }
    }
    return *loss.value;
  };
  Matrices grads;
  const double value = run(true, &grads);
  ASSERT_TRUE(std::isfinite(value)) << name;
  for (size_t i = 0; i < inputs.size(); i++)
    for (size_t e = 0; e < inputs[i].data.size(); e++) {
      const double x = inputs[i].data[e];
      inputs[i].data[e] = x + h;
      const double above = run(false, nullptr);
      inputs[i].data[e] = x - h;
      const double below = run(false, nullptr);
      inputs[i].data[e] = x;
      const double slope = (above - below) / (2 * h), g = grads[i].data[e];
      ASSERT_LT(std::abs(slope - g), 1e-6 * std::max({1., std::abs(slope), std::abs(g)}))
          << name << ": input " << i << ", element " << e << ", slope " << slope << ", gradient "
          << g;
    }
}

}  // namespace mgnn::testing
