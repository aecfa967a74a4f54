// Small networks on small graphs, for tests.
#pragma once

#include "mgnn/models/model.h"
#include "tests/util.h"

namespace mgnn::testing {

inline Matrix random_features(NodeId nodes, int64_t columns, uint64_t seed) {
  Matrix x(nodes, columns);
  Rng rng(seed);
  for (float& v : x.data) v = float(rng.normal());
  return x;
}

inline std::unique_ptr<Model> make_network(const std::string& method,
                                           const std::vector<std::string>& settings = {}) {
  std::unique_ptr<Model> model = find_method(method).make();
  const Options options = model->options();
  for (const std::string& one : settings) set_option(options, one);
  return model;
}

inline Batch make_batch(const Model& model, const Graph& graph, Matrix x,
                        Array<Offset> graph_start = {}) {
  Batch batch;
  batch.num_nodes = graph.num_nodes();
  batch.x = std::move(x);
  batch.operators = model.operators(graph);
  batch.graph_start =
      graph_start.empty() ? Array<Offset>{0, Offset(graph.num_nodes())} : std::move(graph_start);
  return batch;
}

// A network that is built, in double, with its data.
struct Network {
  std::unique_ptr<Model> model;
  ParametersOf<double> weights;
  Batch batch;

  Network(const std::string& method, const std::vector<std::string>& settings, const Graph& graph,
          const Matrix& x, int64_t out, Level level = Level::node, Array<Offset> graph_start = {})
      : model(make_network(method, settings)) {
    Parameters made;
    Rng rng(5);
    model->build({x.cols, out, level}, made, rng);
    weights = converted<double>(made);
    batch = make_batch(*model, graph, x, std::move(graph_start));
  }

  MatrixOf<double> output() {
    Tape<double> tape;
    tape.start_evaluation();
    Step<double> step(tape, weights, batch);
    return copied(model->forward(step).out);
  }

  // Output in training, and the gradients of Σ c out, c fixed and random, in weights.grad.
  MatrixOf<double> output_and_gradient(bool training = true) {
    Tape<double> tape(3);
    tape.start_training(2);
    tape.set_training(training);
    weights.zero_grad();
    Step<double> step(tape, weights, batch);
    const Var<double> out = model->forward(step).out;
    MatrixOf<double> c(out.rows, out.cols);
    Rng rng(11);
    for (double& v : c.data) v = rng.normal();
    const Var<double> loss = sum(mul(out, tape.constant(c)));
    loss_ = loss(0, 0);
    tape.backward(loss);
    return copied(out);
  }
  double loss() const { return loss_; }

 private:
  static MatrixOf<double> copied(Var<double> x) {
    MatrixOf<double> m(x.rows, x.cols);
    std::copy_n(x.value, x.size(), m.data.begin());
    return m;
  }
  double loss_ = 0;
};

}  // namespace mgnn::testing
