// Vectors for nodes or graphs, learned without labels.
#pragma once

#include "mgnn/data/augment.h"
#include "mgnn/task/task.h"
#include "mgnn/tensor/nt_xent.h"

namespace mgnn {

enum class Objective {
  gae,          // vectors whose inner products say which nodes are joined (Kipf, Welling 2016)
  vgae,         // the same with a normal distribution in place of each vector
  contrastive,  // two views of the same node or graph have like vectors (You et al. 2020)
};
constexpr auto enum_names(Objective) {
  return std::to_array<Named<Objective>>({{"gae", Objective::gae},
                                          {"vgae", Objective::vgae},
                                          {"contrastive", Objective::contrastive}});
}

enum class Pooling { sum, mean, max };  // from the vectors of nodes to that of their graph
constexpr auto enum_names(Pooling) {
  return std::to_array<Named<Pooling>>(
      {{"sum", Pooling::sum}, {"mean", Pooling::mean}, {"max", Pooling::max}});
}

struct UnsupervisedOptions {
  Objective objective = Objective::gae;
  // Columns that the loss sees: of the vectors themselves (gae, vgae), or of their projection by
  // the network's last layers (contrastive), whose vectors are the network's representations.
  int64_t dimension = 32;
  double held_out = 0.05;          // share of edges, nodes or graphs that choose the epoch
  double kl_weight = 1;            // vgae: factor on the divergence
  Pooling pooling = Pooling::sum;  // gae, vgae: vectors of graphs
  AugmentOptions augment = {};     // contrastive, as are all below
  NtXentOptions loss = {};
  int64_t anchors = 512;  // maximum number of nodes compared with each other in a step
  bool probe = false;     // evaluate the vectors by logistic regression; needs labels
};
Options unsupervised_options(UnsupervisedOptions& options);

// Of the network.
Shape unsupervised_shape(const UnsupervisedOptions& options, const Dataset& dataset);

// Result.representation are the vectors of the best run: (nodes, …) or, of a set, (graphs, …).
// Validation scores are loss and AUROC of held-out edges (gae, vgae), or loss and the share of
// items whose other view is the most similar (contrastive). With `probe` test scores are
// accuracies of logistic regression, and Result.own has those of every split or fold
// (`probe_accuracies`). Labels are used for nothing else.
// Throws Error if nothing can be learned: no features, no edges to reconstruct, or fewer than two
// items to compare.
Result unsupervised(const Dataset& dataset, const ModelMaker& make_model,
                    const UnsupervisedOptions& options, const RunOptions& run,
                    const TrainingCallbacks& callbacks = {});
const std::vector<double>& probe_accuracies(const Result& result);

// The vectors that a trained network gives for the nodes of a graph, or the graphs of a set.
Matrix unsupervised_vectors(const Model& model, Parameters& weights, const Dataset& dataset,
                            const UnsupervisedOptions& options, int64_t batch_size);

}  // namespace mgnn
