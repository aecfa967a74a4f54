// Parts that several networks share: linear layers, batch norm, MLP, readout, stacks of layers.
#pragma once

#include <fmt/format.h>

#include "mgnn/models/model.h"

namespace mgnn {

// ---- input of a layer: the features of the batch (maybe sparse), or the output of the layer before

template <class T>
struct Input {
  const SparseFeatures* sparse = nullptr;
  Var<T> dense = {};   // if not sparse
  double dropout = 0;  // probability, to be applied by the layer
  size_t layer = 0;    // number of the layer, from 0

  // Whether it is the same in training and in evaluation mode; see Step::reuse_across_passes.
  bool deterministic() const { return layer == 0 && dropout == 0; }
};
template <class T>
Input<T> features_of(Step<T>& step, double dropout = 0);
// dropout(x) w
template <class T>
Var<T> times(const Input<T>& x, Var<T> w);
// The same; the two passes of a step share the product where it is deterministic.
template <class T>
Var<T> times_weight(Step<T>& step, const Input<T>& x, const Parameter& weight);

// ---- linear layers

struct LinearOptions {
  InitOptions init = {.kind = Init::linear};  // PyTorch's default
  bool bias = true;
};
// Its weights are called NAME.weight and NAME.bias.
Linear make_linear(const std::string& name, int64_t in, int64_t out, Parameters& weights, Rng& rng,
                   const LinearOptions& options = {});
// dropout(x, p) weight + bias
template <class T>
Var<T> apply(Step<T>& step, const Linear& layer, Var<T> x, double p = 0);
// The same where `product` with the weight is there already, and is overwritten; likewise below.
template <class T>
Var<T> finish(Step<T>& step, const Linear& layer, Var<T> product,
              Activation activation = Activation::none);

struct BatchNorm {
  Parameter weight, bias, running_mean, running_var;  // (1, cols)
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
constexpr auto enum_names(Readout) {
  return std::to_array<Named<Readout>>({{"sum", Readout::sum},
                                        {"mean", Readout::mean},
                                        {"max", Readout::max},
                                        {"attention", Readout::attention}});
}

// (graphs, d); `gate` (d, 1) is the score of attention.
template <class T>
Var<T> read_out(Step<T>& step, Readout readout, const Linear& gate, Var<T> x,
                std::span<const Offset> graph_start);

struct HeadOptions {
  double dropout = 0.5;            // on the input of the output layer
  Readout readout = Readout::sum;  // of graphs
  bool jump = false;               // graphs: the vectors of all layers, not of the last alone
  bool raw_sums = false;           // graphs: and the sums of the features of their nodes
  bool graph_norm = false;         // graphs: batch norm of these vectors
  Init init = Init::linear;        // of the output layer
};
Options head_options(HeadOptions& options);

// Nodes: dropout, linear. Graphs: readout [of every layer | and sums of features], [batch norm,]
// linear, relu, dropout, linear.
struct Head {
  HeadOptions options;
  Level level = Level::node;
  std::vector<Linear> gates;  // (d, 1) each, attention readout: of the last layer, then the others
  BatchNorm norm;             // of graph vectors
  Linear hidden;              // (columns of graph vectors, d), graphs
  Linear output;
};
// `earlier`: widths of the layers before the last, of a network that can give their outputs to the head.
// Throws Error (usage) for options of graphs in a network of nodes, and for `jump` without layers before.
Head make_head(const Shape& shape, int64_t width, const HeadOptions& options, Parameters& weights,
               Rng& rng, std::span<const int64_t> earlier = {});
// `earlier`: the outputs of these layers.
template <class T>
Output<T> apply(Step<T>& step, const Head& head, Var<T> x, std::span<const Var<T>> earlier = {});

// ---- layers one after the other, then a head: what most networks are

struct StackOptions {
  std::vector<int64_t> layers = {16};  // width of every layer
  double input_dropout = 0.5;          // on the features
  HeadOptions head = {};               // its dropout is also that between layers
};
Options stack_options(StackOptions& options);
// Throws Error unless there is a layer and probabilities are valid.
void check_stack(const StackOptions& options);

// Adds the weights of the layers, layer make(name, in, width) for each width, and of the head. The
// output of a layer has `blocks` times its width.
template <class Layer, class Make>
Head build_stack(const Shape& shape, const StackOptions& options, Parameters& weights, Rng& rng,
                 std::vector<Layer>& layers, Make make, int64_t blocks = 1) {
  check_stack(options);
  int64_t in = shape.in;
  std::vector<int64_t> earlier;
  for (const int64_t width : options.layers) {
    if (!layers.empty()) earlier.push_back(in);
    layers.push_back(make(fmt::format("layer{}", layers.size() + 1), in, width));
    in = blocks * width;
  }
  return make_head(shape, in, options.head, weights, rng, earlier);
}

// The input of the layer after `x`: of layer number `layer`, which is not the first.
template <class T>
Input<T> next_input(const StackOptions& options, Var<T> x, size_t layer) {
  return {.dense = x, .dropout = options.head.dropout, .layer = layer};
}

// The output of the last layer: forward(layer, input) -> Var<T> for each layer. A network that
// depends on depth or on an earlier layer, such as GCNII, reads input.layer. `earlier`, if set, gets the
// outputs of the layers before the last.
template <class T, class Layer, class Forward>
Input<T> run_layers(Step<T>& step, const StackOptions& options, const std::vector<Layer>& layers,
                    Forward forward, std::vector<Var<T>>* earlier = nullptr) {
  Input<T> h = features_of(step, options.input_dropout);
  for (size_t l = 0; l < layers.size(); l++) {
    if (earlier && l > 0) earlier->push_back(h.dense);
    h = next_input<T>(options, forward(layers[l], h), l + 1);
  }
  return h;
}
// The same, then the head.
template <class T, class Layer, class Forward>
Output<T> run_stack(Step<T>& step, const StackOptions& options, const std::vector<Layer>& layers,
                    const Head& head, Forward forward) {
  std::vector<Var<T>> earlier;
  const Var<T> last = run_layers(step, options, layers, forward, &earlier).dense;
  return apply<T>(step, head, last, earlier);
}

// Throws Error unless 0 <= p < 1.
void check_probability(const char* name, double p);

// Numbers (rows, cols) of the batch, without gradient.
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
