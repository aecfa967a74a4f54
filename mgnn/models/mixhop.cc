// MixHop: neighbours at several distances side by side,
//
//   H' = relu(||_{j in P} (M̂^j H W_j + b_j)),   P = {0, 1, 2},   M̂ as in GCN
//
// M̂² is never formed. One product H [W_0 | W_1 | …] with the powers ascending; then every
// multiplication by M̂ is one of all columns that still need it.
//
// Operators: fixed[0] is M̂.
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
    Options all = stack_options(o_.stack);
    append(all, {option("powers", o_.powers, "distances, as in [0, 1, 2]"),
                 choice("norm", o_.norm, message_norm_names(), "normalisation of messages")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.fixed = {message_operator(graph, o_.norm, true)}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    read_powers();
    const auto blocks = int64_t(powers_.size());
    const auto make = [&](const std::string& name, int64_t in, int64_t one) {
      // Each W_j begins as if it were alone.
      const InitOptions init{.kind = Init::uniform, .scale = std::sqrt(6. / double(in + one))};
      return Linear{weights.add(name + ".weight", in, blocks * one, init, rng),
                    weights.add(name + ".bias", 1, blocks * one, {.kind = Init::zeros}, rng)};
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make, blocks);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  void read_powers() {
    constexpr int64_t kMost = 64;
    powers_.clear();
    for (const std::string& word : o_.powers) {
      int64_t power = 0;
      option("powers", power, "").set(word);
      check(power <= kMost, "powers has {}; use at most {}", power, kMost);
      powers_.push_back(power);
    }
    std::sort(powers_.begin(), powers_.end());
    powers_.erase(std::unique(powers_.begin(), powers_.end()), powers_.end());
    check(!powers_.empty(), "powers is empty; use at least one, as in powers=[0, 1, 2]");
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_,
                     [&](const Linear& layer, const Input<T>& h, double p, bool first) {
                       const Var<T> hw = times_weight(step, h, layer.weight, p, first);
                       return relu(add_bias(mixed(step, hw), step.weight(layer.bias)));
                     });
  }

  template <class T>
  Var<T> mixed(Step<T>& step, Var<T> rest) const {
    const int64_t one = rest.cols / int64_t(powers_.size());
    std::vector<Var<T>> parts;
    int64_t at = 0;  // the power of M̂ that `rest` has been multiplied by
    for (const int64_t power : powers_) {
      for (; at < power; at++) rest = spmm(step.batch.operators.fixed[0], rest);
      parts.push_back(rest.cols == one ? rest : slice_columns(rest, 0, one));
      if (rest.cols > one) rest = slice_columns(rest, one, rest.cols - one);
    }
    return concat_columns<T>(parts);
  }

  MixHopOptions o_;
  std::vector<int64_t> powers_;  // ascending
  std::vector<Linear> layers_;   // (in, |P| d)
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_mixhop() { return std::make_unique<MixHop>(); }

}  // namespace mgnn
