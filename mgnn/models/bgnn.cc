// BGNN: boosted trees and a graph network are trained alternately. The input of the network (a GAT)
// is
//
//   Z = [X scaled to 0..1 | p],   p = Σ of the trees' predictions, (n, classes)
//
// and gradient steps update both its weights and Z. Before every `steps` epochs trees are fitted:
//
//   first     to the labels of the training nodes; p = their class probabilities
//   later     to the change r of p at the training nodes since the last fit; p += r̂
//   always    Z is set to [X scaled | p]
//
// As in the authors' code the optimiser's moments of Z are not reset. Z and p are stored with the
// weights, so that training can be resumed at any epoch; the trees themselves are not stored, so
// the network only applies to the nodes it was trained on.
//
// Ivanov, Prokhorenkova. "Boost then convolve", ICLR 2021.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/trees.h"

namespace mgnn {
namespace {

struct BgnnOptions {
  TreeOptions trees = {};
  int64_t steps = 10;    // epochs between fits of the trees
  bool features = true;  // Z includes X; otherwise it is p alone
};

// Scales every column of the first `cols` to 0..1 over the rows of `train`.
void scale_columns(float* z, int64_t rows, int64_t stride, int64_t cols,
                   std::span<const NodeId> train) {
  std::vector<float> low(size_t(cols), INFINITY), high(size_t(cols), -INFINITY);
  for (const NodeId r : train)
    for (int64_t c = 0; c < cols; c++) {
      low[c] = std::min(low[c], z[r * stride + c]);
      high[c] = std::max(high[c], z[r * stride + c]);
    }
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < cols; c++) {
      const float range = high[c] - low[c];
      float& value = z[r * stride + c];
      value = (value - low[c]) / (range > 0 ? range : 1);
    }
}

void write_features(const std::variant<Matrix, SparseFeatures>& x, float* z, int64_t stride) {
  if (const auto* dense = std::get_if<Matrix>(&x)) {
    for (int64_t r = 0; r < dense->rows; r++)
      std::copy_n(dense->row(r).begin(), dense->cols, z + r * stride);
    return;
  }
  const auto& [pattern, value, _1, _2, _3, _4, _5] = std::get<SparseFeatures>(x);
  for (NodeId r = 0; r < pattern.rows; r++) {
    std::fill_n(z + r * stride, pattern.cols, 0.f);
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
      z[r * stride + pattern.index[e]] = value[e];
  }
}

class Bgnn : public Model {
 public:
  Bgnn() : network_(make_gat()) { set_option(network_->options(), "heads=8"); }

  Options options() override {
    Options options = network_->options();
    append(options,
           {option("trees", o_.trees.rounds, "boosting rounds per fit"),
            searched(option("tree_depth", o_.trees.depth, "maximum depth of a tree"), 3, 8),
            searched_in_log(option("tree_rate", o_.trees.rate, "learning rate of the trees"), 0.02,
                            0.5),
            option("steps", o_.steps, "epochs between fits of the trees"),
            option("features", o_.features,
                   "input of the network: features and the trees' predictions, or these alone")});
    return options;
  }

  Operators operators(const GraphView& view) const override { return network_->operators(view); }
  ArcWeights arc_weights() const override { return network_->arc_weights(); }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    if (shape.level == Level::graph)
      fail_usage("bgnn has an output for each node, none for graphs");
    if (shape.nodes == 0) fail_usage("bgnn needs node labels: it is for node classification only");
    check(o_.steps > 0, "steps is 0; use at least 1");
    check(o_.trees.rounds > 0, "trees is 0; use at least 1");
    features_ = o_.features ? shape.in : 0;
    const int64_t width = features_ + shape.out;
    network_->build({width, shape.out, shape.level}, weights, rng);
    z_ = weights.add("node_input", shape.nodes, width, {.kind = Init::zeros, .decay = 0}, rng);
    p_ = weights.add("tree_prediction", shape.nodes, shape.out,
                     {.kind = Init::zeros, .learns = false}, rng);
  }

  void before_epoch(const EpochContext& context) override {
    if (context.batch.share)
      fail_usage("bgnn fits trees to all nodes at once, so it cannot be divided among ranks");
    check(!context.label.empty(), "bgnn learns classes of nodes only; use another network");
    if (context.epoch % o_.steps != 0) return;
    if (!trees_) trees_ = std::make_unique<Trees>(context.batch.x, context.train);
    float *z = context.weights.value_of(z_), *p = context.weights.value_of(p_);
    if (context.epoch == 0) {
      std::vector<float> label;
      for (const NodeId v : context.train) label.push_back(float(context.label[v]));
      const Matrix probability = trees_->class_probabilities(label, p_.cols, o_.trees);
      std::copy(probability.data.begin(), probability.data.end(), p);
    } else {
      const Matrix update = trees_->regression(change(z, p, context.train), o_.trees);
      for (int64_t i = 0; i < p_.size(); i++) p[i] += update.data[i];
    }
    if (features_ > 0) {
      write_features(context.batch.x, z, z_.cols);
      scale_columns(z, z_.rows, z_.cols, features_, context.train);
    }
    for (int64_t r = 0; r < z_.rows; r++)
      std::copy_n(p + r * p_.cols, p_.cols, z + r * z_.cols + features_);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    if (step.batch.num_nodes != z_.rows)
      fail_data("bgnn only applies to the {} nodes it was trained on, and here are {}", z_.rows,
                step.batch.num_nodes);
    step.input = step.weight(z_);
    return network_->forward(step);
  }

 private:
  // r: the change of p's columns in Z at the training nodes.
  Matrix change(const float* z, const float* p, std::span<const NodeId> train) const {
    Matrix r(int64_t(train.size()), p_.cols);
    for (int64_t i = 0; i < r.rows; i++)
      for (int64_t c = 0; c < r.cols; c++)
        r(i, c) = z[train[i] * z_.cols + features_ + c] - p[train[i] * p_.cols + c];
    return r;
  }

  BgnnOptions o_;
  std::unique_ptr<Model> network_;
  int64_t features_ = 0;  // columns of X in Z
  Parameter z_, p_;       // (n, features + classes), (n, classes)
  std::unique_ptr<Trees> trees_;
};

}  // namespace

std::unique_ptr<Model> make_bgnn() { return make_model<Bgnn>(); }

}  // namespace mgnn
