#include "mgnn/task/link_loss.h"

#include <numeric>

#include "mgnn/base/error.h"

namespace mgnn {

LinkLossMaker::LinkLossMaker(LinkLoss loss, int64_t edges, int64_t negatives, double temperature)
    : loss_(loss), edges_(edges), negatives_(negatives), temperature_(temperature) {
  if (loss == LinkLoss::cross_entropy) {
    target_.assign(size_t(edges), 1.f);
    target_.resize(size_t(edges * (1 + negatives)), 0.f);
  } else {
    target_.assign(size_t(edges * negatives), 1.f);
  }
  for (int64_t i = 0; i < edges; i++) {
    both_.push_back(NodeId(i));
    for (int64_t k = 1; k <= negatives; k++) {
      edge_.push_back(NodeId(i));
      negative_.push_back(NodeId(k * edges + i));
      both_.push_back(negative_.back());
    }
  }
  label_.assign(size_t(edges), 0);
  rows_.resize(size_t(edges));
  std::iota(rows_.begin(), rows_.end(), 0);
}

Var<float> LinkLossMaker::negatives_of(Var<float> scores) const {
  return reshape(gather_rows<float>(scores, negative_), edges_, negatives_);
}

Var<float> LinkLossMaker::operator()(Var<float> scores) const {
  if (temperature_ > 0) {
    const Var<float> negatives = negatives_of(scores);
    const Var<float> weight = softmax(scale(detached(negatives), temperature_));
    const Var<float> of_edges = softplus(scale(gather_rows<float>(scores, rows_), -1));
    return scale(add(sum(of_edges), sum(mul(weight, softplus(negatives)))), 0.5 / double(edges_));
  }
  switch (loss_) {
    case LinkLoss::softmax:
      return cross_entropy<float>(
          reshape(gather_rows<float>(scores, both_), edges_, 1 + negatives_), label_, rows_);
    case LinkLoss::bpr:
      return binary_cross_entropy<float>(
          sub(gather_rows<float>(scores, edge_), gather_rows<float>(scores, negative_)), target_);
    case LinkLoss::cross_entropy:
      break;
  }
  return binary_cross_entropy<float>(scores, target_);
}

}  // namespace mgnn
