#include "mgnn/task/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mgnn {

MeanStd mean_std(std::span<const double> values) {
  if (values.empty()) return {};
  const double n = double(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0};
}

int32_t best_class(std::span<const float> row) {
  return int32_t(std::max_element(row.begin(), row.end()) - row.begin());
}

namespace {

// log Σ exp(x / temperature)
double log_sum_exp(std::span<const float> row, double temperature) {
  const double most = double(*std::max_element(row.begin(), row.end()));
  double sum = 0;
  for (const float x : row) sum += std::exp((double(x) - most) / temperature);
  return most / temperature + std::log(sum);
}

double cross_entropy_at(const Matrix& logits, std::span<const int32_t> label,
                        std::span<const NodeId> rows, double temperature) {
  double sum = 0;
  for (const NodeId r : rows)
    sum += log_sum_exp(logits.row(r), temperature) - double(logits(r, label[r])) / temperature;
  return rows.empty() ? 0 : sum / double(rows.size());
}

// Positions by falling score.
std::vector<size_t> by_score(std::span<const float> score) {
  std::vector<size_t> order(score.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return score[a] > score[b]; });
  return order;
}

}  // namespace

LossAccuracy loss_accuracy(const float* logits, int64_t cols, std::span<const int32_t> label,
                           std::span<const NodeId> rows) {
  LossAccuracy result;
  if (rows.empty()) return result;
  for (const NodeId r : rows) {
    const std::span<const float> row(logits + int64_t(r) * cols, size_t(cols));
    result.loss += log_sum_exp(row, 1) - double(row[label[r]]);
    result.accuracy += best_class(row) == label[r];
  }
  result.loss /= double(rows.size());
  result.accuracy /= double(rows.size());
  return result;
}

LossAccuracy loss_accuracy(const Matrix& logits, std::span<const int32_t> label,
                           std::span<const NodeId> rows) {
  return loss_accuracy(logits.data.data(), logits.cols, label, rows);
}

MatrixOf<int64_t> confusion_matrix(const Matrix& logits, std::span<const int32_t> label,
                                   std::span<const NodeId> rows) {
  MatrixOf<int64_t> count(logits.cols, logits.cols);
  for (const NodeId r : rows) count(label[r], best_class(logits.row(r)))++;
  return count;
}

std::vector<ClassScores> class_scores(const MatrixOf<int64_t>& confusion) {
  std::vector<ClassScores> scores(size_t(confusion.rows));
  const auto share = [](int64_t part, int64_t of) {
    return of > 0 ? double(part) / double(of) : 0;
  };
  for (int64_t c = 0; c < confusion.rows; c++) {
    int64_t truly = 0, said = 0;
    for (int64_t o = 0; o < confusion.rows; o++) {
      truly += confusion(c, o);
      said += confusion(o, c);
    }
    const int64_t both = confusion(c, c);
    scores[c] = {truly, share(both, said), share(both, truly), share(2 * both, truly + said)};
  }
  return scores;
}

namespace {

template <class Score>
double mean_of_classes(const MatrixOf<int64_t>& confusion, Score score) {
  double sum = 0;
  int64_t classes = 0;
  for (const ClassScores& c : class_scores(confusion))
    if (c.count > 0) sum += score(c), classes++;
  return classes > 0 ? sum / double(classes) : 0;
}

}  // namespace

double macro_f1(const MatrixOf<int64_t>& confusion) {
  return mean_of_classes(confusion, [](const ClassScores& c) { return c.f1; });
}

double balanced_accuracy(const MatrixOf<int64_t>& confusion) {
  return mean_of_classes(confusion, [](const ClassScores& c) { return c.recall; });
}

double macro_auroc(const Matrix& probability, std::span<const int32_t> label,
                   std::span<const NodeId> rows) {
  double sum = 0;
  int64_t classes = 0;
  std::vector<float> score(rows.size());
  std::vector<uint8_t> positive(rows.size());
  for (int64_t c = 0; c < probability.cols; c++) {
    for (size_t i = 0; i < rows.size(); i++) {
      score[i] = probability(rows[i], c);
      positive[i] = label[rows[i]] == c;
    }
    const auto count = std::count(positive.begin(), positive.end(), uint8_t(1));
    if (count == 0 || size_t(count) == rows.size()) continue;
    sum += auroc(score, positive);
    classes++;
  }
  return classes > 0 ? sum / double(classes) : 0.5;
}

std::vector<ClassScores> label_scores(const Matrix& logits, std::span<const float> has,
                                      std::span<const NodeId> rows) {
  std::vector<ClassScores> scores(size_t(logits.cols));
  for (int64_t c = 0; c < logits.cols; c++) {
    double right = 0, answered = 0, count = 0;
    for (const NodeId r : rows) {
      const bool is_true = has[size_t(r * logits.cols + c)] > 0, is_answered = logits(r, c) > 0;
      right += is_true && is_answered;
      answered += is_answered;
      count += is_true;
    }
    scores[c] = {.count = int64_t(count),
                 .precision = answered > 0 ? right / answered : 0,
                 .recall = count > 0 ? right / count : 0,
                 .f1 = answered + count > 0 ? 2 * right / (answered + count) : 0};
  }
  return scores;
}

MultilabelScores multilabel_scores(const Matrix& logits, std::span<const float> has,
                                   std::span<const NodeId> rows) {
  MultilabelScores result;
  double right = 0, answered_and_true = 0, f1 = 0, areas = 0;
  int64_t labels = 0, both_kinds = 0;
  const std::vector<ClassScores> scores = label_scores(logits, has, rows);
  std::vector<float> score(rows.size());
  std::vector<uint8_t> positive(rows.size());
  for (int64_t c = 0; c < logits.cols; c++) {
    for (size_t i = 0; i < rows.size(); i++) {
      score[i] = logits(rows[i], c);
      positive[i] = has[size_t(rows[i] * logits.cols + c)] > 0;
      right += 2 * (positive[i] && score[i] > 0);
      answered_and_true += positive[i] + (score[i] > 0);
    }
    if (scores[c].count == 0) continue;
    f1 += scores[c].f1;
    labels++;
    if (scores[c].count == int64_t(rows.size())) continue;
    areas += auroc(score, positive);
    both_kinds++;
  }
  if (answered_and_true > 0) result.micro_f1 = right / answered_and_true;
  if (labels > 0) result.macro_f1 = f1 / double(labels);
  if (both_kinds > 0) result.auroc = areas / double(both_kinds);
  return result;
}

Matrix softmax_rows(const Matrix& logits, double temperature) {
  Matrix p(logits.rows, logits.cols);
  for (int64_t r = 0; r < logits.rows; r++) {
    const double total = log_sum_exp(logits.row(r), temperature);
    for (int64_t c = 0; c < logits.cols; c++)
      p(r, c) = float(std::exp(double(logits(r, c)) / temperature - total));
  }
  return p;
}

// Cross-entropy is convex in 1 / temperature: a search by golden section on a logarithmic scale.
double fitted_temperature(const Matrix& logits, std::span<const int32_t> label,
                          std::span<const NodeId> rows) {
  if (rows.empty()) return 1;
  const double ratio = (std::sqrt(5.) - 1) / 2;
  double low = std::log(0.05), high = std::log(20.);
  for (int i = 0; i < 60; i++) {
    const double left = high - ratio * (high - low), right = low + ratio * (high - low);
    const bool left_better = cross_entropy_at(logits, label, rows, std::exp(left)) <
                             cross_entropy_at(logits, label, rows, std::exp(right));
    (left_better ? high : low) = left_better ? right : left;
  }
  return std::exp((low + high) / 2);
}

double calibration_error(const Matrix& probability, std::span<const int32_t> label,
                         std::span<const NodeId> rows) {
  constexpr int kBins = 15;
  double confidence[kBins] = {}, right[kBins] = {};
  for (const NodeId r : rows) {
    const int32_t said = best_class(probability.row(r));
    const double p = double(probability(r, said));
    const int bin = std::clamp(int(p * kBins), 0, kBins - 1);
    confidence[bin] += p;
    right[bin] += said == label[r];
  }
  double error = 0;
  for (int b = 0; b < kBins; b++) error += std::abs(confidence[b] - right[b]);
  return rows.empty() ? 0 : error / double(rows.size());
}

RegressionScores regression_scores(std::span<const double> predicted, std::span<const double> y) {
  if (y.empty()) return {};
  const double n = double(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.) / n;
  double absolute = 0, squared = 0, variance = 0;
  for (size_t i = 0; i < y.size(); i++) {
    absolute += std::abs(predicted[i] - y[i]);
    squared += (predicted[i] - y[i]) * (predicted[i] - y[i]);
    variance += (y[i] - mean) * (y[i] - mean);
  }
  return {absolute / n, std::sqrt(squared / n), variance > 0 ? 1 - squared / variance : 0};
}

double auroc(std::span<const float> score, std::span<const uint8_t> positive) {
  const std::vector<size_t> order = by_score(score);
  double above = 0, positives = 0, negatives = 0;  // pairs in which the positive is above
  for (size_t i = 0; i < order.size();) {
    double equal_positives = 0, equal_negatives = 0;
    size_t j = i;
    for (; j < order.size() && score[order[j]] == score[order[i]]; j++)
      (positive[order[j]] ? equal_positives : equal_negatives)++;
    above += equal_negatives * (positives + equal_positives / 2);
    positives += equal_positives;
    negatives += equal_negatives;
    i = j;
  }
  return positives == 0 || negatives == 0 ? 0.5 : above / (positives * negatives);
}

double auroc_deviation_by_chance(int64_t positives, int64_t negatives) {
  if (positives == 0 || negatives == 0) return 0.5;
  const double p = double(positives), n = double(negatives);
  return std::sqrt((p + n + 1) / (12 * p * n));
}

double average_precision(std::span<const float> score, std::span<const uint8_t> positive) {
  const std::vector<size_t> order = by_score(score);
  double sum = 0, seen = 0, positives = 0;
  for (size_t i = 0; i < order.size();) {
    double equal_positives = 0;
    size_t j = i;
    for (; j < order.size() && score[order[j]] == score[order[i]]; j++)
      equal_positives += positive[order[j]];
    positives += equal_positives;
    seen += double(j - i);
    sum += equal_positives * positives / seen;
    i = j;
  }
  return positives == 0 ? 0 : sum / positives;
}

namespace {

// Scores of negatives, falling.
std::vector<float> negatives(std::span<const float> score, std::span<const uint8_t> positive) {
  std::vector<float> scores;
  for (size_t i = 0; i < score.size(); i++)
    if (!positive[i]) scores.push_back(score[i]);
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return scores;
}

// Mean of value(score) over the positives.
template <class Value>
double mean_over_positives(std::span<const float> score, std::span<const uint8_t> positive,
                           Value value) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < score.size(); i++)
    if (positive[i]) sum += value(score[i]), count++;
  return count > 0 ? sum / count : 0;
}

}  // namespace

double hits_at_k(std::span<const float> score, std::span<const uint8_t> positive, int64_t k) {
  const std::vector<float> below = negatives(score, positive);
  return mean_over_positives(score, positive, [&](float s) {
    return int64_t(below.size()) < k || s > below[k - 1] ? 1. : 0.;
  });
}

double mean_reciprocal_rank(std::span<const float> score, std::span<const uint8_t> positive) {
  const std::vector<float> others = negatives(score, positive);
  return mean_over_positives(score, positive, [&](float s) {
    const auto equal = std::equal_range(others.begin(), others.end(), s, std::greater<>());
    return 1 / (1 + double(equal.first - others.begin()) + double(equal.second - equal.first) / 2);
  });
}

double Calibration::probability(double score) const {
  return 1 / (1 + std::exp(-(slope * score + offset)));
}

// Newton's method on a convex function of two variables, with steps halved until they go down.
// Scores are standardised first, so that both variables have the same scale.
Calibration fitted_calibration(std::span<const float> score, std::span<const uint8_t> positive) {
  if (score.empty()) return {};
  const std::vector<double> values(score.begin(), score.end());
  const MeanStd scale = mean_std(values);
  const double deviation = scale.std > 0 ? scale.std : 1;
  const double positives = double(std::count(positive.begin(), positive.end(), uint8_t(1)));
  const double negatives = double(positive.size()) - positives;
  const double high = (positives + 1) / (positives + 2), low = 1 / (negatives + 2);
  const auto x = [&](size_t i) { return (values[i] - scale.mean) / deviation; };
  const auto loss = [&](const Calibration& c) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); i++) {
      const double s = c.slope * x(i) + c.offset, t = positive[i] ? high : low;
      sum += std::max(s, 0.) + std::log1p(std::exp(-std::abs(s))) - t * s;
    }
    return sum;
  };
  Calibration at{0, std::log((positives + 1) / (negatives + 1))};
  double now = loss(at);
  for (int step = 0; step < 100; step++) {
    double ga = 0, gb = 0, aa = 1e-12, ab = 0, bb = 1e-12;
    for (size_t i = 0; i < values.size(); i++) {
      const double p = at.probability(x(i)), d = p - (positive[i] ? high : low), w = p * (1 - p);
      ga += d * x(i), gb += d;
      aa += w * x(i) * x(i), ab += w * x(i), bb += w;
    }
    const double determinant = aa * bb - ab * ab;
    if (std::abs(ga) + std::abs(gb) < 1e-9 * double(values.size()) || determinant <= 0) break;
    const double da = (bb * ga - ab * gb) / determinant, db = (aa * gb - ab * ga) / determinant;
    double share = 1;
    Calibration next = at;
    double then = now;
    for (; share > 1e-10; share /= 2) {
      next = {at.slope - share * da, at.offset - share * db};
      if ((then = loss(next)) < now) break;
    }
    if (!(then < now)) break;
    at = next, now = then;
  }
  return {at.slope / deviation, at.offset - at.slope * scale.mean / deviation};
}

}  // namespace mgnn
