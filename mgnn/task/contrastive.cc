// Both views go through the network as one batch: their union.

#include "mgnn/task/contrastive.h"

#include <algorithm>
#include <numeric>

#include "mgnn/models/batch.h"
#include "mgnn/task/parts.h"

namespace mgnn {
namespace {

// Rows of the output that are views of the same items.
struct Twins {
  Batch batch;
  std::vector<NodeId> first, second;
};

class Contrastive : public Problem {
 public:
  Contrastive(const Dataset& dataset, const Model& model, const Split& items,
              const UnsupervisedOptions& settings, int64_t batch_size, const Rng& rng)
      : data_(dataset),
        model_(model),
        settings_(settings),
        batch_size_(data_.is_set() ? batch_size : int64_t(items.train.size())),
        rng_(rng.split(0)),
        in_order_(items.train),
        order_(items.train) {
    // Views of validation are drawn once.
    const Parts parts(items.validation,
                      data_.is_set() ? batch_size : int64_t(items.validation.size()));
    validation_.resize(size_t(parts.count()));
    for (int64_t i = 0; i < parts.count(); i++) make(parts[i], rng.split(1), validation_[i]);
  }

  Metric metric() const override { return {"matched"}; }
  int64_t start_epoch(int64_t epoch) override {
    of_epoch_ = rng_.split(uint64_t(epoch));
    order_ = in_order_;
    of_epoch_.split(0).shuffle(std::span(order_));
    return parts().count();
  }
  const Batch& batch(int64_t step) override {
    make(parts()[step], of_epoch_.split(1), training_);
    return training_.batch;
  }
  Var<float> loss(const Output<float>& out, int64_t) override {
    const Var<float> z = out.out;
    return nt_xent(gather_rows(z, std::span<const NodeId>(training_.first)),
                   gather_rows(z, std::span<const NodeId>(training_.second)), settings_.loss);
  }

  int64_t num_validation_batches() override { return int64_t(validation_.size()); }
  const Batch& validation_batch(int64_t i) override { return validation_[i].batch; }
  Scores validation(const Output<float>& out, int64_t i) override {
    const Twins& twins = validation_[i];
    const Var<float> a = gather_rows(out.out, std::span<const NodeId>(twins.first));
    const Var<float> b = gather_rows(out.out, std::span<const NodeId>(twins.second));
    const double loss = double(*nt_xent(a, b, settings_.loss).value);
    return {loss, matched(matmul_nt(l2_normalise_rows(a), l2_normalise_rows(b))), a.rows};
  }

 private:
  Parts parts() const { return {order_, std::max<int64_t>(batch_size_, 1)}; }

  // Share of items whose twin is the most like.
  static double matched(const Var<float>& likeness) {
    int64_t count = 0;
    for (int64_t r = 0; r < likeness.rows; r++) {
      const float* const row = likeness.value + r * likeness.cols;
      count += std::max_element(row, row + likeness.cols) == row + r;
    }
    return likeness.rows > 0 ? double(count) / double(likeness.rows) : 0;
  }

  void make(std::span<const NodeId> items, const Rng& rng, Twins& to) const {
    const NodeId whole[] = {0};
    const Views views =
        make_views(data_, data_.is_set() ? items : whole, 2, settings_.augment, rng);
    to.batch = whole_batch(views.data, model_);
    to.first.clear();
    to.second.clear();
    if (!data_.is_set()) return find_nodes(items, views, to);
    to.first.resize(items.size());
    std::iota(to.first.begin(), to.first.end(), 0);
    for (const NodeId row : to.first) to.second.push_back(row + NodeId(items.size()));
  }

  // The first of `nodes` that are in both views.
  void find_nodes(std::span<const NodeId> nodes, const Views& views, Twins& to) const {
    const auto border = views.node.begin() + views.data.graph_start[1];
    std::vector<NodeId> row(size_t(data_.graph.num_nodes()), -1);  // in the second view
    for (auto at = border; at != views.node.end(); ++at) row[*at] = NodeId(at - views.node.begin());
    for (const NodeId v : nodes) {
      if (int64_t(to.first.size()) >= settings_.anchors) break;
      const auto found = std::lower_bound(views.node.begin(), border, v);
      if (found == border || *found != v || row[v] < 0) continue;
      to.first.push_back(NodeId(found - views.node.begin()));
      to.second.push_back(row[v]);
    }
  }

  const Dataset& data_;
  const Model& model_;
  const UnsupervisedOptions& settings_;
  const int64_t batch_size_;
  const Rng rng_;
  const std::vector<NodeId>& in_order_;
  Rng of_epoch_{0};
  std::vector<NodeId> order_;  // of this epoch
  Twins training_;
  std::vector<Twins> validation_;
};

}  // namespace

std::unique_ptr<Problem> contrastive_problem(const Dataset& dataset, const Model& model,
                                             const Split& items,
                                             const UnsupervisedOptions& settings,
                                             int64_t batch_size, const Rng& rng) {
  return std::make_unique<Contrastive>(dataset, model, items, settings, batch_size, rng);
}

}  // namespace mgnn
