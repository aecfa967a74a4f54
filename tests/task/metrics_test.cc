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

// Every positive beside every negative, by hand.
TEST(Metrics, RankingScoresByComparison) {
  for (uint64_t seed = 0; seed < 30; seed++) {
    Rng rng(seed);
    const size_t n = 1 + rng.below(40);
    std::vector<float> score(n);
    std::vector<uint8_t> positive(n);
    for (float& s : score) s = float(rng.below(8));
    for (uint8_t& p : positive) p = rng.chance(0.4);
    double positives = 0, reciprocal = 0, precision = 0;
    for (size_t i = 0; i < n; i++) {
      if (!positive[i]) continue;
      double above = 0, equal = 0, with_positives = 0, with_all = 0;
      for (size_t j = 0; j < n; j++) {
        above += !positive[j] && score[j] > score[i];
        equal += !positive[j] && score[j] == score[i];
        with_positives += positive[j] && score[j] >= score[i];
        with_all += score[j] >= score[i];
      }
      positives++;
      reciprocal += 1 / (1 + above + equal / 2);
      precision += with_positives / with_all;
    }
    EXPECT_NEAR(mean_reciprocal_rank(score, positive), positives ? reciprocal / positives : 0,
                1e-12);
    EXPECT_NEAR(average_precision(score, positive), positives ? precision / positives : 0, 1e-12);
    for (const int64_t k : {1, 3, 10}) {
      double hits = 0;
      for (size_t i = 0; i < n; i++) {
        int64_t not_below = 0;
        for (size_t j = 0; j < n; j++) not_below += !positive[j] && score[j] >= score[i];
        hits += positive[i] && not_below < k;
      }
      EXPECT_NEAR(hits_at_k(score, positive, k), positives ? hits / positives : 0, 1e-12);
    }
  }
}

// Labels drawn with the chances that a calibration gives: the fit finds it.
TEST(Metrics, CalibrationIsFound) {
  Rng rng(1);
  const Calibration truth{0.4, -1.5};
  std::vector<float> score(50'000);
  std::vector<uint8_t> positive(score.size());
  for (size_t i = 0; i < score.size(); i++) {
    score[i] = float(2 + 5 * rng.normal());
    positive[i] = rng.chance(truth.probability(double(score[i])));
  }
  const Calibration found = fitted_calibration(score, positive);
  EXPECT_NEAR(found.slope, truth.slope, 0.02);
  EXPECT_NEAR(found.offset, truth.offset, 0.05);
}

TEST(Metrics, CalibrationOfFewOrSeparateScores) {
  EXPECT_EQ(fitted_calibration({}, {}).slope, 1);
  // Separate: Platt's targets 2/3 and 1/3 are met exactly, at σ(±ln 2).
  const Calibration c = fitted_calibration(std::vector<float>{-1, 1}, std::vector<uint8_t>{0, 1});
  EXPECT_NEAR(c.slope, std::log(2.), 1e-6);
  EXPECT_NEAR(c.offset, 0, 1e-6);
  // Without variance nothing but the share can be said.
  const std::vector<uint8_t> half = {0, 1, 1, 0};
  EXPECT_NEAR(fitted_calibration(std::vector<float>(4, 3.f), half).probability(3), 0.5, 1e-9);
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
TEST(Metrics, MeansOverClasses) {
  MatrixOf<int64_t> confusion(3, 3);
  confusion.data = {8, 2, 0, 1, 3, 0, 0, 0, 0};  // the third class has no items
  EXPECT_DOUBLE_EQ(balanced_accuracy(confusion), (0.8 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(macro_f1(confusion), (16. / 19 + 6. / 9) / 2);
  EXPECT_EQ(macro_f1(MatrixOf<int64_t>(2, 2)), 0);
  EXPECT_EQ(balanced_accuracy(MatrixOf<int64_t>(2, 2)), 0);
}

// One class against the others, pair by pair.
TEST(Metrics, AurocOfSeveralClasses) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    Rng rng(seed);
    const int64_t n = 25, classes = 2 + int64_t(seed % 3);
    Matrix probability(n, classes);
    for (float& p : probability.data) p = float(rng.below(6));
    std::vector<int32_t> label(n);
    for (int32_t& l : label) l = int32_t(rng.below(uint64_t(classes)));
    std::vector<NodeId> rows;
    for (NodeId r = 0; r < n; r += 2) rows.push_back(r);
    double sum = 0, counted = 0;
    for (int64_t c = 0; c < classes; c++) {
      double right = 0, pairs = 0;
      for (const NodeId i : rows)
        for (const NodeId j : rows)
          if (label[i] == c && label[j] != c) {
            const float a = probability(i, c), b = probability(j, c);
            right += a > b ? 1 : a == b ? 0.5 : 0;
            pairs++;
          }
      if (pairs > 0) sum += right / pairs, counted++;
    }
    EXPECT_NEAR(macro_auroc(probability, label, rows), sum / counted, 1e-12) << seed;
  }
  EXPECT_EQ(macro_auroc(Matrix(3, 2), std::vector<int32_t>{1, 1, 1}, std::vector<NodeId>{0, 1}),
            0.5);
}

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
