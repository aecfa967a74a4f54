// A network whose weights a test sets by name, to be given any data.
#pragma once

#include <gtest/gtest.h>

#include "mgnn/tensor/optimiser.h"
#include "tests/models/network.h"
#include "tests/tensor/gradient.h"

namespace mgnn::testing {

inline Graph undirected(NodeId nodes, Array<Edge> edges) {
  const size_t count = edges.size();
  for (size_t i = 0; i < count; i++) edges.push_back({edges[i].to, edges[i].from});
  return make_graph(nodes, std::move(edges));
}

inline SparseFeatures sparse_of(const Matrix& x) {
  SparseMatrix sparse{{NodeId(x.rows), NodeId(x.cols), {0}, {}}, {}};
  for (int64_t r = 0; r < x.rows; r++) {
    for (int64_t c = 0; c < x.cols; c++)
      if (x(r, c) != 0) {
        sparse.pattern.index.push_back(NodeId(c));
        sparse.value.push_back(x(r, c));
      }
    sparse.pattern.start.push_back(Offset(sparse.pattern.index.size()));
  }
  return make_sparse_features(std::move(sparse));
}

// Built in float, run in any scalar.
struct Built {
  std::unique_ptr<Model> model;
  Parameters weights;
  Shape shape;

  Built(std::string_view method, Shape of, const std::vector<std::string>& settings = {},
        uint64_t seed = 1)
      : model(make_network(std::string(method), settings)), shape(of) {
    Rng rng(seed);
    model->build(shape, weights, rng);
  }

  Batch batch(const Graph& graph, std::variant<Matrix, SparseFeatures> x,
              Array<Offset> graph_start = {}) const {
    Batch made = make_batch(*model, graph, Matrix(), std::move(graph_start));
    made.x = std::move(x);
    return made;
  }

  const NamedParameter& parameter(std::string_view name) const {
    for (const NamedParameter& p : weights.all)
      if (p.name == name) return p;
    throw std::runtime_error("no weight " + std::string(name));
  }
  // Sets a weight, row by row.
  void set(std::string_view name, const std::vector<float>& values) {
    const NamedParameter& p = parameter(name);
    ASSERT_EQ(int64_t(values.size()), p.size()) << name;
    std::copy(values.begin(), values.end(), weights.value_of(p));
  }
  void set_all(std::string_view name, float value) {
    const NamedParameter& p = parameter(name);
    std::fill_n(weights.value_of(p), p.size(), value);
  }
  void set_identity(std::string_view name) {
    const NamedParameter& p = parameter(name);
    for (int64_t i = 0; i < p.size(); i++) weights.value_of(p)[i] = i / p.cols == i % p.cols;
  }

  template <class Use>
  void evaluate(const Batch& data, Use use) const {
    ParametersOf<double> as_double = converted<double>(weights);
    Tape<double> tape;
    tape.start_evaluation();
    Step<double> step(tape, as_double, data);
    use(model->forward(step));
  }
  MatrixOf<double> out(const Batch& data) const {
    MatrixOf<double> copy;
    evaluate(data, [&](const Output<double>& o) { copy = copied(o.out); });
    return copy;
  }
  MatrixOf<double> representation(const Batch& data) const {
    MatrixOf<double> copy;
    evaluate(data, [&](const Output<double>& o) { copy = copied(o.representation); });
    return copy;
  }
  static MatrixOf<double> copied(const Var<double>& v) {
    MatrixOf<double> m(v.rows, v.cols);
    std::copy_n(v.value, v.size(), m.data.begin());
    return m;
  }
};

inline void expect_near(const MatrixOf<double>& a, const MatrixOf<double>& b, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(a.rows, b.rows) << what;
  ASSERT_EQ(a.cols, b.cols) << what;
  for (size_t i = 0; i < a.data.size(); i++)
    ASSERT_NEAR(a.data[i], b.data[i], tolerance * std::max(1., std::abs(b.data[i])))
        << what << ", element " << i;
}

}  // namespace mgnn::testing
