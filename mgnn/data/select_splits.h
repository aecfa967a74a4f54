// Which split a repetition of an experiment uses: the one place that knows names of splits.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

struct SplitOptions {
  // auto: the user's own, of a column of a table or of masks in a file, if there is one, else random.
  // Nodes: random, public-test (half of the public test nodes validate), or the beginning of the
  // name of some of the dataset's own splits, which repetitions take in turn.
  // Graphs: random (stratified cross-validation: fold f is test, the next one validation),
  // sklearn:N (the folds that scikit-learn draws with random_state N, whatever the seed), or the
  // beginning of the name of some of the dataset's own splits, all of which are used.
  std::string name = "auto";
  int64_t folds = 5;                         // of graphs
  int64_t num_validation = 0, num_test = 0;  // of a random split of nodes; 0: as default_split
};

// The splits of one repetition: of nodes one, of a set of graphs as many as there are folds.
// `label` (items): the class by which random splits are stratified; -1: the item is in none.
// `rng` draws random splits, `repetition` counts from 0.
// Of the dataset's own splits, items without a class are left out, and where none validate, a fifth of
// those to train do, at random.
// Throws Error (usage) if there is no split of that name or the items are too few for it, and Error
// (data) if a split has no items to train on.
std::vector<Split> select_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                 const SplitOptions& options, const Rng& rng, int64_t repetition);

// The name that auto stands for, else the name itself.
std::string split_name(const Dataset& dataset, const SplitOptions& options);
// What was guessed or changed of the dataset's own split; empty if nothing. `label` may be empty.
std::string split_note(const Dataset& dataset, const std::vector<int32_t>& label,
                       const SplitOptions& options);

}  // namespace mgnn
