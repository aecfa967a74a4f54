// Gradient-boosted trees, by XGBoost where this build has it.
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "mgnn/tensor/ops.h"

namespace mgnn {

struct TreeOptions {
  int64_t rounds = 10;  // trees for each column of the prediction
  int64_t depth = 6;    // maximum
  double rate = 0.1;    // learning rate (shrinkage)
};

bool has_trees();  // whether XGBoost is here

// Boosted trees that are fitted to some rows of a table of features and predict all rows.
// Single-threaded and deterministic. Not thread-safe.
class Trees {
 public:
  // Throws Error if there is no XGBoost.
  Trees(const std::variant<Matrix, SparseFeatures>& x, std::span<const NodeId> train);
  ~Trees();

  // Class probabilities (n, classes). `label` has one for each training row.
  Matrix class_probabilities(std::span<const float> label, int64_t classes,
                             const TreeOptions& options);
  // Regression on `target` (training rows, c) with squared error: predictions (n, c).
  Matrix regression(const Matrix& target, const TreeOptions& options);

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace mgnn
