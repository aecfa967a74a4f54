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
    result.loss += log_sum_exp(row, 1) - double(row[size_t(label[r])]);
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
    scores[size_t(c)] = {truly, share(both, said), share(both, truly),
                         share(2 * both, truly + said)};
  }
  return scores;
}

double macro_f1(const std::vector<ClassScores>& scores) {
  double sum = 0;
  int64_t classes = 0;
  for (const ClassScores& s : scores)
    if (s.count > 0) sum += s.f1, classes++;
  return classes > 0 ? sum / double(classes) : 0;
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

}  // namespace mgnn
