// Gradient-boosted trees, by XGBoost where this build has it.
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "mgnn/tensor/sparse_features.h"

namespace mgnn {

struct TreeOptions {
  int64_t rounds = 10;  // trees for each column of the answer
  int64_t depth = 6;    // at most
  double rate = 0.1;    // share of a tree's answer that is taken
};

bool has_trees();  // whether XGBoost was there when this was built

// A table of features, some rows of which trees are fitted to, and all rows of which they are asked
// about. Same input, same answer: everything is done by one thread. One user at a time.
class Trees {
 public:
  // Throws Error if this build has no XGBoost.
  Trees(const std::variant<Matrix, SparseFeatures>& x, std::span<const NodeId> train);
  ~Trees();

  // The chances of each class, (n, classes). `label` has one for each training row.
  Matrix chances(std::span<const float> label, int64_t classes, const TreeOptions& options);
  // Answers as near to `target` (training rows, c) as squares say, (n, c).
  Matrix answers(const Matrix& target, const TreeOptions& options);

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace mgnn
