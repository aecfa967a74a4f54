// What every trained network is: settings, the matrices it multiplies by, weights, a forward pass.
// It knows nothing of losses, splits or files.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "mgnn/base/options.h"
#include "mgnn/graph/graph.h"
#include "mgnn/graph/level.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {

struct Shape {
  int64_t in = 0, out = 0;  // columns of the features and of the output
  Level level = Level::node;
  int64_t nodes = 0;  // of the one graph that it learns; 0: not known, or any
};

// What a network multiplies by: made once per graph (or set of graphs), the same for all epochs.
// Each network says in its file which is which.
struct Operators {
  std::vector<Operator> fixed = {};
  std::vector<Pattern> patterns = {};
  std::vector<Array<float>> values = {};  // fixed numbers on the non-zeros of patterns[i]
  std::vector<BundleMap> maps = {};
};

// What goes into a network: one graph, or several as their block-diagonal union.
struct Batch {
  NodeId num_nodes = 0;
  std::variant<Matrix, SparseFeatures> x;  // (n, in)
  Operators operators;
  Array<Offset> graph_start = {0};  // (graphs + 1)

  int64_t num_graphs() const { return int64_t(graph_start.size()) - 1; }
  int64_t num_features() const;
};

// Passes through a network: the tape, the weights, the data.
template <class T>
class Step {
 public:
  Step(Tape<T>& on, ParametersOf<T>& with, const Batch& through)
      : tape(on), weights(with), batch(through) {}

  Tape<T>& tape;
  ParametersOf<T>& weights;
  const Batch& batch;
  Var<T> input = {};  // where set, it takes the place of the batch's features

  Var<T> weight(const Parameter& p) { return tape.parameter(weights, p); }

  // What `make` gives; where `same_in_both` (it is the same in training and evaluation) a second
  // pass over the same data and weights uses what the first has computed. The calls of the two
  // passes must correspond.
  template <class Make>
  Var<T> once(bool same_in_both, Make make) {
    if (!same_in_both || next_ == kShared) return make();
    if (next_ == made_) shared_[made_++] = make();
    return shared_[next_++];
  }
  void second_pass() { next_ = 0; }

  // Keeps a pattern that was made on the way, such as that of a coarser graph.
  const Pattern& keep(Pattern pattern) { return patterns_.emplace_back(std::move(pattern)); }

 private:
  static constexpr size_t kShared = 8;
  std::array<Var<T>, kShared> shared_;
  size_t made_ = 0, next_ = 0;
  std::deque<Pattern> patterns_;
};

template <class T>
struct Output {
  Var<T> representation;  // what the last linear layers are given
  Var<T> out;             // (nodes or graphs, out)
  Var<T> penalty = {};    // (1, 1) where the network asks to make it small beside the task's loss
};

// What a network sees that learns by other means than gradients, too.
struct Turn {
  int64_t epoch = 0;  // the one that comes next, from 0
  const Batch& batch;
  std::span<const int32_t> label;  // (n)
  std::span<const NodeId> train;   // the nodes whose labels it may look at
  Parameters& weights;
};

// To use one: set its options, make the operators, `build`, then `forward` any number of times.
class Model {
 public:
  virtual ~Model() = default;
  virtual Options options() = 0;
  virtual Operators operators(const Graph& graph) const = 0;
  // Adds its weights to `weights`. Throws Error (usage) for options that cannot be.
  virtual void build(const Shape& shape, Parameters& weights, Rng& rng) = 0;
  // Called before each epoch of a training on the labels of nodes. What it learns goes into the
  // weights: a training that goes on from a checkpoint has nothing else.
  virtual void take_turn(const Turn&) {}
  virtual Output<float> forward(Step<float>& step) const = 0;
  virtual Output<double> forward(Step<double>& step) const = 0;
};

}  // namespace mgnn
