// Vectors for nodes or graphs, learned without labels.
#pragma once

#include "mgnn/data/augment.h"
#include "mgnn/task/repeat.h"
#include "mgnn/tensor/nt_xent.h"

namespace mgnn {

enum class Objective {
  gae,          // vectors whose inner products say which nodes are joined (Kipf, Welling 2016)
  vgae,         // the same with a normal distribution in place of each vector
  contrastive,  // two views of the same node or graph have like vectors (You et al. 2020)
};
enum class Pooling { sum, mean, max };  // from the vectors of nodes to that of their graph

struct UnsupervisedSettings {
  Objective objective = Objective::gae;
  // Columns that the loss sees: of the vectors themselves (gae, vgae), or of their projection by
  // the network's last layers (contrastive), whose vectors are the network's representations.
  int64_t dimension = 32;
  double held_out = 0.05;          // share of edges, nodes or graphs that choose the epoch
  double kl_weight = 1;            // vgae: factor on the divergence
  Pooling pooling = Pooling::sum;  // gae, vgae: vectors of graphs
  AugmentOptions augment = {};     // contrastive, as are all below
  NtXentOptions loss = {};
  int64_t anchors = 512;  // nodes compared with each other in a step, at most
  bool probe = false;     // judge by logistic regression; needs labels
};
Options unsupervised_options(UnsupervisedSettings& settings);

struct UnsupervisedOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;
  UnsupervisedSettings settings = {};
  TrainingOptions training = {};  // selects by loss unless told otherwise
  int64_t batch_size = 128;       // graphs in a step, at most
  bool standardise = true;        // measured columns of the features
  // Of the probe, as in classification:
  std::string split = "random";
  int64_t folds = 5, num_validation = 0, num_test = 0;
};

// What the network gives for these data.
Shape unsupervised_shape(const UnsupervisedSettings& settings, const Dataset& dataset);

// Result.representation are the vectors of the best run: (nodes, …) or, of a set, (graphs, …).
// Validation scores are loss and AUROC of held-out edges (gae, vgae), or loss and the share of
// items whose twin is the most like (contrastive). With `probe` test scores are accuracies, and
// Result.probe has those of every split or fold. Labels serve for nothing else.
// Throws Error (data) if nothing can be learned: no features, no edges to reconstruct, or fewer
// than two items to compare.
Result unsupervised(const Dataset& dataset, const ModelMaker& make_model,
                    const UnsupervisedOptions& options, const Watch& watch = {});

// The vectors that a trained network gives for the nodes of a graph, or the graphs of a set.
Matrix unsupervised_vectors(const Model& model, Parameters& weights, const Dataset& dataset,
                            const UnsupervisedSettings& settings, int64_t batch_size);

}  // namespace mgnn
