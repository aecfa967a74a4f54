// MGNN: motif graph neural network. For a node v and the motifs k = 1..K (K = 13 in the paper):
//
//   Z    = Ã H W + H W_root + b             Eq. 3  base layer: aggregation over neighbours
//   h_k  = AGG_i α_k,vi (Ã_k)_vi Z_i        Eq. 2  motif-wise aggregation
//   f_k  = h_k W_f + b_f                    Eq. 5  features of motif k
//   g_k  = [h_i, i != k | Z] W_fk + b_fk    Eq. 6  the part that the other motifs explain
//   β_k  = s(f_k · g_k)                     Eq. 7  gate
//   h'_k = relu(β_k (f_k - g_k))            Eq. 4  redundancy minimisation
//   h'   = [h'_1 | ... | h'_K]              Eq. 9  injective concatenation
//
// With `skip` and `diffuse`, which the paper has not, h' goes on with relu(H W_skip + b_skip) and with
// relu(y_T + b_diffuse), y_0 = H W_diffuse, y_t+1 = 0.9 S y_t + 0.1 y_0, S = D^-½ (M + I) D^-½.
//
// Weights of arcs are used by the base layer and, with `motif_weights`, in motif matrices.
// Ã and Ã_k are normalised; many of the K matrices are equal up to a factor, and each distinct one
// is multiplied once. `fused` computes the products of all motifs in one pass and Eq. 4 to 7 in one
// tile; without it every line above is an operation of its own. The results are the same.
//
// For graphs, every layer is followed by an MLP. docs/model.md has every detail.
//
// Chen et al. "Motif Graph Neural Network", TNNLS 2023.

#include <cmath>

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"
#include "mgnn/models/relational.h"
#include "mgnn/tensor/redundancy.h"

namespace mgnn {
namespace {

enum class Base { gcn, sage, gin, gat, rgcn, none };
constexpr auto enum_names(Base) {
  return std::to_array<Named<Base>>({{"gcn", Base::gcn},
                                     {"sage", Base::sage},
                                     {"gin", Base::gin},
                                     {"gat", Base::gat},
                                     {"rgcn", Base::rgcn},
                                     {"none", Base::none}});
}
enum class Aggregate { sum, mean, max };
constexpr auto enum_names(Aggregate) {
  return std::to_array<Named<Aggregate>>(
      {{"sum", Aggregate::sum}, {"mean", Aggregate::mean}, {"max", Aggregate::max}});
}
enum class Combine { concat, sum, mean, max };
constexpr auto enum_names(Combine) {
  return std::to_array<Named<Combine>>({{"concat", Combine::concat},
                                        {"sum", Combine::sum},
                                        {"mean", Combine::mean},
                                        {"max", Combine::max}});
}

struct MgnnOptions {
  StackOptions stack = {};  // widths d of Z
  int64_t per_motif = 6;    // d': columns of every h'_k
  MotifSet motifs = MotifSet::all();
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifWeights motif_weights = MotifWeights::none;
  Normalisation normalisation = Normalisation::symmetric;
  Base base = Base::gcn;
  int64_t bases = 0;  // of rgcn
  bool root = true;   // W_root
  bool bias = true;   // b
  Aggregate aggregate = Aggregate::sum;
  bool attention = false;  // α learned; otherwise 1
  bool delta = true;       // redundancy minimisation, Eq. 4 to 7
  bool rectify = true;     // relu after it
  Gate gate = Gate::sigmoid;
  Combine combine = Combine::concat;
  double motif_dropout = 0.1;      // on W_f
  double attention_dropout = 0.1;  // on β
  Init base_init = Init::xavier_uniform;
  Init delta_init = Init::xavier_uniform;
  bool released_init = false;  // see make_layer
  int64_t mlp = 64;            // width of the MLP after each layer, for graphs
  bool fused = true;
  bool skip = false;    // a channel beside those of motifs: the input itself
  int64_t diffuse = 0;  // another: the input after so many steps of personalised PageRank; 0: none
};

struct Layer {
  int64_t width = 0;                     // d
  Parameter weight;                      // W (in, d)
  Parameter root;                        // W_root (in, d)
  Parameter bias;                        // b (1, d)
  Linear gin;                            // (d, d), second of gin's two
  Parameter source, target;              // (d, 1), attention of gat
  Linear skip, diffuse;                  // (in, d), (1, d): further channels
  RelationalWeight relational;           // instead of W and W_root, rgcn
  Parameter motif_source, motif_target;  // (d, K), attention of motifs
  Linear motif;                          // W_f (d, d'), b_f (1, d')
  Linear others;  // all W_fk (K K d, d'), b_fk (K, d'); see RedundancyWeights
  Mlp mlp;
};

constexpr double kAttentionSlope = 0.2;
constexpr double kTeleport = 0.1;  // of the channel `diffuse`

class Mgnn : public Model {
 public:
  Options options() override;
  Operators operators(const GraphView& view) const override;
  ArcWeights arc_weights() const override;
  std::optional<MotifWeights> motif_weights() const override {
    return num_motifs() > 0 ? std::optional(o_.motif_weights) : std::nullopt;
  }
  bool uses_relations() const override { return o_.base == Base::rgcn; }
  void build(const Shape& shape, Parameters& weights, Rng& rng) override;
  std::vector<MotifBlock> motif_blocks() const override;
  Linear output_layer() const override;
  template <class T>
  Output<T> run(Step<T>& step) const;

 private:
  int64_t num_motifs() const { return o_.motifs.size(); }
  // Whether the values of motif matrices are used one by one, not in products with matrices.
  bool uses_values() const { return o_.attention || o_.aggregate == Aggregate::max; }
  // Whether redundancy minimisation also makes the product that follows it.
  bool fuses_next() const {
    return o_.fused && o_.delta && num_motifs() > 0 && o_.combine == Combine::concat &&
           num_channels() == 0;
  }
  int64_t num_channels() const { return int64_t(o_.skip) + int64_t(o_.diffuse > 0); }
  RedundancyOptions delta_options() const {
    return {.gate = o_.gate,
            .weight_dropout = o_.motif_dropout,
            .gate_dropout = o_.attention_dropout,
            .rectify = o_.rectify};
  }

  Operator base_operator(const GraphView& view) const;
  int64_t columns_per_motif(int64_t width) const { return o_.delta ? o_.per_motif : width; }
  int64_t layer_output(int64_t width) const;
  Layer make_layer(const std::string& name, int64_t in, int64_t width, Parameters& weights,
                   Rng& rng) const;

  template <class T>
  Output<T> run_fused(Step<T>& step) const;
  template <class T>
  Var<T> run_layer(Step<T>& step, const Layer& layer, const Input<T>& h) const;
  template <class T, class Product>
  Var<T> run_motifs(Step<T>& step, const Layer& layer, bool deterministic, Product hw) const;
  template <class T>
  Var<T> first_weight(Step<T>& step, const Layer& layer) const;
  template <class T>
  Var<T> base_weight(Step<T>& step, const Layer& layer) const;
  template <class T>
  Var<T> diffusion_shares(Step<T>& step) const;
  template <class T>
  Var<T> with_channels(Step<T>& step, const Layer& layer, Var<T> motifs, Var<T> hw) const;
  template <class T>
  Var<T> base(Step<T>& step, const Layer& layer, Var<T> hw) const;
  template <class T>
  Var<T> gat_base(Step<T>& step, const Layer& layer, Var<T> hw) const;
  template <class T>
  Var<T> motif_wise(Step<T>& step, const Layer& layer, Var<T> z) const;
  template <class T>
  std::vector<Var<T>> motif_representations(Step<T>& step, const Layer& layer, Var<T> z) const;
  template <class T>
  RedundancyWeights<T> delta_weights(Step<T>& step, const Layer& layer) const {
    return {step.weight(layer.motif.weight), step.weight(layer.motif.bias),
            step.weight(layer.others.weight), step.weight(layer.others.bias)};
  }
  template <class T>
  Var<T> plain_delta(Step<T>& step, const Layer& layer, std::span<const Var<T>> h, Var<T> z) const;
  template <class T>
  Var<T> combined(Step<T>& step, Var<T> motifs) const;

  MgnnOptions o_;
  Level level_ = Level::node;
  int64_t relations_ = 0;
  std::vector<Layer> layers_;
  Head head_;
  bool has_head_ = true;
};

Options Mgnn::options() {
  Options options = stack_options(o_.stack);
  append(
      options,
      {option("per_motif", o_.per_motif, "output columns of every motif"),
       motif_set_option(o_.motifs),
       counting_option(o_.counting),
       choice("entry", o_.entry, "what an entry of a motif matrix counts"),
       motif_weights_option(o_.motif_weights),
       choice("normalisation", o_.normalisation, "normalisation of adjacency and motif matrices"),
       searched(choice("base", o_.base, "layer before the motif-wise aggregation"), 0, 1),
       option("bases", o_.bases, "basis matrices of the base layer rgcn; 0: none"),
       option("root", o_.root, "separate weight of the node itself in the base layer (gcn, sage)"),
       option("bias", o_.bias, "bias of the base layer"),
       choice("aggregate", o_.aggregate, "motif-wise aggregation over neighbours"),
       option("attention", o_.attention, "attention over the neighbours of each motif"),
       option("delta", o_.delta, "redundancy minimisation"),
       option("rectify", o_.rectify, "ReLU after redundancy minimisation"),
       choice("gate", o_.gate, "gate of redundancy minimisation"),
       choice("combine", o_.combine, "combination of the motifs' outputs"),
       searched(
           option("motif_dropout", o_.motif_dropout, "dropout on the weight of the motif features"),
           0, 0.6),
       searched(option("attention_dropout", o_.attention_dropout, "dropout on the gate"), 0, 0.6),
       choice("base_init", o_.base_init, "initialisation of the base layer"),
       choice("delta_init", o_.delta_init, "initialisation of redundancy minimisation"),
       option("released_init", o_.released_init,
              "initialise as the authors' released code: Kaiming with its fans, zero biases of "
              "redundancy minimisation"),
       option("mlp", o_.mlp, "width of the MLP after each layer (graph tasks)"),
       searched(
           option("skip", o_.skip, "give each layer's input, times a weight, on beside the motifs"),
           0, 1),
       searched(option("diffuse", o_.diffuse,
                       "the same after so many steps of personalised PageRank (teleport 0.1); 0: "
                       "off"),
                0, 10),
       option("fused", o_.fused, "fused kernels; the results are the same")});
  return options;
}

// Ã
Operator Mgnn::base_operator(const GraphView& view) const {
  if (o_.base == Base::gcn) return normalised_adjacency(view, o_.normalisation);
  if (o_.base == Base::sage) return message_operator(view, MessageNorm::row, SelfLoops::none);
  if (o_.base == Base::gin) return message_operator(view, MessageNorm::none, SelfLoops::added);
  return {};
}

ArcWeights Mgnn::arc_weights() const {
  const ArcWeights normalised =
      o_.normalisation == Normalisation::none ? ArcWeights::finite : ArcWeights::non_negative;
  const bool weighs_motifs = motif_weights() > MotifWeights::none;  // and has some
  const ArcWeights motifs = weighs_motifs ? normalised : ArcWeights::unused;
  const ArcWeights diffused = o_.diffuse > 0 ? ArcWeights::positive : ArcWeights::unused;
  if (o_.base == Base::none || o_.base == Base::rgcn) return std::max(motifs, diffused);
  if (o_.base == Base::gat) return ArcWeights::positive;
  return std::max({motifs, diffused,
                   o_.base == Base::sage  ? ArcWeights::non_negative
                   : o_.base == Base::gcn ? normalised
                                          : ArcWeights::finite});
}

Operators Mgnn::operators(const GraphView& view) const {
  Operators result;
  if (o_.base == Base::gat || o_.diffuse > 0) result = attention_operators(view);
  if (o_.base == Base::rgcn) result.relational = relational_operator(view);
  result.adjacency = base_operator(view);
  if (num_motifs() == 0) return result;
  MotifBundle bundle =
      motif_bundle(view, {.counting = o_.counting, .entry = o_.entry, .motifs = o_.motifs},
                   o_.normalisation, o_.motif_weights);
  if (o_.aggregate == Aggregate::mean) divide_by_row_counts(bundle);
  result.motifs = uses_values() ? expanded_motif_values(std::move(bundle))
                  : o_.fused    ? interleaved_motifs(std::move(bundle))
                                : separate_motifs(bundle);
  return result;
}

int64_t Mgnn::layer_output(int64_t width) const {
  const int64_t channels = num_channels() * width;
  if (num_motifs() == 0) return width + channels;
  const int64_t columns = columns_per_motif(width);
  return (o_.combine == Combine::concat ? num_motifs() * columns : columns) + channels;
}

std::vector<MotifBlock> Mgnn::motif_blocks() const {
  if (level_ == Level::graph || o_.combine != Combine::concat || num_channels() > 0) return {};
  const int64_t columns = columns_per_motif(o_.stack.layers.back());
  std::vector<MotifBlock> blocks;
  for (const int motif : o_.motifs.numbers())
    blocks.push_back({motif, int64_t(blocks.size()) * columns, columns});
  return blocks;
}

Linear Mgnn::output_layer() const { return level_ == Level::node ? head_.output : Linear{}; }

Layer Mgnn::make_layer(const std::string& name, int64_t in, int64_t width, Parameters& weights,
                       Rng& rng) const {
  const auto add = [&](const char* part, int64_t rows, int64_t cols, InitOptions init) {
    return weights.add(name + "." + part, rows, cols, init, rng);
  };
  const InitOptions zeros{.kind = Init::zeros};
  // The released code passes (in, out) weights to PyTorch's kaiming_uniform_, which takes the second
  // dimension for the input; in node tasks W has three dimensions, and the fan is in * out. For
  // Xavier only the sum matters, and it is the same.
  const auto kaiming = [&](Init kind, int64_t fan, int64_t released_fan) {
    const bool released = o_.released_init && kind == Init::kaiming_uniform;
    return InitOptions{.kind = kind, .fan = released ? released_fan : fan};
  };
  const InitOptions attention{.kind = o_.base_init};
  Layer layer;
  layer.width = width;
  if (o_.base == Base::rgcn)
    layer.relational = make_relational_weight(name, in, width, relations_, o_.bases, weights, rng);
  else
    layer.weight = add("weight", in, width,
                       kaiming(o_.base_init, in, level_ == Level::node ? in * width : width));
  const bool may_have_root = o_.base == Base::gcn || o_.base == Base::sage;
  if (o_.root && may_have_root)
    layer.root = add("root.weight", in, width, kaiming(o_.base_init, in, width));
  if (o_.bias) layer.bias = add("bias", 1, width, zeros);
  if (o_.base == Base::gin) layer.gin = make_linear(name + ".gin", width, width, weights, rng);
  if (o_.base == Base::gat) {
    layer.source = add("attention.source", width, 1, attention);
    layer.target = add("attention.target", width, 1, attention);
  }
  const auto channel = [&](const char* part) {
    return make_linear(name + "." + part, in, width, weights, rng,
                       {.init = {.kind = o_.base_init}});
  };
  if (o_.skip) layer.skip = channel("skip");
  if (o_.diffuse > 0) layer.diffuse = channel("diffuse");
  const int64_t motifs = num_motifs();
  if (motifs == 0) return layer;
  if (o_.attention) {
    layer.motif_source = add("motif_attention.source", width, motifs, attention);
    layer.motif_target = add("motif_attention.target", width, motifs, attention);
  }
  if (!o_.delta) return layer;
  // Biases as in PyTorch's Linear: with small features and a tanh gate, f, g and β would otherwise
  // be nearly zero, and so would their gradients. The released code has zeros, but larger weights.
  const auto bias = [&](int64_t fan) {
    return o_.released_init ? zeros : InitOptions{.kind = Init::linear, .fan = fan};
  };
  const int64_t d = o_.per_motif, others = motifs * width;  // others: columns of [h_i, i != k | Z]
  layer.motif.weight = add("motif.weight", width, d, kaiming(o_.delta_init, width, d));
  layer.motif.bias = add("motif.bias", 1, d, bias(width));
  layer.others.weight = add("others.weight", motifs * others, d, kaiming(o_.delta_init, others, d));
  layer.others.bias = add("others.bias", motifs, d, bias(others));
  return layer;
}

void Mgnn::build(const Shape& shape, Parameters& weights, Rng& rng) {
  check_stack(o_.stack);
  check(o_.per_motif > 0, "per_motif is 0; use at least 1");
  check_probability("motif_dropout", o_.motif_dropout);
  check_probability("attention_dropout", o_.attention_dropout);
  level_ = shape.level;
  relations_ = shape.relations;
  int64_t in = shape.in;
  std::vector<int64_t> earlier;  // widths of the layers before the last, for the head
  for (const int64_t width : o_.stack.layers) {
    const std::string name = fmt::format("layer{}", layers_.size() + 1);
    if (!layers_.empty()) earlier.push_back(in);
    layers_.push_back(make_layer(name, in, width, weights, rng));
    in = layer_output(width);
    if (level_ == Level::graph) {
      layers_.back().mlp = make_mlp(name + ".mlp", in, o_.mlp, o_.mlp, weights, rng);
      in = o_.mlp;
    }
  }
  has_head_ = shape.out > 0 || level_ == Level::graph;
  if (has_head_) head_ = make_head(shape, in, o_.stack.head, weights, rng, earlier);
}

// [W | W_root], W alone, or the weights of all relations, so that the input is read, and dropped out, once.
template <class T>
Var<T> Mgnn::base_weight(Step<T>& step, const Layer& layer) const {
  if (o_.base == Base::rgcn) return relational_weight(step, layer.relational);
  const Var<T> weight = step.weight(layer.weight);
  if (layer.root.rows == 0) return weight;
  const Var<T> both[] = {weight, step.weight(layer.root)};
  return concat_columns<T>(both);
}

// The same, and behind them the weights of the channels.
template <class T>
Var<T> Mgnn::first_weight(Step<T>& step, const Layer& layer) const {
  std::vector<Var<T>> parts = {base_weight(step, layer)};
  if (o_.skip) parts.push_back(step.weight(layer.skip.weight));
  if (o_.diffuse > 0) parts.push_back(step.weight(layer.diffuse.weight));
  return parts.size() == 1 ? parts[0] : concat_columns<T>(parts);
}

// S = D^-½ (M + I) D^-½ on neighbours_and_self (nnz, 1).
template <class T>
Var<T> Mgnn::diffusion_shares(Step<T>& step) const {
  const Operators& operators = step.batch.operators;
  const Csr& rows = operators.neighbours_and_self.rows;
  Array<double> weight(size_t(rows.nnz()), 1.);
  for (size_t e = 0; e < operators.log_weight.size(); e++)
    weight[e] = std::exp(double(operators.log_weight[e]));
  const Array<float> share = rounded(message_values(rows, weight, MessageNorm::sym_in));
  return step.tape.converted(rows.nnz(), 1, share.data());
}

// The output of a layer from that of its motifs and the last columns of hw.
template <class T>
Var<T> Mgnn::with_channels(Step<T>& step, const Layer& layer, Var<T> motifs, Var<T> hw) const {
  std::vector<Var<T>> parts = {motifs};
  int64_t at = hw.cols - num_channels() * layer.width;
  const auto next = [&] {
    at += layer.width;
    return slice_columns(hw, at - layer.width, layer.width);
  };
  if (o_.skip) parts.push_back(relu(add_bias(next(), step.weight(layer.skip.bias))));
  if (o_.diffuse > 0) {
    const Pattern& pattern = step.batch.operators.neighbours_and_self;
    const Var<T> share = diffusion_shares(step), start = next();
    Var<T> y = start;
    for (int64_t t = 0; t < o_.diffuse; t++)
      y = add(scale(spmm(pattern, share, y), 1 - kTeleport), scale(start, kTeleport));
    parts.push_back(relu(add_bias(y, step.weight(layer.diffuse.bias))));
  }
  return concat_columns<T>(parts);
}

// Z (n, d) from hw, the product of the input and `first_weight`.
template <class T>
Var<T> Mgnn::base(Step<T>& step, const Layer& layer, Var<T> hw) const {
  const Operator& adjacency = step.batch.operators.adjacency;
  const bool has_bias = layer.bias.rows > 0, has_root = layer.root.rows > 0;
  const auto biased = [&](Var<T> z) { return has_bias ? add_bias(z, step.weight(layer.bias)) : z; };
  if (o_.base == Base::none) return biased(hw);
  if (o_.base == Base::rgcn) return biased(relational_sum(step, layer.relational, hw));
  if (o_.base == Base::gat) return biased(gat_base(step, layer, hw));
  if (o_.base == Base::gin) return apply(step, layer.gin, relu(biased(spmm(adjacency, hw))));
  if (!has_root) return biased(spmm(adjacency, hw));
  if (o_.fused) return spmm_plus_self(adjacency, hw, has_bias ? step.weight(layer.bias) : Var<T>{});
  return biased(add(spmm(adjacency, slice_columns(hw, 0, layer.width)),
                    slice_columns(hw, layer.width, layer.width)));
}

template <class T>
Var<T> Mgnn::gat_base(Step<T>& step, const Layer& layer, Var<T> hw) const {
  const Pattern& neighbours = step.batch.operators.neighbours_and_self;
  const Var<T> score = edge_add(neighbours, matmul(hw, step.weight(layer.target)),
                                matmul(hw, step.weight(layer.source)));
  const Var<T> alpha = segment_softmax<T>(
      with_log_weights(step, leaky_relu(score, kAttentionSlope)), neighbours.rows.start);
  return spmm(neighbours, alpha, hw);
}

// (n, D d): the distinct h_k, concatenated.
template <class T>
Var<T> Mgnn::motif_wise(Step<T>& step, const Layer& layer, Var<T> z) const {
  const MotifOperators& motifs = step.batch.operators.motifs;
  if (!uses_values()) return spmm(motifs.interleaved, z);
  const Pattern& pattern = motifs.pattern;
  Var<T> weight = step.tape.converted(pattern.rows.nnz(), num_motifs(), motifs.value.data());
  if (o_.attention) {
    const Var<T> score = edge_add(pattern, matmul(z, step.weight(layer.motif_target)),
                                  matmul(z, step.weight(layer.motif_source)));
    weight = mul(weight, segment_softmax<T>(leaky_relu(score, kAttentionSlope), pattern.rows.start,
                                            motifs.value));
  }
  return o_.aggregate == Aggregate::max ? spmm_max(pattern, weight, z) : spmm(pattern, weight, z);
}

// h_k (n, d) for every motif k.
template <class T>
std::vector<Var<T>> Mgnn::motif_representations(Step<T>& step, const Layer& layer, Var<T> z) const {
  const MotifOperators& motifs = step.batch.operators.motifs;
  const BundleMap& map = motifs.map;
  const bool separate = !motifs.separate.empty();
  const Var<T> distinct = separate ? Var<T>{} : motif_wise(step, layer, z), zero = scale(z, 0);
  std::vector<Var<T>> h;
  for (size_t k = 0; k < map.index.size(); k++) {
    if (map.index[k] < 0) {
      h.push_back(zero);
    } else if (separate) {
      h.push_back(spmm(motifs.separate[k], z));
    } else {
      const Var<T> part = slice_columns(distinct, map.index[k] * layer.width, layer.width);
      h.push_back(map.factor[k] == 1.f ? part : scale(part, double(map.factor[k])));
    }
  }
  return h;
}

// From the outputs of all motifs side by side (n, K c) to (n, K c) or (n, c).
template <class T>
Var<T> Mgnn::combined(Step<T>& step, Var<T> motifs) const {
  if (step.motif_outputs) step.motif_outputs->push_back(motifs);
  if (o_.combine == Combine::concat) return motifs;
  const int64_t count = num_motifs(), rows = motifs.rows;
  const Var<T> stacked = reshape(motifs, rows * count, motifs.cols / count);
  const std::span<Offset> start = scratch<Offset>(step, rows + 1);
  for (int64_t r = 0; r <= rows; r++) start[r] = r * count;
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
  const Var<T> w_f = dropout(step.weight(layer.motif.weight), o_.motif_dropout);
  std::vector<Var<T>> difference, gate, outputs;
  for (int64_t k = 0; k < motifs; k++) {
    std::vector<Var<T>> others(h.begin(), h.end());
    others[k] = z;
    Parameter w_k = layer.others.weight, b_k = layer.others.bias;  // the rows of motif k
    w_k.rows = rows, w_k.at += k * rows * w_k.cols;
    b_k.rows = 1, b_k.at += k * b_k.cols;
    const Var<T> f = add_bias(matmul(h[k], w_f), step.weight(layer.motif.bias));
    const Var<T> g =
        add_bias(matmul(concat_columns<T>(others), step.weight(w_k)), step.weight(b_k));
    const Var<T> t = row_dot(f, g);
    gate.push_back(o_.gate == Gate::sigmoid ? sigmoid(t) : tanh(t));
    difference.push_back(sub(f, g));
  }
  const Var<T> beta = dropout(concat_columns<T>(gate), o_.attention_dropout);
  for (int64_t k = 0; k < motifs; k++) {
    const Var<T> gated = scale_rows(difference[k], slice_columns(beta, k, 1));
    outputs.push_back(o_.rectify ? relu(gated) : gated);
  }
  return concat_columns<T>(outputs);
}

template <class T>
Var<T> Mgnn::run_layer(Step<T>& step, const Layer& layer, const Input<T>& h) const {
  if (num_channels() == 0)
    return run_motifs(step, layer, h.deterministic(),
                      [&] { return times(h, first_weight(step, layer)); });
  const Var<T> hw = step.reuse_across_passes(h.deterministic(),
                                             [&] { return times(h, first_weight(step, layer)); });
  const int64_t of_base = hw.cols - num_channels() * layer.width;
  const Var<T> motifs =
      run_motifs(step, layer, h.deterministic(), [&] { return slice_columns(hw, 0, of_base); });
  return with_channels(step, layer, motifs, hw);
}

// A layer without channels; hw() is the product of its input and its base weights.
template <class T, class Product>
Var<T> Mgnn::run_motifs(Step<T>& step, const Layer& layer, bool deterministic, Product hw) const {
  const Var<T> z = step.reuse_across_passes(deterministic, [&] { return base(step, layer, hw()); });
  if (num_motifs() == 0) return relu(z);
  if (o_.fused && o_.delta) {
    const Var<T> distinct =
        step.reuse_across_passes(deterministic, [&] { return motif_wise(step, layer, z); });
    return combined(step, minimise_redundancy(step.batch.operators.motifs.map, distinct, z,
                                              delta_weights(step, layer), delta_options()));
  }
  const std::vector<Var<T>> h_k = motif_representations(step, layer, z);
  return combined(step,
                  o_.delta ? plain_delta<T>(step, layer, h_k, z) : relu(concat_columns<T>(h_k)));
}

// The linear layer after redundancy minimisation takes its result tile by tile: that of the next
// layer, of the MLP, or of the head.
template <class T>
Output<T> Mgnn::run_fused(Step<T>& step) const {
  const bool nodes = level_ == Level::node;
  Input<T> h = features_of(step, o_.stack.input_dropout);
  Var<T> hw;
  std::vector<Var<T>> earlier;  // outputs of the layers before, for the head of graphs
  for (size_t l = 0; l < layers_.size(); l++) {
    const Layer& layer = layers_[l];
    const bool last = l + 1 == layers_.size(), deterministic = l == 0 && h.deterministic();
    const Var<T> z = step.reuse_across_passes(deterministic, [&] {
      if (l == 0) hw = times(h, first_weight(step, layer));
      return base(step, layer, hw);
    });
    const Var<T> distinct =
        step.reuse_across_passes(deterministic, [&] { return motif_wise(step, layer, z); });
    if (last && !has_head_)
      return {minimise_redundancy(step.batch.operators.motifs.map, distinct, z,
                                  delta_weights(step, layer), delta_options())};
    const Var<T> next = !nodes ? step.weight(layer.mlp.first.weight)
                        : last ? step.weight(head_.output.weight)
                               : first_weight(step, layers_[l + 1]);
    const RedundancyOutput<T> y = minimise_redundancy_times(
        step.batch.operators.motifs.map, distinct, z, delta_weights(step, layer), delta_options(),
        next, nodes ? o_.stack.head.dropout : 0., nodes && last);
    if (nodes && last) return {y.result, finish(step, head_.output, y.product)};
    if (nodes) {
      hw = y.product;
      continue;
    }
    const Var<T> x = finish(step, layer.mlp, y.product);
    if (last) return apply<T>(step, head_, x, earlier);
    earlier.push_back(x);
    hw = times(next_input(o_.stack, x, l + 1), first_weight(step, layers_[l + 1]));
  }
  return {};  // there is at least one layer
}

template <class T>
Output<T> Mgnn::run(Step<T>& step) const {
  if (fuses_next() && !step.motif_outputs) return run_fused(step);
  std::vector<Var<T>> earlier;
  const Var<T> x = run_layers(
                       step, o_.stack, layers_,
                       [&](const Layer& layer, const Input<T>& h) {
                         const Var<T> y = run_layer(step, layer, h);
                         return level_ == Level::graph ? apply(step, layer.mlp, y) : y;
                       },
                       &earlier)
                       .dense;
  return has_head_ ? apply<T>(step, head_, x, earlier) : Output<T>{x};
}

}  // namespace

std::unique_ptr<Model> make_mgnn() { return make_model<Mgnn>(); }

}  // namespace mgnn
