// MGNN: motif graph neural network. For a node v and the motifs k = 1..K (K = 13 in the paper):
//
//   Z    = Ã H W + H W_root + b             Eq. 3  what the node hears from its neighbours
//   h_k  = AGG_i α_k,vi (Ã_k)_vi Z_i        Eq. 2  ... through motif k only
//   f_k  = h_k W_f + b_f                    Eq. 5  motif k's features
//   g_k  = [h_i, i != k | Z] W_fk + b_fk    Eq. 6  the part the others already say
//   β_k  = s(f_k · g_k)                     Eq. 7
//   h'_k = relu(β_k (f_k - g_k))            Eq. 4  what only motif k says
//   h'   = [h'_1 | ... | h'_K]              Eq. 9  concatenation is injective
//
// Ã and Ã_k are normalised; many of the K matrices are equal up to a factor, and each distinct one
// is multiplied once. `fused` does the products of all motifs in one pass and Eq. 4 to 7 in one
// tile; without it every line above is an operation of its own. The results are the same.
//
// For graphs, every layer is followed by an MLP.
//
// Operators: fixed[0] is Ã; then, fused, fixed[1] the distinct Ã_k interleaved and maps[0], or,
// plain, fixed[k] for each motif. With attention or max, patterns[0] and values[0] are the K
// matrices. With gat as base the last pattern is that of its messages.
//
// Chen et al. "Motif Graph Neural Network", TNNLS 2023.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

enum class Base { gcn, sage, gin, gat, none };
enum class Aggregate { sum, mean, max };
enum class Combine { concat, sum, mean, max };

struct MgnnOptions {
  std::vector<int64_t> layers = {16};  // width d of Z in every layer
  int64_t per_motif = 6;               // d': columns of every h'_k
  MotifSet motifs = MotifSet::all();
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  Normalisation normalisation = Normalisation::symmetric;
  Base base = Base::gcn;
  bool root = true;  // W_root
  bool bias = true;  // b
  Aggregate aggregate = Aggregate::sum;
  bool attention = false;
  bool delta = true;    // redundancy minimisation, Eq. 4 to 7
  bool rectify = true;  // relu after it
  Gate gate = Gate::sigmoid;
  Combine combine = Combine::concat;
  double input_dropout = 0.5;      // on the features
  double motif_dropout = 0.1;      // on W_f
  double attention_dropout = 0.1;  // on β
  Init base_init = Init::xavier_uniform;
  Init delta_init = Init::xavier_uniform;
  bool released_init = false;  // see make_layer
  int64_t mlp = 64;            // width of the MLP after each layer, for graphs
  bool fused = true;
  HeadOptions head = {};
};

struct Layer {
  int64_t width = 0;                         // d
  Parameter weight;                          // W (in, d)
  Parameter root;                            // W_root (in, d)
  Parameter bias;                            // b (1, d)
  Linear gin;                                // (d, d), second of gin's two
  Parameter source, target;                  // (d, 1), attention of gat
  Parameter motif_source, motif_target;      // (d, K), attention of motifs
  Parameter own, own_bias, rest, rest_bias;  // see RedundancyWeights
  Mlp mlp;
};

constexpr double kAttentionSlope = 0.2;

class Mgnn : public Model {
 public:
  Options options() override;
  Operators operators(const Graph& graph) const override;
  void build(const Shape& shape, Parameters& weights, Rng& rng) override;
  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  int64_t num_motifs() const { return o_.motifs.size(); }
  bool weighted() const { return o_.attention || o_.aggregate == Aggregate::max; }
  int64_t layer_output(int64_t width) const;
  Layer make_layer(const std::string& name, int64_t in, int64_t width, Parameters& weights,
                   Rng& rng) const;

  template <class T>
  Output<T> run(Step<T>& step) const;
  // Whether Δ also makes the product that follows it.
  bool fuses_next() const {
    return o_.fused && o_.delta && num_motifs() > 0 && o_.combine == Combine::concat;
  }

  template <class T>
  Output<T> run_fused(Step<T>& step) const;
  template <class T>
  Var<T> first_weight(Step<T>& step, const Layer& layer) const;
  template <class T>
  Var<T> base(Step<T>& step, const Layer& layer, Var<T> hw) const;
  template <class T>
  RedundancyWeights<T> delta_weights(Step<T>& step, const Layer& layer) const {
    return {step.weight(layer.own), step.weight(layer.own_bias), step.weight(layer.rest),
            step.weight(layer.rest_bias)};
  }
  template <class T>
  Var<T> motif_wise(Step<T>& step, const Layer& layer, Var<T> z) const;
  template <class T>
  Var<T> layer(Step<T>& step, const Layer& layer, const Input<T>& h, double p, bool shared) const;
  template <class T>
  Var<T> plain_delta(Step<T>& step, const Layer& layer, std::span<const Var<T>> h, Var<T> z) const;
  template <class T>
  Var<T> combined(Step<T>& step, Var<T> each) const;

  MgnnOptions o_;
  Level level_ = Level::node;
  std::vector<Layer> layers_;
  Head head_;
};

Options Mgnn::options() {
  Options all = {
      option("layers", o_.layers, "width of every layer"),
      option("per_motif", o_.per_motif, "columns that every motif adds to a layer's output"),
      motif_set_option(o_.motifs),
      counting_option(o_.counting),
      choice("entry", o_.entry, "what an entry of a motif matrix counts"),
      choice("normalisation", o_.normalisation, "of adjacency and motif matrices"),
      choice<Base>("base", o_.base,
                   {{"gcn", Base::gcn},
                    {"sage", Base::sage},
                    {"gin", Base::gin},
                    {"gat", Base::gat},
                    {"none", Base::none}},
                   "the layer below the motifs"),
      option("root", o_.root, "a weight of its own for what the node itself says"),
      option("bias", o_.bias, "a bias in the base layer"),
      choice<Aggregate>(
          "aggregate", o_.aggregate,
          {{"sum", Aggregate::sum}, {"mean", Aggregate::mean}, {"max", Aggregate::max}},
          "over the neighbours in a motif"),
      option("attention", o_.attention, "learned weights of the neighbours in each motif"),
      option("delta", o_.delta, "redundancy minimisation"),
      option("rectify", o_.rectify, "relu after redundancy minimisation"),
      choice("gate", o_.gate, "of redundancy minimisation"),
      choice<Combine>("combine", o_.combine,
                      {{"concat", Combine::concat},
                       {"sum", Combine::sum},
                       {"mean", Combine::mean},
                       {"max", Combine::max}},
                      "how the motifs' parts are put together"),
      searched(option("input_dropout", o_.input_dropout, "on the features"), 0, 0.8),
      searched(option("motif_dropout", o_.motif_dropout, "on the weights of the motifs' features"),
               0, 0.6),
      searched(option("attention_dropout", o_.attention_dropout, "on the gate"), 0, 0.6),
      choice("base_init", o_.base_init, "of the base layer's weights"),
      choice("delta_init", o_.delta_init, "of redundancy minimisation's weights"),
      option(
          "released_init", o_.released_init,
          "weights begin with the sizes they have in the released code: Kaiming with other fans, "
          "biases of redundancy minimisation zero"),
      option("mlp", o_.mlp, "width of the MLP after each layer, for graphs"),
      option("fused", o_.fused, "fused kernels; the results are the same"),
  };
  append(all, head_options(o_.head));
  return all;
}

// α = 1 and Σ: a fixed matrix for every motif.
Operators Mgnn::operators(const Graph& graph) const {
  Operators ops;
  switch (o_.base) {
    case Base::gcn:
      ops.fixed.push_back(normalised_messages(graph, o_.normalisation));
      break;
    case Base::sage:
      ops.fixed.push_back(message_operator(graph, MessageNorm::row, false));
      break;
    case Base::gin:
      ops.fixed.push_back(message_operator(graph, MessageNorm::none, true));
      break;
    case Base::gat:
    case Base::none:
      ops.fixed.emplace_back();
      break;
  }
  if (num_motifs() > 0) {
    MotifBundle bundle = motif_bundle(
        graph, {.counting = o_.counting, .entry = o_.entry, .motifs = o_.motifs}, o_.normalisation);
    if (o_.aggregate == Aggregate::mean) divide_by_row_counts(bundle);
    if (weighted()) {
      ops.values.push_back(unshared(bundle));
      ops.patterns.push_back(make_pattern(std::move(bundle.pattern)));
      ops.maps.push_back(each_its_own(num_motifs()));
    } else if (o_.fused) {
      ops.maps.push_back(bundle.map);
      ops.fixed.push_back(
          make_operator(std::move(bundle.pattern), std::move(bundle.value), bundle.map.distinct));
    } else {
      for (Operator& one : motif_operators(bundle)) ops.fixed.push_back(std::move(one));
    }
  }
  if (o_.base == Base::gat) ops.patterns.push_back(make_pattern(message_pattern(graph, true)));
  return ops;
}

int64_t Mgnn::layer_output(int64_t width) const {
  if (num_motifs() == 0) return width;
  const int64_t each = o_.delta ? o_.per_motif : width;
  return o_.combine == Combine::concat ? num_motifs() * each : each;
}

Layer Mgnn::make_layer(const std::string& name, int64_t in, int64_t width, Parameters& weights,
                       Rng& rng) const {
  const auto add = [&](const char* part, int64_t rows, int64_t cols, InitOptions init) {
    return weights.add(name + "." + part, rows, cols, init, rng);
  };
  const InitOptions zeros{.kind = Init::zeros};
  // The released code gives its (in, out) weights to PyTorch's kaiming_uniform_, which takes the
  // second dimension for the input; of nodes W has three dimensions, and the fan is in * out. With
  // Xavier only the sum matters, and it is the same.
  const auto kaiming = [&](Init kind, int64_t fan, int64_t released) {
    const bool other = o_.released_init && kind == Init::kaiming_uniform;
    return InitOptions{.kind = kind, .fan = other ? released : fan};
  };
  const InitOptions attention{.kind = o_.base_init};
  Layer layer;
  layer.width = width;
  layer.weight = add("weight", in, width,
                     kaiming(o_.base_init, in, level_ == Level::node ? in * width : width));
  const bool may_have_root = o_.base == Base::gcn || o_.base == Base::sage;
  if (o_.root && may_have_root)
    layer.root = add("root", in, width, kaiming(o_.base_init, in, width));
  if (o_.bias) layer.bias = add("bias", 1, width, zeros);
  if (o_.base == Base::gin) layer.gin = make_linear(name + ".gin", width, width, weights, rng);
  if (o_.base == Base::gat) {
    layer.source = add("source", width, 1, attention);
    layer.target = add("target", width, 1, attention);
  }
  const int64_t motifs = num_motifs();
  if (motifs == 0) return layer;
  if (o_.attention) {
    layer.motif_source = add("motif_source", width, motifs, attention);
    layer.motif_target = add("motif_target", width, motifs, attention);
  }
  if (!o_.delta) return layer;
  // Biases as PyTorch's Linear begins: with small features and a tanh gate, f, g and β would all be
  // nearly zero without them, and so would be what they learn. The released code has zeros, but
  // larger weights.
  const auto bias = [&](int64_t fan) {
    return o_.released_init ? zeros : InitOptions{.kind = Init::linear, .fan = fan};
  };
  const int64_t heard = motifs * width;
  layer.own = add("own", width, o_.per_motif, kaiming(o_.delta_init, width, o_.per_motif));
  layer.own_bias = add("own_bias", 1, o_.per_motif, bias(width));
  layer.rest =
      add("rest", motifs * heard, o_.per_motif, kaiming(o_.delta_init, heard, o_.per_motif));
  layer.rest_bias = add("rest_bias", motifs, o_.per_motif, bias(heard));
  return layer;
}

void Mgnn::build(const Shape& shape, Parameters& weights, Rng& rng) {
  check(!o_.layers.empty(), "mgnn needs at least one layer");
  check(o_.per_motif > 0, "per_motif is 0; use at least 1");
  check_probability("input_dropout", o_.input_dropout);
  check_probability("motif_dropout", o_.motif_dropout);
  check_probability("attention_dropout", o_.attention_dropout);
  level_ = shape.level;
  int64_t in = shape.in;
  for (size_t l = 0; l < o_.layers.size(); l++) {
    const std::string name = fmt::format("layer{}", l + 1);
    layers_.push_back(make_layer(name, in, o_.layers[l], weights, rng));
    in = layer_output(o_.layers[l]);
    if (level_ == Level::graph) {
      layers_.back().mlp = make_mlp(name + ".mlp", in, o_.mlp, o_.mlp, weights, rng);
      in = o_.mlp;
    }
  }
  head_ = make_head(shape, in, o_.head, weights, rng);
}

// What the input of a layer is multiplied by: W, with W_root beside it where there is one, so that
// the input is read, and dropped, once.
template <class T>
Var<T> Mgnn::first_weight(Step<T>& step, const Layer& layer) const {
  const Var<T> weight = step.weight(layer.weight);
  if (layer.root.rows == 0) return weight;
  const Var<T> both[] = {weight, step.weight(layer.root)};
  return concat_columns<T>(both);
}

// Z (n, d), from the product above.
template <class T>
Var<T> Mgnn::base(Step<T>& step, const Layer& layer, Var<T> hw) const {
  const std::vector<Operator>& fixed = step.batch.operators.fixed;
  const auto biased = [&](Var<T> z) {
    return layer.bias.rows == 0 ? z : add_bias(z, step.weight(layer.bias));
  };
  if (o_.base == Base::gcn || o_.base == Base::sage) {
    if (layer.root.rows == 0) return biased(spmm(fixed[0], hw));
    if (o_.fused)
      return spmm_plus_self(fixed[0], hw,
                            layer.bias.rows == 0 ? Var<T>{} : step.weight(layer.bias));
    return biased(add(spmm(fixed[0], slice_columns(hw, 0, layer.width)),
                      slice_columns(hw, layer.width, layer.width)));
  }
  if (o_.base == Base::none) return biased(hw);
  if (o_.base == Base::gin) return apply(step, layer.gin, relu(biased(spmm(fixed[0], hw))));
  const Pattern& heard = step.batch.operators.patterns.back();
  const Var<T> score =
      edge_add(heard, matmul(hw, step.weight(layer.target)), matmul(hw, step.weight(layer.source)));
  const Var<T> alpha = segment_softmax<T>(leaky_relu(score, kAttentionSlope), heard.rows.start);
  return biased(spmm(heard, alpha, hw));
}

// (n, D d): the distinct h_k side by side.
template <class T>
Var<T> Mgnn::motif_wise(Step<T>& step, const Layer& layer, Var<T> z) const {
  const Operators& ops = step.batch.operators;
  if (!weighted()) return spmm(ops.fixed[1], z);
  const Pattern& pattern = ops.patterns[0];
  const Array<float>& value = ops.values[0];
  Var<T> weight = step.tape.converted(pattern.rows.nnz(), num_motifs(), value.data());
  if (o_.attention) {
    const Var<T> score = edge_add(pattern, matmul(z, step.weight(layer.motif_target)),
                                  matmul(z, step.weight(layer.motif_source)));
    weight = mul(weight,
                 segment_softmax<T>(leaky_relu(score, kAttentionSlope), pattern.rows.start, value));
  }
  return o_.aggregate == Aggregate::max ? spmm_max(pattern, weight, z) : spmm(pattern, weight, z);
}

// (n, K each) put together.
template <class T>
Var<T> Mgnn::combined(Step<T>& step, Var<T> each) const {
  if (o_.combine == Combine::concat) return each;
  const int64_t motifs = num_motifs(), rows = each.rows;
  const Var<T> stacked = reshape(each, rows * motifs, each.cols / motifs);
  const std::span<Offset> start = scratch<Offset>(step, rows + 1);
  for (int64_t r = 0; r <= rows; r++) start[size_t(r)] = r * motifs;
  switch (o_.combine) {
    case Combine::sum:
      return segment_sum<T>(stacked, start);
    case Combine::mean:
      return segment_mean<T>(stacked, start);
    default:
      return segment_max<T>(stacked, start);
  }
}

// Eq. 4 to 7, motif by motif.
template <class T>
Var<T> Mgnn::plain_delta(Step<T>& step, const Layer& layer, std::span<const Var<T>> h,
                         Var<T> z) const {
  const int64_t motifs = num_motifs(), rows = motifs * layer.width;
  const Var<T> own = dropout(step.weight(layer.own), o_.motif_dropout);
  std::vector<Var<T>> f, gate, parts;
  for (int64_t k = 0; k < motifs; k++) {
    std::vector<Var<T>> others(h.begin(), h.end());
    others[size_t(k)] = z;
    Parameter rest = layer.rest, bias = layer.rest_bias;  // the rows of motif k
    rest.rows = rows, rest.at += k * rows * rest.cols;
    bias.rows = 1, bias.at += k * bias.cols;
    const Var<T> f_k = add_bias(matmul(h[size_t(k)], own), step.weight(layer.own_bias));
    const Var<T> g_k =
        add_bias(matmul(concat_columns<T>(others), step.weight(rest)), step.weight(bias));
    const Var<T> t = row_dot(f_k, g_k);
    gate.push_back(o_.gate == Gate::sigmoid ? sigmoid(t) : tanh(t));
    f.push_back(sub(f_k, g_k));
  }
  const Var<T> beta = dropout(concat_columns<T>(gate), o_.attention_dropout);
  for (int64_t k = 0; k < motifs; k++) {
    const Var<T> part = scale_rows(f[size_t(k)], slice_columns(beta, k, 1));
    parts.push_back(o_.rectify ? relu(part) : part);
  }
  return concat_columns<T>(parts);
}

template <class T>
Var<T> Mgnn::layer(Step<T>& step, const Layer& layer, const Input<T>& h, double p,
                   bool shared) const {
  const Operators& ops = step.batch.operators;
  const Var<T> z = step.once(
      shared && p == 0, [&] { return base(step, layer, times(h, first_weight(step, layer), p)); });
  if (num_motifs() == 0) return relu(z);
  if (o_.fused && o_.delta) {
    const Var<T> heard = step.once(shared && p == 0, [&] { return motif_wise(step, layer, z); });
    return combined(
        step, minimise_redundancy(ops.maps[0], heard, z, delta_weights(step, layer),
                                  {o_.gate, o_.motif_dropout, o_.attention_dropout, o_.rectify}));
  }
  std::vector<Var<T>> each;  // h_k (n, d)
  if (o_.fused || weighted()) {
    const Var<T> heard = motif_wise(step, layer, z);
    const BundleMap& map = ops.maps[0];
    const Var<T> zero = scale(z, 0);
    for (size_t k = 0; k < map.index.size(); k++) {
      if (map.index[k] < 0) {
        each.push_back(zero);
        continue;
      }
      const Var<T> part = slice_columns(heard, map.index[k] * layer.width, layer.width);
      each.push_back(map.factor[k] == 1.f ? part : scale(part, double(map.factor[k])));
    }
  } else {
    for (int64_t k = 0; k < num_motifs(); k++) each.push_back(spmm(ops.fixed[size_t(1 + k)], z));
  }
  return combined(step,
                  o_.delta ? plain_delta<T>(step, layer, each, z) : relu(concat_columns<T>(each)));
}

// The linear layer after Δ takes its result tile by tile: that of the next layer, of the MLP, or of
// the head.
template <class T>
Output<T> Mgnn::run_fused(Step<T>& step) const {
  const bool nodes = level_ == Level::node;
  Var<T> hw;
  for (size_t l = 0; l < layers_.size(); l++) {
    const Layer& one = layers_[l];
    const bool last = l + 1 == layers_.size(), shared = l == 0 && o_.input_dropout == 0;
    const Var<T> z = step.once(shared, [&] {
      if (l == 0) hw = times(features_of(step), first_weight(step, one), o_.input_dropout);
      return base(step, one, hw);
    });
    const Var<T> heard = step.once(shared, [&] { return motif_wise(step, one, z); });
    const Var<T> next = !nodes ? step.weight(one.mlp.first.weight)
                        : last ? step.weight(head_.last.weight)
                               : first_weight(step, layers_[l + 1]);
    const RedundancyOutput<T> y =
        minimise_redundancy_times(step.batch.operators.maps[0], heard, z, delta_weights(step, one),
                                  {o_.gate, o_.motif_dropout, o_.attention_dropout, o_.rectify},
                                  next, nodes ? o_.head.dropout : 0., nodes && last);
    if (nodes && last) return {y.result, finish(step, head_.last, y.product)};
    if (nodes) {
      hw = y.product;
      continue;
    }
    const Var<T> x = finish(step, one.mlp, y.product);
    if (last) return apply(step, head_, x);
    hw = times(input_of(x), first_weight(step, layers_[l + 1]), o_.head.dropout);
  }
  return {};  // there is at least one layer
}

template <class T>
Output<T> Mgnn::run(Step<T>& step) const {
  if (fuses_next()) return run_fused(step);
  Input<T> h = features_of(step);
  double p = o_.input_dropout;
  for (const Layer& one : layers_) {
    Var<T> next = layer(step, one, h, p, &one == &layers_[0]);
    if (level_ == Level::graph) next = apply(step, one.mlp, next);
    h = input_of(next);
    p = o_.head.dropout;
  }
  return apply(step, head_, h.dense);
}

}  // namespace

std::unique_ptr<Model> make_mgnn() { return std::make_unique<Mgnn>(); }

}  // namespace mgnn
