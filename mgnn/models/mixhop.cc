// MixHop: powers of the adjacency matrix, concatenated,
//
//   H' = relu(||_{j in P} (M̂^j H W_j + b_j)),   P = {0, 1, 2},   M̂ as in GCN
//
// M̂² is never formed. One product H [W_0 | W_1 | …] with the powers ascending; then every
// product with M̂ is of all columns that still need it.
//
// Abu-El-Haija et al. "MixHop: higher-order graph convolutional architectures via sparsified
// neighborhood mixing", ICML 2019.

#include <algorithm>

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct MixHopOptions {
  StackOptions stack = {};                            // widths are those of one power
  std::vector<std::string> powers = {"0", "1", "2"};  // P
  MessageNorm norm = MessageNorm::sym_in;
};

class MixHop : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, {option("powers", o_.powers, "powers of the adjacency matrix, as in [0, 1, 2]"),
                     choice("norm", o_.norm, "normalisation of the adjacency matrix")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.adjacency = message_operator(view, o_.norm, SelfLoops::added)};
  }
  ArcWeights arc_weights() const override { return weights_for(o_.norm); }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    read_powers();
    const auto blocks = int64_t(powers_.size());
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      // Xavier initialisation of each W_j.
      const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + width))};
      return Linear{weights.add(name + ".weight", in, blocks * width, init, rng),
                    weights.add(name + ".bias", 1, blocks * width, {.kind = Init::zeros}, rng)};
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make, blocks);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_, [&](const Linear& layer, const Input<T>& h) {
      const Var<T> hw = times_weight(step, h, layer.weight);
      return relu(add_bias(mixed(step, hw), step.weight(layer.bias)));
    });
  }

 private:
  void read_powers() {
    constexpr int64_t kMaxPower = 64;
    powers_.clear();
    for (const std::string& word : o_.powers) {
      int64_t power = 0;
      option("powers", power, "").set(word);
      check(power <= kMaxPower, "powers has {}; use at most {}", power, kMaxPower);
      powers_.push_back(power);
    }
    std::sort(powers_.begin(), powers_.end());
    powers_.erase(std::unique(powers_.begin(), powers_.end()), powers_.end());
    check(!powers_.empty(), "powers is empty; use at least one, as in powers=[0, 1, 2]");
  }

  template <class T>
  Var<T> mixed(Step<T>& step, Var<T> hw) const {
    const int64_t width = hw.cols / int64_t(powers_.size());
    std::vector<Var<T>> blocks;
    int64_t exponent = 0;  // the power of M̂ that `hw` has been multiplied by
    for (const int64_t power : powers_) {
      for (; exponent < power; exponent++) hw = spmm(step.batch.operators.adjacency, hw);
      blocks.push_back(hw.cols == width ? hw : slice_columns(hw, 0, width));
      if (hw.cols > width) hw = slice_columns(hw, width, hw.cols - width);
    }
    return concat_columns<T>(blocks);
  }

  MixHopOptions o_;
  std::vector<int64_t> powers_;  // ascending
  std::vector<Linear> layers_;   // (in, |P| d)
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_mixhop() { return make_model<MixHop>(); }

}  // namespace mgnn
