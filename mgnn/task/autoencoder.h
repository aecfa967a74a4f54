// Learning vectors whose inner products say which nodes are joined.
#pragma once

#include "mgnn/data/negatives.h"
#include "mgnn/task/unsupervised.h"

namespace mgnn {

// A node's vector: of a variational encoder the mean, or in training a draw.
template <class T>
struct Latent {
  Var<T> z;                // (n, d)
  Var<T> divergence = {};  // (1, 1) of a variational encoder: the mean over nodes
};
// `out` is (n, d), or (n, 2 d) with means and then logarithms of deviations.
template <class T>
Latent<T> latent_of(Var<T> out, bool variational);

// Mean over `joined` of -log s(z_u·z_v), plus the mean over `apart` of -log(1 - s(z_u·z_v)); s is
// the sigmoid. 2 log 2 where all inner products are 0. The pairs must live as long as the step.
template <class T>
Var<T> reconstruction_loss(Var<T> z, const NodePairs& joined, const NodePairs& apart);

// One graph: some edges are hidden from the network while it learns, and tell the best epoch. A
// set: some graphs do. Pairs that are apart are drawn anew in every step, equally many, in the same
// graph; u -> v and v -> u are one pair. Everything must outlive the problem. Throws Error (data)
// if there is no pair that is joined, or none apart.
std::unique_ptr<Problem> autoencoder_problem(const Dataset& dataset, const Model& model,
                                             const Split& graphs,
                                             const UnsupervisedOptions& settings,
                                             int64_t batch_size, const Rng& rng);

}  // namespace mgnn
