// BGNN: boosted trees and a graph network learn in turns. The network (a GAT) is given
//
//   Z = [X scaled to 0..1 | p],   p = Σ over turns of the trees' answers, (n, classes)
//
// and its gradient steps move its weights and Z alike. A turn comes before every `steps` of them:
//
//   first     trees are fitted to the labels of the training nodes; p = their chances of classes
//   later     trees are fitted to r = how far the steps have moved p at the training nodes; p += r̂
//   always    Z is written anew from X and p
//
// As in the authors' code the optimiser's memory of Z outlives this. Z and p are kept with the
// weights, so that a training can go on from any epoch; the trees themselves are not kept, and so
// the network knows the nodes it was trained with and no others.
//
// Ivanov, Prokhorenkova. "Boost then convolve", ICLR 2021.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/trees.h"

namespace mgnn {
namespace {

struct BgnnOptions {
  TreeOptions trees = {};
  int64_t steps = 10;    // epochs from turn to turn
  bool features = true;  // Z has X; otherwise it is p alone
};

// Scales every column of the first `cols` to 0..1 over the rows of `train`.
void scale_columns(float* z, int64_t rows, int64_t stride, int64_t cols,
                   std::span<const NodeId> train) {
  std::vector<float> low(size_t(cols), INFINITY), high(size_t(cols), -INFINITY);
  for (const NodeId r : train)
    for (int64_t c = 0; c < cols; c++) {
      low[size_t(c)] = std::min(low[size_t(c)], z[r * stride + c]);
      high[size_t(c)] = std::max(high[size_t(c)], z[r * stride + c]);
    }
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < cols; c++) {
      const float range = high[size_t(c)] - low[size_t(c)];
      float& value = z[r * stride + c];
      value = (value - low[size_t(c)]) / (range > 0 ? range : 1);
    }
}

void write_features(const std::variant<Matrix, SparseFeatures>& x, float* z, int64_t stride) {
  if (const auto* dense = std::get_if<Matrix>(&x)) {
    for (int64_t r = 0; r < dense->rows; r++)
      std::copy_n(dense->row(r).begin(), dense->cols, z + r * stride);
    return;
  }
  const auto& [pattern, value, _1, _2, _3] = std::get<SparseFeatures>(x);
  for (NodeId r = 0; r < pattern.rows; r++) {
    std::fill_n(z + r * stride, pattern.cols, 0.f);
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
      z[r * stride + pattern.index[size_t(e)]] = value[size_t(e)];
  }
}

class Bgnn : public Model {
 public:
  Bgnn() : network_(make_gat()) { set_option(network_->options(), "heads=8"); }

  Options options() override {
    Options all = network_->options();
    append(all, {option("trees", o_.trees.rounds, "of each class in a turn"),
                 searched(option("tree_depth", o_.trees.depth, "at most"), 3, 8),
                 searched(option("tree_rate", o_.trees.rate, "share of a tree's answer taken"),
                          0.02, 0.5, true),
                 option("steps", o_.steps, "epochs from one turn of the trees to the next"),
                 option("features", o_.features,
                        "the network is given the features too, not the trees' answers alone")});
    return all;
  }

  Operators operators(const Graph& graph) const override { return network_->operators(graph); }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    if (shape.level == Level::graph)
      fail_usage("bgnn gives one output for each node, none for graphs");
    if (shape.nodes == 0) fail_usage("bgnn learns from the labels of nodes; use --task node");
    check(o_.steps > 0, "steps is 0; use at least 1");
    check(o_.trees.rounds > 0, "trees is 0; use at least 1");
    features_ = o_.features ? shape.in : 0;
    const int64_t width = features_ + shape.out;
    network_->build({width, shape.out, shape.level}, weights, rng);
    z_ = weights.add("z", shape.nodes, width, {.kind = Init::zeros, .decay = 0}, rng);
    p_ = weights.add("p", shape.nodes, shape.out, {.kind = Init::zeros, .learns = false}, rng);
  }

  void take_turn(const Turn& turn) override {
    if (turn.epoch % o_.steps != 0) return;
    if (!trees_) trees_ = std::make_unique<Trees>(turn.batch.x, turn.train);
    float *z = turn.weights.value_of(z_), *p = turn.weights.value_of(p_);
    if (turn.epoch == 0) {
      std::vector<float> label;
      for (const NodeId v : turn.train) label.push_back(float(turn.label[size_t(v)]));
      const Matrix found = trees_->chances(label, p_.cols, o_.trees);
      std::copy(found.data.begin(), found.data.end(), p);
    } else {
      const Matrix found = trees_->answers(moved(z, p, turn.train), o_.trees);
      for (int64_t i = 0; i < p_.size(); i++) p[i] += found.data[size_t(i)];
    }
    if (features_ > 0) {
      write_features(turn.batch.x, z, z_.cols);
      scale_columns(z, z_.rows, z_.cols, features_, turn.train);
    }
    for (int64_t r = 0; r < z_.rows; r++)
      std::copy_n(p + r * p_.cols, p_.cols, z + r * z_.cols + features_);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    if (step.batch.num_nodes != z_.rows)
      fail_data("bgnn knows the {} nodes it was trained with and no others, and here are {}",
                z_.rows, step.batch.num_nodes);
    step.input = step.weight(z_);
    return network_->forward(step);
  }

  // r, how far the columns of p have been moved at the training nodes.
  Matrix moved(const float* z, const float* p, std::span<const NodeId> train) const {
    Matrix r(int64_t(train.size()), p_.cols);
    for (int64_t i = 0; i < r.rows; i++)
      for (int64_t c = 0; c < r.cols; c++)
        r(i, c) = z[train[size_t(i)] * z_.cols + features_ + c] - p[train[size_t(i)] * p_.cols + c];
    return r;
  }

  BgnnOptions o_;
  std::unique_ptr<Model> network_;
  int64_t features_ = 0;  // columns of X in Z
  Parameter z_, p_;       // (n, features + classes), (n, classes)
  std::unique_ptr<Trees> trees_;
};

}  // namespace

std::unique_ptr<Model> make_bgnn() { return std::make_unique<Bgnn>(); }

}  // namespace mgnn
