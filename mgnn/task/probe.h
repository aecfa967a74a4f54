// Embeddings of a dataset, and what they are worth: the accuracy of a logistic regression.
#pragma once

#include "mgnn/base/progress.h"
#include "mgnn/data/dataset.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/task/logistic_regression.h"
#include "mgnn/task/metrics.h"

namespace mgnn {

// Rows for the nodes or the graphs of a dataset; node and arc labels are looked up where a set of
// graphs has them. Throws Error (usage) if a method for nodes is given a set of graphs.
Matrix embed(const Dataset& dataset, const EmbeddingMethod& method, const Embedding& embedding);
// Rows for the graphs of `unseen`, fitted on those of `fitted`.
Matrix embed_unseen(const Dataset& fitted, const Dataset& unseen, const Embedding& embedding);

struct ProbeOptions {
  uint64_t seed = 0;
  int64_t seeds = 5;  // splits, or rounds of cross-validation
  SplitOptions split = {};
  LogisticRegressionOptions regression = {};
};

struct Probe {
  std::vector<double> accuracy;  // on the test items of each split or fold
  MeanStd test() const { return mean_std(accuracy); }
};

// Those of all seeds, one after the other: of each seed one, or of a set of graphs all folds, once
// if they do not depend on the seed.
// Throws Error (data) if items have no labels.
std::vector<Split> probe_splits(const Dataset& dataset, const ProbeOptions& options);

// One graph: fits on the training nodes of each split, the same that networks are trained on, and
// tests on its test nodes; validation nodes are not used. A set of graphs: stratified folds, fitted
// on all but one. Nothing is tuned.
Probe probe(const Matrix& z, const Dataset& dataset, const ProbeOptions& options = {});
Probe probe(const Matrix& z, const Dataset& dataset, std::span<const Split> splits,
            const LogisticRegressionOptions& regression, Progress* progress = nullptr);

}  // namespace mgnn
