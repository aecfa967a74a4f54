// Ensembles of small networks trained jointly: each of 13 modules is a GAT of one head or a
// GraphSAGE of width 16, with weights and dropout masks of its own; their outputs side by side are
// fused by the last linear layer.
//
//   egat  13 GAT,   esage  13 GraphSAGE,   egat+sage  6 GAT and 7 GraphSAGE
//
// Modules share what they read: one product of the features with the weights of all modules, one
// pass over the neighbours for all of them. In a second layer a module is given its own first layer
// only, so that weights there are blocks.
//
// Operators: patterns[0] the messages with loops (GAT), patterns[1] without (GraphSAGE).
//
// Chen et al. "Motif Graph Neural Network", TNNLS 2023, section on ensembles.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct EnsembleOptions {
  StackOptions stack = {};  // widths are those of one module
  int64_t gats = 0, sages = 0;
  double attention_dropout = 0.5;
  double slope = 0.2;
};

// One layer of K modules of one kind, side by side.
struct GatModules {
  Parameter weight;                // (in, K d)
  Parameter source, target, bias;  // (1, K d)
};
struct SageModules {
  Parameter heard, own;  // (in, K d)
  Parameter bias;        // (1, K d)
};
struct Layer {
  GatModules gat;
  SageModules sage;
};

template <class T>
struct Pair {
  Input<T> gat, sage;  // what the modules of either kind are given
};

class Ensemble : public Model {
 public:
  Ensemble(int64_t gats, int64_t sages) { o_.gats = gats, o_.sages = sages; }

  Options options() override {
    Options all = stack_options(o_.stack);
    append(all, {option("gats", o_.gats, "modules that are GAT"),
                 option("sages", o_.sages, "modules that are GraphSAGE"),
                 searched(option("attention_dropout", o_.attention_dropout,
                                 "on the weights of what is heard"),
                          0, 0.8),
                 option("slope", o_.slope, "of leaky_relu below 0")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.patterns = {make_pattern(message_pattern(graph, true)),
                         make_pattern(message_pattern(graph, false))}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    check(o_.gats + o_.sages > 0, "an ensemble needs at least one module");
    check_probability("attention_dropout", o_.attention_dropout);
    int64_t in = shape.in;  // of one module
    for (const int64_t one : o_.stack.layers) {
      const auto add = [&](const char* part, int64_t modules, int64_t rows, InitOptions init) {
        if (modules == 0) return Parameter{};
        return weights.add(fmt::format("layer{}.{}", layers_.size() + 1, part), rows, modules * one,
                           init, rng);
      };
      // As if each module were alone.
      const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + one))};
      const InitOptions score{.kind = Init::uniform, .scale = std::sqrt(6. / double(1 + one))};
      const InitOptions zeros{.kind = Init::zeros};
      Layer layer;
      layer.gat.weight = add("gat.weight", o_.gats, in, init);
      layer.gat.source = add("gat.source", o_.gats, 1, score);
      layer.gat.target = add("gat.target", o_.gats, 1, score);
      layer.gat.bias = add("gat.bias", o_.gats, 1, zeros);
      layer.sage.heard = add("sage.heard", o_.sages, in, init);
      layer.sage.own = add("sage.own", o_.sages, in, init);
      layer.sage.bias = add("sage.bias", o_.sages, 1, zeros);
      layers_.push_back(layer);
      in = one;
    }
    head_ = make_head(shape, (o_.gats + o_.sages) * in, o_.stack.head, weights, rng);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    Pair<T> h{features_of(step), features_of(step)};
    double p = o_.stack.input_dropout;
    for (const Layer& layer : layers_) {
      const bool first = &layer == &layers_[0];
      Pair<T> next;
      if (o_.gats > 0) next.gat = input_of(gats(step, layer.gat, h.gat, p, first));
      if (o_.sages > 0) next.sage = input_of(sages(step, layer.sage, h.sage, p, first));
      h = next;
      p = o_.stack.head.dropout;
    }
    if (o_.gats == 0) return apply(step, head_, h.sage.dense);
    if (o_.sages == 0) return apply(step, head_, h.gat.dense);
    const Var<T> both[] = {h.gat.dense, h.sage.dense};
    return apply(step, head_, concat_columns<T>(both));
  }

  template <class T>
  Var<T> gats(Step<T>& step, const GatModules& layer, const Input<T>& h, double p,
              bool first) const {
    return attend(step.batch.operators.patterns[0],
                  product(h, step.weight(layer.weight), o_.gats, p, first),
                  step.weight(layer.target), step.weight(layer.source), step.weight(layer.bias),
                  {.heads = o_.gats, .slope = o_.slope, .dropout = o_.attention_dropout});
  }

  template <class T>
  Var<T> sages(Step<T>& step, const SageModules& layer, const Input<T>& h, double p,
               bool first) const {
    const Pattern& listed = step.batch.operators.patterns[1];
    const Var<T> heard = step.weight(layer.heard), own = step.weight(layer.own);
    const Var<T> bias = step.weight(layer.bias);
    const auto activated = [&](Var<T> sum) { return add_bias_in_place(sum, bias, true); };
    if (h.sparse)
      return activated(sparse_features_max_times(listed, *h.sparse, heard, own, o_.sages, p));
    // Dense features under dropout are not the same for any two modules.
    const bool alike = first && (p == 0 || !step.tape.training());
    if (first && !alike) {
      std::vector<Var<T>> parts;
      for (int64_t k = 0; k < o_.sages; k++) {
        const Var<T> x = dropout(h.dense, p);
        parts.push_back(add(matmul(neighbour_max(listed, x), block(heard, o_.sages, k)),
                            matmul(x, block(own, o_.sages, k))));
      }
      return activated(concat_columns<T>(parts));
    }
    const Var<T> x = dropout(h.dense, p);
    const Input<T> most = input_of(neighbour_max(listed, x));
    return activated(add(product(most, heard, o_.sages, 0, first),
                         product(input_of(x), own, o_.sages, 0, first)));
  }

  // (n, K d): module k's input times block k of w. The first layer's input is the same for all, up
  // to dropout.
  template <class T>
  static Var<T> product(const Input<T>& h, Var<T> w, int64_t modules, double p, bool first) {
    if (h.sparse) return sparse_features_times(*h.sparse, w, modules, p);
    if (!first) return block_matmul(dropout(h.dense, p), w, modules);
    if (p == 0 || !w.tape->training()) return matmul(h.dense, w);
    std::vector<Var<T>> parts;
    for (int64_t k = 0; k < modules; k++)
      parts.push_back(matmul(dropout(h.dense, p), block(w, modules, k)));
    return concat_columns<T>(parts);
  }

  template <class T>
  static Var<T> block(Var<T> x, int64_t blocks, int64_t k) {
    return slice_columns(x, k * (x.cols / blocks), x.cols / blocks);
  }

  EnsembleOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_egat() { return std::make_unique<Ensemble>(13, 0); }
std::unique_ptr<Model> make_esage() { return std::make_unique<Ensemble>(0, 13); }
std::unique_ptr<Model> make_egat_sage() { return std::make_unique<Ensemble>(6, 7); }

}  // namespace mgnn
