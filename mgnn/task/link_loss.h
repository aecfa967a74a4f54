// Losses of links: edges above negatives.
#pragma once

#include "mgnn/base/names.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {

// With s the score of an edge and n_1 … n_K those of its negatives, the mean over edges of
//   cross_entropy  the binary cross-entropy of the sigmoids, over edges and negatives alike
//   softmax        -log(e^s / (e^s + Σ e^n_k)): the edge among its negatives (sampled softmax)
//   bpr            mean over k of -log σ(s - n_k) (Rendle et al. 2009)
enum class LinkLoss { cross_entropy, softmax, bpr };
constexpr auto enum_names(LinkLoss) {
  return std::to_array<Named<LinkLoss>>({{"cross-entropy", LinkLoss::cross_entropy},
                                         {"softmax", LinkLoss::softmax},
                                         {"bpr", LinkLoss::bpr}});
}

// `scores` (edges (1 + K), 1): those of all edges, then of one negative for each, of a second one, …
// With a temperature t > 0 the negatives of an edge weigh softmax(t n_k), and together as much as the edge
// (self-adversarial negatives, Sun et al. 2019). REQUIRES: cross_entropy if t > 0.
class LinkLossMaker {
 public:
  LinkLossMaker(LinkLoss loss, int64_t edges, int64_t negatives, double temperature);
  Var<float> operator()(Var<float> scores) const;  // it must live as long as the step

 private:
  Var<float> negatives_of(Var<float> scores) const;  // (edges, K)

  LinkLoss loss_;
  int64_t edges_, negatives_;
  double temperature_;
  std::vector<float> target_;  // of cross_entropy, bpr
  std::vector<NodeId> edge_,
      negative_;              // places of scores, edge by edge: each edge K times, its negatives
  std::vector<NodeId> both_;  // each edge, then its negatives
  std::vector<int32_t> label_;
  std::vector<NodeId> rows_;
};

}  // namespace mgnn
