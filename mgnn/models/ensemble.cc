// Ensembles of small networks trained jointly: each of 13 modules is a GAT of one head or a
// GraphSAGE of width 16, with weights and dropout masks of its own; the output layer combines their
// concatenated outputs.
//
//   egat  13 GAT,   esage  13 GraphSAGE,   egat+sage  6 GAT and 7 GraphSAGE
//
// All modules share one product of the features with their weights, and one pass over the
// neighbours. The input of a module's second layer is its own first layer only, so that weights
// there are blocks.
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
  Parameter neighbour, root;  // (in, K d)
  Parameter bias;             // (1, K d)
};
struct Layer {
  GatModules gat;
  SageModules sage;
};

class Ensemble : public Model {
 public:
  Ensemble(int64_t gats, int64_t sages) { o_.gats = gats, o_.sages = sages; }

  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, {option("gats", o_.gats, "number of GAT modules"),
                     option("sages", o_.sages, "number of GraphSAGE modules"),
                     searched(option("attention_dropout", o_.attention_dropout,
                                     "dropout on the attention coefficients"),
                              0, 0.8),
                     option("slope", o_.slope, "negative slope of leaky ReLU")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.neighbours = make_pattern(message_pattern(view.graph, SelfLoops::none)),
            .neighbours_and_self = make_pattern(message_pattern(view.graph, SelfLoops::added))};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    check(o_.gats + o_.sages > 0, "an ensemble needs at least one module");
    check_probability("attention_dropout", o_.attention_dropout);
    int64_t in = shape.in;  // of one module
    for (const int64_t width : o_.stack.layers) {
      const auto add = [&](const char* part, int64_t modules, int64_t rows, InitOptions init) {
        if (modules == 0) return Parameter{};
        return weights.add(fmt::format("layer{}.{}", layers_.size() + 1, part), rows,
                           modules * width, init, rng);
      };
      // Xavier initialisation of each module.
      const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + width))};
      const InitOptions score{.kind = Init::uniform, .scale = std::sqrt(6. / double(1 + width))};
      const InitOptions zeros{.kind = Init::zeros};
      Layer layer;
      layer.gat.weight = add("gat.weight", o_.gats, in, init);
      layer.gat.source = add("gat.attention.source", o_.gats, 1, score);
      layer.gat.target = add("gat.attention.target", o_.gats, 1, score);
      layer.gat.bias = add("gat.bias", o_.gats, 1, zeros);
      layer.sage.neighbour = add("sage.neighbour.weight", o_.sages, in, init);
      layer.sage.root = add("sage.root.weight", o_.sages, in, init);
      layer.sage.bias = add("sage.bias", o_.sages, 1, zeros);
      layers_.push_back(layer);
      in = width;
    }
    head_ = make_head(shape, (o_.gats + o_.sages) * in, o_.stack.head, weights, rng);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    Input<T> gat = features_of(step, o_.stack.input_dropout), sage = gat;
    for (size_t l = 0; l < layers_.size(); l++) {
      if (o_.gats > 0) gat = next_input(o_.stack, gat_modules(step, layers_[l].gat, gat), l + 1);
      if (o_.sages > 0)
        sage = next_input(o_.stack, sage_modules(step, layers_[l].sage, sage), l + 1);
    }
    if (o_.gats == 0) return apply(step, head_, sage.dense);
    if (o_.sages == 0) return apply(step, head_, gat.dense);
    const Var<T> both[] = {gat.dense, sage.dense};
    return apply(step, head_, concat_columns<T>(both));
  }

 private:
  template <class T>
  Var<T> gat_modules(Step<T>& step, const GatModules& layer, const Input<T>& h) const {
    return attend(step.batch.operators.neighbours_and_self,
                  product(h, step.weight(layer.weight), o_.gats), step.weight(layer.target),
                  step.weight(layer.source), step.weight(layer.bias),
                  {.heads = o_.gats, .slope = o_.slope, .dropout = o_.attention_dropout});
  }

  template <class T>
  Var<T> sage_modules(Step<T>& step, const SageModules& layer, const Input<T>& h) const {
    const Pattern& neighbours = step.batch.operators.neighbours;
    const Var<T> w = step.weight(layer.neighbour), root = step.weight(layer.root);
    const auto activated = [&](Var<T> sum) {
      return add_bias_in_place(sum, step.weight(layer.bias), Activation::relu);
    };
    if (h.sparse)
      return activated(
          sparse_features_max_times(neighbours, *h.sparse, w, root, o_.sages, h.dropout));
    if (masks_differ(h, step.tape)) {
      std::vector<Var<T>> modules;
      for (int64_t k = 0; k < o_.sages; k++) {
        const Var<T> x = dropout(h.dense, h.dropout);
        modules.push_back(add(matmul(neighbour_max(neighbours, x), block(w, o_.sages, k)),
                              matmul(x, block(root, o_.sages, k))));
      }
      return activated(concat_columns<T>(modules));
    }
    const Var<T> x = dropout(h.dense, h.dropout);
    const Input<T> self{.dense = x, .layer = h.layer};
    const Input<T> maximum{.dense = neighbour_max(neighbours, x), .layer = h.layer};
    return activated(add(product(maximum, w, o_.sages), product(self, root, o_.sages)));
  }

  // Whether the modules' inputs, the dense features, differ by their dropout masks.
  template <class T>
  static bool masks_differ(const Input<T>& h, const Tape<T>& tape) {
    return h.layer == 0 && h.dropout > 0 && tape.training();
  }

  // (n, K d): module k's input times block k of w. The first layer's input is the same for all, up
  // to dropout.
  template <class T>
  static Var<T> product(const Input<T>& h, Var<T> w, int64_t modules) {
    if (h.sparse) return sparse_features_times(*h.sparse, w, modules, h.dropout);
    if (h.layer > 0) return block_matmul(dropout(h.dense, h.dropout), w, modules);
    if (!masks_differ(h, *w.tape)) return matmul(h.dense, w);
    std::vector<Var<T>> products;
    for (int64_t k = 0; k < modules; k++)
      products.push_back(dropout_matmul(h.dense, block(w, modules, k), h.dropout));
    return concat_columns<T>(products);
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

std::unique_ptr<Model> make_egat() { return make_model<Ensemble>(13, 0); }
std::unique_ptr<Model> make_esage() { return make_model<Ensemble>(0, 13); }
std::unique_ptr<Model> make_egat_sage() { return make_model<Ensemble>(6, 7); }

}  // namespace mgnn
