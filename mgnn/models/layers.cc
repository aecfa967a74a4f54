#include "mgnn/models/layers.h"

namespace mgnn {

template <class T>
Input<T> features_of(Step<T>& step, double dropout) {
  if (step.input.tape) return {.dense = step.input, .dropout = dropout};
  if (step.sparse_input) return {.sparse = step.sparse_input, .dropout = dropout};
  const Batch& batch = step.batch;
  if (const auto* sparse = std::get_if<SparseFeatures>(&batch.x))
    return {.sparse = sparse, .dropout = dropout};
  const Matrix& dense = std::get<Matrix>(batch.x);
  return {.dense = constant_of(step, dense.rows, dense.cols, dense.data), .dropout = dropout};
}

template <class T>
Var<T> times(const Input<T>& x, Var<T> w) {
  if (x.sparse) return sparse_features_times(*x.sparse, w, x.dropout);
  return dropout_matmul(x.dense, w, x.dropout);
}

template <class T>
Var<T> times_weight(Step<T>& step, const Input<T>& x, const Parameter& weight) {
  return step.reuse_across_passes(x.deterministic(), [&] { return times(x, step.weight(weight)); });
}

Linear make_linear(const std::string& name, int64_t in, int64_t out, Parameters& weights, Rng& rng,
                   const LinearOptions& options) {
  Linear layer{weights.add(name + ".weight", in, out, options.init, rng), {}};
  if (!options.bias) return layer;
  const bool linear = options.init.kind == Init::linear;
  const InitOptions init =
      linear ? InitOptions{.kind = Init::linear, .fan = in} : InitOptions{.kind = Init::zeros};
  layer.bias = weights.add(name + ".bias", 1, out, init, rng);
  return layer;
}

template <class T>
Var<T> apply(Step<T>& step, const Linear& layer, Var<T> x, double p) {
  return finish(step, layer, dropout_matmul(x, step.weight(layer.weight), p));
}

template <class T>
Var<T> finish(Step<T>& step, const Linear& layer, Var<T> product, Activation activation) {
  if (layer.bias.rows == 0) return activation == Activation::relu ? relu(product) : product;
  return add_bias_in_place(product, step.weight(layer.bias), activation);
}

BatchNorm make_batch_norm(const std::string& name, int64_t cols, Parameters& weights, Rng& rng) {
  const auto add = [&](const char* part, InitOptions init) {
    return weights.add(name + part, 1, cols, init, rng);
  };
  return {.weight = add(".weight", {.kind = Init::ones}),
          .bias = add(".bias", {.kind = Init::zeros}),
          .running_mean = add(".running_mean", {.kind = Init::zeros, .learns = false}),
          .running_var = add(".running_var", {.kind = Init::ones, .learns = false})};
}

template <class T>
Var<T> apply(Step<T>& step, const BatchNorm& norm, Var<T> x) {
  return batch_norm(
      x, step.weight(norm.weight), step.weight(norm.bias),
      {step.weights.value_of(norm.running_mean), step.weights.value_of(norm.running_var)});
}

Mlp make_mlp(const std::string& name, int64_t in, int64_t hidden, int64_t out, Parameters& weights,
             Rng& rng) {
  const Linear first = make_linear(name + ".first", in, hidden, weights, rng);
  const BatchNorm norm = make_batch_norm(name + ".norm", hidden, weights, rng);
  return {first, make_linear(name + ".second", hidden, out, weights, rng), norm};
}

template <class T>
Var<T> apply(Step<T>& step, const Mlp& mlp, Var<T> x) {
  return finish(step, mlp, matmul(x, step.weight(mlp.first.weight)));
}

template <class T>
Var<T> finish(Step<T>& step, const Mlp& mlp, Var<T> product) {
  const Var<T> hidden = relu(apply(step, mlp.norm, finish(step, mlp.first, product)));
  return finish(step, mlp.second, matmul(hidden, step.weight(mlp.second.weight)), Activation::relu);
}

Options head_options(HeadOptions& o) {
  return {
      searched(option("dropout", o.dropout, "dropout on the input of every layer but the first"), 0,
               0.8),
      choice("readout", o.readout, "pooling of node representations to graphs"),
      option("jump", o.jump, "graphs: take the outputs of all layers, not of the last alone"),
      option("raw_sums", o.raw_sums, "graphs: add the sums of the features of their nodes"),
      option("graph_norm", o.graph_norm, "graphs: batch norm of graph vectors"),
      choice("head_init", o.init, "initialisation of the output layer")};
}

void check_probability(const char* name, double p) {
  check(p >= 0 && p < 1, "{} is {}; use 0 <= p < 1", name, p);
}

Options stack_options(StackOptions& o) {
  Options options = {
      searched(option("layers", o.layers, "width of every layer"), 1, 3),
      searched(option("input_dropout", o.input_dropout, "dropout on the features"), 0, 0.8)};
  append(options, head_options(o.head));
  return options;
}

void check_stack(const StackOptions& options) {
  check(!options.layers.empty(), "layers is empty; use at least one, as in layers=[16]");
  check_probability("input_dropout", options.input_dropout);
}

namespace {

void check_head(const Shape& shape, const HeadOptions& options, size_t earlier) {
  check_probability("dropout", options.dropout);
  for (const auto& [set, name] : {std::pair{options.jump, "jump"},
                                  {options.raw_sums, "raw_sums"},
                                  {options.graph_norm, "graph_norm"}})
    if (set && shape.level == Level::node)
      fail_usage("{} is for sets of graphs, not for nodes", name);
  if (options.jump && earlier == 0)
    fail_usage(
        "jump takes the outputs of all layers, but this network has one for the head; use "
        "several layers, or a network of plain layers");
}

}  // namespace

Head make_head(const Shape& shape, int64_t width, const HeadOptions& options, Parameters& weights,
               Rng& rng, std::span<const int64_t> earlier) {
  check_head(shape, options, earlier.size());
  Head head{options, shape.level, {}, {}, {}, {}};
  if (shape.level == Level::graph) {
    int64_t columns = width;
    const bool gated = options.readout == Readout::attention;
    if (gated) head.gates.push_back(make_linear("readout", width, 1, weights, rng));
    for (size_t l = 0; options.jump && l < earlier.size(); l++) {
      columns += earlier[l];
      if (gated)
        head.gates.push_back(
            make_linear(fmt::format("readout{}", l + 1), earlier[l], 1, weights, rng));
    }
    if (options.raw_sums) columns += shape.in;
    if (options.graph_norm) head.norm = make_batch_norm("graph_norm", columns, weights, rng);
    head.hidden = make_linear("hidden", columns, width, weights, rng);
  }
  head.output =
      make_linear("output", width, shape.out, weights, rng, {.init = {.kind = options.init}});
  return head;
}

template <class T>
Var<T> read_out(Step<T>& step, Readout readout, const Linear& gate, Var<T> x,
                std::span<const Offset> graph_start) {
  switch (readout) {
    case Readout::sum:
      return segment_sum(x, graph_start);
    case Readout::mean:
      return segment_mean(x, graph_start);
    case Readout::max:
      return segment_max(x, graph_start);
    case Readout::attention:
      break;
  }
  return segment_sum(scale_rows(x, segment_softmax(apply(step, gate, x), graph_start)),
                     graph_start);
}

namespace {

// (graphs, in): of the features of their nodes.
template <class T>
Var<T> sums_of_features(Step<T>& step) {
  const Array<Offset>& start = step.batch.graph_start;
  const Input<T> x = features_of(step);
  if (!x.sparse) return segment_sum<T>(x.dense, start);
  const int64_t graphs = int64_t(start.size()) - 1, columns = x.sparse->pattern.cols;
  Array<float> sums(size_t(graphs * columns), 0.f);
  const Csr& pattern = x.sparse->pattern;
  for (int64_t g = 0; g < graphs; g++)
    for (Offset e = pattern.start[start[g]]; e < pattern.start[start[g + 1]]; e++)
      sums[size_t(g * columns + pattern.index[e])] += x.sparse->value[e];
  return step.tape.converted(graphs, columns, sums.data());
}

template <class T>
Var<T> graph_vectors(Step<T>& step, const Head& head, Var<T> x, std::span<const Var<T>> earlier) {
  const HeadOptions& options = head.options;
  const auto gate = [&](size_t l) { return l < head.gates.size() ? head.gates[l] : Linear{}; };
  std::vector<Var<T>> parts = {read_out(step, options.readout, gate(0), x, step.batch.graph_start)};
  for (size_t l = 0; options.jump && l < earlier.size(); l++)
    parts.push_back(
        read_out(step, options.readout, gate(l + 1), earlier[l], step.batch.graph_start));
  if (options.raw_sums) parts.push_back(sums_of_features(step));
  const Var<T> all = parts.size() == 1 ? parts[0] : concat_columns<T>(parts);
  return options.graph_norm ? apply(step, head.norm, all) : all;
}

}  // namespace

template <class T>
Output<T> apply(Step<T>& step, const Head& head, Var<T> x, std::span<const Var<T>> earlier) {
  const double p = head.options.dropout;
  if (head.level == Level::node) return {x, apply(step, head.output, x, p)};
  const Var<T> graphs = graph_vectors(step, head, x, earlier);
  const Var<T> hidden = relu(apply(step, head.hidden, graphs));
  return {graphs, apply(step, head.output, hidden, p)};
}

#define MGNN_INSTANTIATE(T)                                                                    \
  template Input<T> features_of(Step<T>&, double);                                             \
  template Var<T> times(const Input<T>&, Var<T>);                                              \
  template Var<T> finish(Step<T>&, const Linear&, Var<T>, Activation);                         \
  template Var<T> finish(Step<T>&, const Mlp&, Var<T>);                                        \
  template Var<T> apply(Step<T>&, const Linear&, Var<T>, double);                              \
  template Var<T> times_weight(Step<T>&, const Input<T>&, const Parameter&);                   \
  template Var<T> apply(Step<T>&, const BatchNorm&, Var<T>);                                   \
  template Var<T> apply(Step<T>&, const Mlp&, Var<T>);                                         \
  template Var<T> read_out(Step<T>&, Readout, const Linear&, Var<T>, std::span<const Offset>); \
  template Output<T> apply(Step<T>&, const Head&, Var<T>, std::span<const Var<T>>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
