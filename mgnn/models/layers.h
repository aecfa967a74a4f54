// Pieces that several networks share.
#pragma once

#include <fmt/format.h>

#include "mgnn/models/model.h"

namespace mgnn {

// ---- input: the features of the batch (maybe sparse), or what a layer gave

template <class T>
struct Input {
  const SparseFeatures* sparse = nullptr;
  Var<T> dense = {};  // if not sparse
  int64_t cols = 0;
};
template <class T>
Input<T> features_of(Step<T>& step);
template <class T>
Input<T> input_of(Var<T> x) {
  return {nullptr, x, x.cols};
}
// dropout(x, p) w
template <class T>
Var<T> times(const Input<T>& x, Var<T> w, double p = 0);
// The same by a weight. `first`: x are the features, whose product an evaluation and a training of
// the same step share where nothing is dropped.
template <class T>
Var<T> times_weight(Step<T>& step, const Input<T>& x, const Parameter& weight, double p,
                    bool first);
// Written out, for networks that need the columns as such.
template <class T>
Var<T> dense_of(Step<T>& step, const Input<T>& x);

// ---- linear layers

struct Linear {
  Parameter weight;  // (in, out)
  Parameter bias;    // (1, out); rows == 0: none
};
// Begins as PyTorch's does, unless told otherwise. Weights are called NAME.weight and NAME.bias.
Linear make_linear(const std::string& name, int64_t in, int64_t out, Parameters& weights, Rng& rng,
                   InitOptions init = {.kind = Init::linear}, bool bias = true);
// Of dropout(x, p).
template <class T>
Var<T> apply(Step<T>& step, const Linear& layer, Var<T> x, double p = 0);
// The same where the product with the weight has just been made, and nobody else uses it; likewise
// below. With `rectify`, relu of that.
template <class T>
Var<T> finish(Step<T>& step, const Linear& layer, Var<T> product, bool rectify = false);

struct BatchNorm {
  Parameter gamma, beta, mean, variance;  // (1, cols)
};
BatchNorm make_batch_norm(const std::string& name, int64_t cols, Parameters& weights, Rng& rng);
template <class T>
Var<T> apply(Step<T>& step, const BatchNorm& norm, Var<T> x);

// linear, batch norm, relu, linear, relu
struct Mlp {
  Linear first, second;
  BatchNorm norm;
};
Mlp make_mlp(const std::string& name, int64_t in, int64_t hidden, int64_t out, Parameters& weights,
             Rng& rng);
template <class T>
Var<T> apply(Step<T>& step, const Mlp& mlp, Var<T> x);
template <class T>
Var<T> finish(Step<T>& step, const Mlp& mlp, Var<T> product);

// ---- from nodes to graphs, and to the output

enum class Readout { sum, mean, max, attention };
const std::vector<std::pair<std::string, Readout>>& readout_names();

// One row for every graph; `gate` (d, 1) is of attention.
template <class T>
Var<T> read_out(Step<T>& step, Readout readout, const Linear& gate, Var<T> x,
                std::span<const Offset> graph_start);

struct HeadOptions {
  double dropout = 0.5;            // before the last linear layer
  Readout readout = Readout::sum;  // of graphs
  Init init = Init::linear;        // of the last linear layer
};
Options head_options(HeadOptions& options);

// Nodes: dropout, linear. Graphs: readout, linear, relu, dropout, linear.
struct Head {
  HeadOptions options;
  Level level = Level::node;
  Linear gate;    // (d, 1), of readout by attention
  Linear hidden;  // of graphs
  Linear last;
};
Head make_head(const Shape& shape, int64_t width, const HeadOptions& options, Parameters& weights,
               Rng& rng);
template <class T>
Output<T> apply(Step<T>& step, const Head& head, Var<T> x);

// ---- layers one after the other, then a head: what most networks are

struct StackOptions {
  std::vector<int64_t> layers = {16};  // width of every layer
  double input_dropout = 0.5;          // on the features
  HeadOptions head = {};               // whose dropout is also that between layers
};
Options stack_options(StackOptions& options);
// Throws Error unless there is a layer and probabilities are such.
void check_stack(const StackOptions& options);

// Adds the weights of the layers, layer make(name, in, width) for each width, and of the head. A
// layer gives `blocks` times its width.
template <class Layer, class Make>
Head build_stack(const Shape& shape, const StackOptions& options, Parameters& weights, Rng& rng,
                 std::vector<Layer>& layers, Make make, int64_t blocks = 1) {
  check_stack(options);
  int64_t in = shape.in;
  for (const int64_t width : options.layers) {
    layers.push_back(make(fmt::format("layer{}", layers.size() + 1), in, width));
    in = blocks * width;
  }
  return make_head(shape, in, options.head, weights, rng);
}

// forward(layer, input, p, first) for each layer, p the dropout on its input; then the head.
template <class T, class Layer, class Forward>
Output<T> run_stack(Step<T>& step, const StackOptions& options, const std::vector<Layer>& layers,
                    const Head& head, Forward forward) {
  Input<T> h = features_of(step);
  double p = options.input_dropout;
  for (const Layer& layer : layers) {
    h = input_of<T>(forward(layer, h, p, &layer == &layers[0]));
    p = options.head.dropout;
  }
  return apply(step, head, h.dense);
}

// Throws Error unless 0 <= p < 1.
void check_probability(const char* name, double p);

// Numbers (rows, cols) of the batch that do not learn.
template <class T>
Var<T> constant_of(Step<T>& step, int64_t rows, int64_t cols, const Array<float>& value) {
  if constexpr (std::is_same_v<T, float>)
    return step.tape.constant(rows, cols, value.data());
  else
    return step.tape.converted(rows, cols, value.data());
}

// An uninitialised array that lives as long as the step.
template <class U, class T>
std::span<U> scratch(Step<T>& step, int64_t size) {
  return {step.tape.arena().template array<U>(size), size_t(size)};
}

}  // namespace mgnn
