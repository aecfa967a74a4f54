// MotifNet, simplified form of degree 1: spectral filters on the Laplacians of motif matrices,
//
//   H' = relu(H Θ_0 + Σ_k α_k L_k H Θ_1 + b),   L_k = I - D_k^-½ W_k D_k^-½
//
// with W_k the motif matrices and α learned, 0 <= α <= 1. A node without motif k has a zero row in
// L_k. By default L_k is replaced by L_k - I, whose spectrum is in [-1, 1], the domain of Chebyshev
// polynomials.
//
// Σ_k α_k L_k is made first, on the shared pattern, so that one product serves all motifs; the
// gradients of α are inner products on the pattern. Equal matrices are stored once.
//
// Monti, Otness, Bronstein. "MotifNet: a motif-based graph convolutional network for directed
// graphs", IEEE DSW 2018.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

enum class Attention { softmax, sigmoid };
constexpr auto enum_names(Attention) {
  return std::to_array<Named<Attention>>(
      {{"softmax", Attention::softmax}, {"sigmoid", Attention::sigmoid}});
}

struct MotifNetOptions {
  StackOptions stack = {};
  MotifSet motifs = MotifSet::all();
  Counting counting = Counting::subgraph;
  bool scaled = true;  // L_k - I instead of L_k
  Attention attention = Attention::softmax;
};

struct Layer {
  int64_t width = 0;
  Parameter weight;     // [Θ_0 | Θ_1] (in, 2 d)
  Parameter bias;       // (1, d)
  Parameter attention;  // (1, K), before softmax or sigmoid
};

class MotifNet : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, {motif_set_option(o_.motifs), counting_option(o_.counting),
                     option("scaled", o_.scaled, "Laplacians minus the identity"),
                     choice("attention", o_.attention, "activation of the weights of motifs")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    MotifBundle bundle = motif_bundle(
        view.graph, {.counting = o_.counting, .entry = Entry::edge, .motifs = o_.motifs},
        Normalisation::symmetric);
    for (float& v : bundle.value) v = -v;
    if (!o_.scaled) add_identity(bundle);
    return {.motifs = motif_values(std::move(bundle))};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check(!o_.motifs.empty(), "motifnet needs at least one motif");
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + width))};
      const InitOptions zeros{.kind = Init::zeros};
      return Layer{width, weights.add(name + ".weight", in, 2 * width, init, rng),
                   weights.add(name + ".bias", 1, width, zeros, rng),
                   weights.add(name + ".attention", 1, o_.motifs.size(), zeros, rng)};
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_, [&](const Layer& layer, const Input<T>& h) {
      const Var<T> hw = times_weight(step, h, layer.weight);
      const Var<T> root = slice_columns(hw, 0, layer.width);
      const Var<T> filtered = spmm(step.batch.operators.motifs.pattern, filter(step, layer),
                                   slice_columns(hw, layer.width, layer.width));
      return relu(add_bias(add(root, filtered), step.weight(layer.bias)));
    });
  }

 private:
  // 1 on the diagonal of every row of a matrix that has a non-zero.
  static void add_identity(MotifBundle& bundle) {
    const Csr whole = with_diagonal(bundle.pattern);
    const Array<Offset> place = places_in(bundle.pattern, whole);
    const auto count = size_t(bundle.map.distinct);
    Array<float> value(size_t(whole.nnz()) * count, 0.f);
    for (size_t e = 0; e < place.size(); e++)
      for (size_t a = 0; a < count; a++)
        value[size_t(place[e]) * count + a] = bundle.value[e * count + a];
    for (NodeId r = 0; r < whole.rows; r++) {
      const auto row = whole.row(r);
      const Offset self =
          whole.start[r] + (std::lower_bound(row.begin(), row.end(), r) - row.begin());
      for (size_t a = 0; a < count; a++) {
        bool any = false;
        for (Offset e = whole.start[r]; e < whole.start[r + 1]; e++)
          any |= value[size_t(e) * count + a] != 0;
        if (any) value[size_t(self) * count + a] += 1;
      }
    }
    bundle.pattern = whole;
    bundle.value = std::move(value);
  }

  // (nnz, 1): Σ_k α_k L_k
  template <class T>
  Var<T> filter(Step<T>& step, const Layer& layer) const {
    const MotifOperators& motifs = step.batch.operators.motifs;
    const BundleMap& map = motifs.map;
    const Var<T> logits = step.weight(layer.attention);
    const Var<T> alpha = o_.attention == Attention::softmax ? softmax(logits) : sigmoid(logits);
    const Var<T> matrix =
        step.tape.make_constant(map.size(), map.distinct);  // from motifs to distinct matrices
    std::fill_n(matrix.value, matrix.size(), T(0));
    for (size_t k = 0; k < map.index.size(); k++)
      if (map.index[k] >= 0) matrix(int64_t(k), map.index[k]) = T(map.factor[k]);
    return matmul_nt(constant_of(step, motifs.pattern.rows.nnz(), map.distinct, motifs.value),
                     matmul(alpha, matrix));
  }

  MotifNetOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_motifnet() { return make_model<MotifNet>(); }

}  // namespace mgnn
