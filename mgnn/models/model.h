// A trained network: options, the matrices it multiplies by, weights, a forward pass. It knows
// nothing of losses, splits or files.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "mgnn/base/options.h"
#include "mgnn/data/dataset.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {

struct Shape {
  // Columns of the features and of the output. No output (of mgnn for nodes): its representation alone.
  int64_t in = 0, out = 0;
  Level level = Level::node;
  int64_t nodes = 0;      // of the graph to be trained on; 0: unknown, or any
  int64_t relations = 0;  // of the edges of the data; 0: they have none
};

// A graph and what its arcs carry. An arc of weight 2 acts as two parallel arcs would.
struct GraphView {
  GraphView(const Graph& of, std::span<const float> weight = {},
            std::span<const Relation> typed = {})
      : graph(of), arc_weight(weight), relations(typed) {}

  const Graph& graph;
  std::span<const float> arc_weight;    // (arcs) in the order of graph.out; empty: all 1
  std::span<const Relation> relations;  // typed edges; empty: all arcs are of one kind
};

// The weights of arcs that a network can use.
enum class ArcWeights { unused, finite, non_negative, positive };

// Motif matrices in the form that a network needs. Matrix k belongs to motif set.numbers()[k].
struct MotifOperators {
  MotifSet set = {};
  BundleMap map = {};  // which of the D distinct matrices A_k is, and its factor
  // For products with fixed matrices: all at once, or one by one.
  Operator interleaved;                 // the D distinct matrices
  std::vector<Operator> separate = {};  // (K)
  // For weights that are learned.
  Pattern pattern;
  Array<float> value = {};  // (nnz, D) on `pattern`
};

// The matrices that a network multiplies by: made once per graph (or set of graphs), the same in
// all epochs. Messages follow the arcs: row i of each lists the in-neighbours of node i. A network
// fills those that it uses, and the others stay empty. (Without = {}: see Csr.)
struct Operators {
  Operator adjacency;            // normalised, with or without self loops, as the network needs it
  Pattern neighbours;            // without self loops
  Pattern neighbours_and_self;   // with a self loop at every node
  Array<float> log_weight = {};  // (nnz) on neighbours_and_self; empty: all weights are 1
  // (n, n R): column j R + r belongs to node j and relation r, each relation in both directions.
  Operator relational;
  MotifOperators motifs;
};

// The input of a network: one graph, or several as their block-diagonal union.
struct Batch {
  NodeId num_nodes = 0;
  std::variant<Matrix, SparseFeatures> x;  // (n, in)
  Operators operators;
  Array<Offset> graph_start = {0};  // (graphs + 1)
  // If set, this is one rank's share of a graph: all sizes are of its nodes.
  std::shared_ptr<const RowShare> share = {};

  int64_t num_graphs() const { return int64_t(graph_start.size()) - 1; }
  int64_t num_features() const;
};

// One training step, or one evaluation: the tape, the weights, the data. A step may run the network
// twice, first in evaluation and then in training mode.
template <class T>
class Step {
 public:
  Step(Tape<T>& on, ParametersOf<T>& with, const Batch& through)
      : tape(on), weights(with), batch(through) {}

  Tape<T>& tape;
  ParametersOf<T>& weights;
  const Batch& batch;
  Var<T> input = {};  // if set, it replaces the batch's features, as does
  const SparseFeatures* sparse_input = nullptr;
  // If set, a network on motifs appends what each layer gives motif by motif, side by side (n, K c), before
  // it is combined; nothing is fused across it.
  std::vector<Var<T>>* motif_outputs = nullptr;

  Var<T> weight(const Parameter& p) { return tape.parameter(weights, p); }

  // The result of `make`. If it is `deterministic`, that is, the same in training and in evaluation
  // mode, the second pass of a step reuses the value of the first. Both passes must make the same
  // calls.
  template <class Make>
  Var<T> reuse_across_passes(bool deterministic, Make make) {
    if (!deterministic || next_ == kMaxReused) return make();
    if (next_ == size_) reused_[size_++] = make();
    return reused_[next_++];
  }
  void second_pass() { next_ = 0; }

  // Stores a pattern that was made during the pass, such as that of a coarser graph.
  const Pattern& keep(Pattern pattern) { return patterns_.emplace_back(std::move(pattern)); }
  int64_t kept_bytes() const {  // of all of them
    int64_t bytes = 0;
    for (const Pattern& p : patterns_) {
      for (const Csr* part : {&p.rows, &p.columns})
        bytes += int64_t(part->start.size() * sizeof(Offset) + part->index.size() * sizeof(NodeId));
      bytes += int64_t(p.place.size() * sizeof(Offset));
    }
    return bytes;
  }

 private:
  static constexpr size_t kMaxReused = 8;
  std::array<Var<T>, kMaxReused> reused_;
  size_t size_ = 0, next_ = 0;
  std::deque<Pattern> patterns_;
};

template <class T>
struct Output {
  Var<T> representation;  // input of the last linear layers
  Var<T> out;             // (nodes or graphs, out)
  Var<T> penalty = {};    // (1, 1) regularisation term to be added to the loss, if any
};

// For networks that also learn by other means than gradients.
struct EpochContext {
  int64_t epoch = 0;  // the one about to start, from 0
  const Batch& batch;
  std::span<const int32_t> label;  // (n)
  std::span<const NodeId> train;   // nodes whose labels may be used
  Parameters& weights;
};

struct Linear {
  Parameter weight;  // (in, out)
  Parameter bias;    // (1, out); rows == 0: none
};

// Columns first .. first + count - 1 of a representation belong to one motif.
struct MotifBlock {
  int motif = 0;  // 1..13
  int64_t first = 0, count = 0;
};

// To use one: set its options, make the operators, `build`, then `forward` any number of times.
// Once built, `forward` may be called from several threads with a step each.
class Model {
 public:
  virtual ~Model() = default;
  // Handles to the options of this object, with their defaults.
  virtual Options options() = 0;
  // What depends on the graph alone. REQUIRES: options are set; weights are as arc_weights() says.
  virtual Operators operators(const GraphView& view) const = 0;
  // What operators() uses beside the graph, with the options as they are.
  virtual ArcWeights arc_weights() const { return ArcWeights::unused; }
  virtual bool uses_relations() const { return false; }
  // What weights of arcs do in its motif matrices; nothing: it has none.
  virtual std::optional<MotifWeights> motif_weights() const { return {}; }
  // Adds its weights to `weights`. Throws Error (usage) for invalid options.
  virtual void build(const Shape& shape, Parameters& weights, Rng& rng) = 0;
  // Called before each epoch of node classification. What it learns goes into the weights: a
  // training that is resumed from a checkpoint has nothing else.
  virtual void before_epoch(const EpochContext&) {}
  // Nothing that it does may depend on the number of threads. REQUIRES: built; `step.batch` has the
  // operators of this network and features with shape.in columns.
  virtual Output<float> forward(Step<float>& step) const = 0;
  virtual Output<double> forward(Step<double>& step) const = 0;

  // Once built: which columns of the representation belong to which motif, if out = representation
  // output_layer().weight + output_layer().bias in evaluation mode; else none.
  virtual std::vector<MotifBlock> motif_blocks() const { return {}; }
  virtual Linear output_layer() const { return {}; }
};

// Network with `forward` for both scalars, which is its
//   template <class T> Output<T> run(Step<T>& step) const;
template <class Network>
class Runnable final : public Network {
 public:
  using Network::Network;
  Output<float> forward(Step<float>& step) const override { return this->run(step); }
  Output<double> forward(Step<double>& step) const override { return this->run(step); }
};
template <class Network, class... Arguments>
std::unique_ptr<Model> make_model(Arguments&&... arguments) {
  return std::make_unique<Runnable<Network>>(std::forward<Arguments>(arguments)...);
}

// ---- the table of networks

enum class Levels { both, nodes, graphs };

struct Method {
  const char* name;     // as in settings: model.name
  const char* summary;  // a few words
  const char* paper;    // where it is from
  std::unique_ptr<Model> (*make)();
  Levels levels = Levels::both;  // those that it has an output for

  constexpr bool supports(Level level) const {
    return levels == Levels::both || (levels == Levels::nodes) == (level == Level::node);
  }
};
// Those of the library, then those that were added.
std::span<const Method> methods();
// Adds a network to the table: everything that takes the name of one takes it from then on. Throws
// Error (usage) if the name is taken. Not thread-safe: to be called before anything uses the table.
void add_method(const Method& method);

// Throws Error (usage) with the nearest name.
const Method& find_method(std::string_view name);

}  // namespace mgnn
