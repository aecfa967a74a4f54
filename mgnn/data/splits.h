// Splits of nodes and graphs, by seed.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

// `num_validation` + `num_test` of the labelled nodes at random, the rest for training.
// Throws Error (usage) if fewer than one node would be left for training.
Split random_split(const std::vector<int32_t>& label, int64_t num_validation, int64_t num_test,
                   Rng rng);

// 500 + 500, or 5,000 + 5,000 for graphs of 100,000 nodes or more; on graphs too small for it
// (fewer than 2,000 labelled nodes) a quarter each.
Split default_split(const std::vector<int32_t>& label, Rng rng);

// One half of the test nodes of `given` at random for validation, the other half for testing, all
// other labelled nodes for training.
Split halved_test_split(const Split& given, const std::vector<int32_t>& label, Rng rng);

// Stratified cross-validation: item i is in fold result[i]; every class is spread over the folds
// as evenly as can be, and fold sizes differ by at most the number of classes. Unlabelled items
// get -1. Test is fold f, validation fold (f + 1) % k, training the rest (`fold_split`).
std::vector<int> stratified_folds(const std::vector<int32_t>& label, int num_folds, Rng rng);
// The folds of scikit-learn's StratifiedKFold(num_folds, shuffle=True, random_state=...), for
// results that stand beside those of a Python script.
std::vector<int> sklearn_folds(const std::vector<int32_t>& label, int num_folds,
                               uint32_t random_state);
Split fold_split(const std::vector<int>& fold, int num_folds, int test_fold);

// Edges for link prediction, as indices into `edges`: 85/5/10 by default. u -> v and v -> u always
// fall on the same side.
struct EdgeSplit {
  std::vector<Offset> train, validation, test;
};
EdgeSplit edge_split(std::span<const Edge> edges, double validation_share, double test_share,
                     Rng rng);

}  // namespace mgnn
