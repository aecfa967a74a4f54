// How good predictions are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mgnn/base/types.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

// What a score is called, and which way is better.
struct Metric {
  std::string name;  // as in tables and JSON: "accuracy"
  bool larger_is_better = true;

  bool better(double a, double b) const { return larger_is_better ? a > b : a < b; }
};

struct MeanStd {
  double mean = 0, std = 0;  // std with n - 1; 0 for fewer than two
};
MeanStd mean_std(std::span<const double> values);

// The class with the largest number in each row; of equal ones the first.
int32_t best_class(std::span<const float> row);

// Mean of -log softmax(logits[r])[label[r]] over `rows`, and the share of rows whose best class is
// the label.
struct LossAccuracy {
  double loss = 0, accuracy = 0;
};
LossAccuracy loss_accuracy(const Matrix& logits, std::span<const int32_t> label,
                           std::span<const NodeId> rows);
LossAccuracy loss_accuracy(const float* logits, int64_t cols, std::span<const int32_t> label,
                           std::span<const NodeId> rows);

// count(true class, predicted class)
MatrixOf<int64_t> confusion_matrix(const Matrix& logits, std::span<const int32_t> label,
                                   std::span<const NodeId> rows);

struct ClassScores {
  int64_t count = 0;  // items of the class
  double precision = 0, recall = 0, f1 = 0;
};
std::vector<ClassScores> class_scores(const MatrixOf<int64_t>& confusion);
// Means over the classes that have items: of F1, and of recall. 0 if none has.
double macro_f1(const MatrixOf<int64_t>& confusion);
double balanced_accuracy(const MatrixOf<int64_t>& confusion);
// Area under the ROC curve of each class against all others, by its probability; the mean over the
// classes with items on both sides (of two classes both have the same). 0.5 if there is none.
double macro_auroc(const Matrix& probability, std::span<const int32_t> label,
                   std::span<const NodeId> rows);

// Of items with several labels, where an item is answered those whose logit is above 0. `has` (items,
// labels) is 1 for the labels an item has.
std::vector<ClassScores> label_scores(const Matrix& logits, std::span<const float> has,
                                      std::span<const NodeId> rows);
struct MultilabelScores {
  double micro_f1 = 0;  // 2 right / (answered + true), over all labels; 0 if there are none
  double macro_f1 = 0;  // mean over the labels that items have
  double auroc = 0.5;   // mean over the labels that some items have and some have not
};
MultilabelScores multilabel_scores(const Matrix& logits, std::span<const float> has,
                                   std::span<const NodeId> rows);

// Probabilities: softmax of logits / temperature, row by row.
Matrix softmax_rows(const Matrix& logits, double temperature);
// The temperature with the lowest cross-entropy on `rows` (Guo et al. 2017); 1 for no rows.
double fitted_temperature(const Matrix& logits, std::span<const int32_t> label,
                          std::span<const NodeId> rows);
// Expected calibration error, in 15 bins of the largest probability.
double calibration_error(const Matrix& probability, std::span<const int32_t> label,
                         std::span<const NodeId> rows);

// Of numbers that are predicted: mean absolute error, root of the mean squared error, and
// R² = 1 - Σ (y - p)² / Σ (y - mean y)², which is 0 where all y are equal. All 0 for no numbers.
struct RegressionScores {
  double mae = 0, rmse = 0, r2 = 0;
};
RegressionScores regression_scores(std::span<const double> predicted, std::span<const double> y);

// Area under the ROC curve of scores whose `positive` says true or false: the chance that a
// positive is above a negative, ties half. 0.5 if one kind is missing.
double auroc(std::span<const float> score, std::span<const uint8_t> positive);
// Standard deviation of the AUROC of scores that know nothing, without ties (Mann, Whitney 1947): √((p + n
// + 1) / (12 p n)). ½, the most there can be, if one kind is missing.
double auroc_deviation_by_chance(int64_t positives, int64_t negatives);
// Mean of the precision at every positive; scores that are equal are taken together.
double average_precision(std::span<const float> score, std::span<const uint8_t> positive);
// Share of positives that are above all but k - 1 of the negatives (Hu et al. 2020); 1 for fewer
// than k negatives, 0 for no positives. REQUIRES: k > 0.
double hits_at_k(std::span<const float> score, std::span<const uint8_t> positive, int64_t k);
// Mean over positives of 1 / rank among the negatives, the first rank 1; an equal negative adds
// half a rank. 0 for no positives.
double mean_reciprocal_rank(std::span<const float> score, std::span<const uint8_t> positive);

// From a score to the chance that it is a positive's (Platt 1999): 1 / (1 + e^-(slope s + offset)).
struct Calibration {
  double slope = 1, offset = 0;
  double probability(double score) const;
};
// The one with the lowest cross-entropy, with Platt's targets (n + 1) / (n + 2) and 1 / (n + 2)
// instead of 1 and 0, which keep it finite where scores separate the two; slope 1, offset 0 for no
// scores. Chances are those among as many positives and negatives as were given.
Calibration fitted_calibration(std::span<const float> score, std::span<const uint8_t> positive);

}  // namespace mgnn
