#include "mgnn/task/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mgnn/base/rng.h"

namespace mgnn {
namespace {

TEST(Metrics, AurocOfKnownScores) {
  const std::vector<float> score = {.1f, .4f, .35f, .8f};
  const std::vector<uint8_t> positive = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(auroc(score, positive), 0.75);
  EXPECT_DOUBLE_EQ(average_precision(score, positive), (1. + 2. / 3) / 2);
  EXPECT_DOUBLE_EQ(auroc(std::vector<float>(4, 1.f), positive), 0.5);
  EXPECT_DOUBLE_EQ(auroc({}, {}), 0.5);
}

TEST(Metrics, AurocIsTheShareOfPairsInOrder) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    Rng rng(seed);
    std::vector<float> score(30);
    std::vector<uint8_t> positive(30);
    for (float& s : score) s = float(rng.below(8));
    for (uint8_t& p : positive) p = rng.chance(0.4);
    double right = 0, pairs = 0;
    for (size_t i = 0; i < 30; i++)
      for (size_t j = 0; j < 30; j++)
        if (positive[i] && !positive[j]) {
          pairs++;
          right += score[i] > score[j] ? 1 : score[i] == score[j] ? 0.5 : 0;
        }
    EXPECT_NEAR(auroc(score, positive), right / pairs, 1e-12);
  }
}

TEST(Metrics, MeanAndDeviation) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(mean_std(values).mean, 2.5);
  EXPECT_NEAR(mean_std(values).std, 1.2909944487358056, 1e-12);
  EXPECT_EQ(mean_std({}).std, 0);
}

TEST(Metrics, ConfusionAndClassScores) {
  Matrix logits(4, 2);
  logits(0, 0) = 1, logits(1, 1) = 1, logits(2, 1) = 1, logits(3, 1) = 1;
  const std::vector<int32_t> label = {0, 0, 1, 1};
  const std::vector<NodeId> rows = {0, 1, 2, 3};
  const auto confusion = confusion_matrix(logits, label, rows);
  EXPECT_EQ(confusion(0, 1), 1);
  EXPECT_EQ(confusion(1, 1), 2);
  const auto scores = class_scores(confusion);
  EXPECT_DOUBLE_EQ(scores[1].precision, 2. / 3);
  EXPECT_DOUBLE_EQ(scores[0].recall, 0.5);
  EXPECT_DOUBLE_EQ(loss_accuracy(logits, label, rows).accuracy, 0.75);
}

// Labels drawn from softmax(logits / 2): the fitted temperature finds the 2.
TEST(Metrics, TemperatureIsFound) {
  Rng rng(1);
  constexpr NodeId n = 20000;
  Matrix logits(n, 3);
  for (float& v : logits.data) v = float(3 * rng.normal());
  const Matrix p = softmax_rows(logits, 2);
  std::vector<int32_t> label;
  std::vector<NodeId> rows;
  for (NodeId i = 0; i < n; i++) {
    const double u = rng.uniform();
    label.push_back(u < double(p(i, 0)) ? 0 : u < double(p(i, 0)) + double(p(i, 1)) ? 1 : 2);
    rows.push_back(i);
  }
  EXPECT_NEAR(fitted_temperature(logits, label, rows), 2, 0.1);
  EXPECT_LT(calibration_error(p, label, rows), 0.02);
  EXPECT_GT(calibration_error(softmax_rows(logits, 0.5), label, rows), 0.1);
}

}  // namespace
}  // namespace mgnn
