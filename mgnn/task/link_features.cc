#include "mgnn/task/link_features.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/logistic_regression.h"
#include "mgnn/task/top_pairs.h"

namespace mgnn {
namespace {

constexpr double kMostSteps = 2e10;  // of a heuristic that is not asked for: some ten seconds
constexpr size_t kBlockBytes = size_t(1) << 27;  // of the rows of a block

bool takes_long(const LinkHeuristic& heuristic, const Graph& graph, size_t sources) {
  const double blocks = std::ceil(double(sources) / double(kSourcesAtOnce));
  return blocks * double(kSourcesAtOnce) * double(graph.num_arcs()) * heuristic.sweeps > kMostSteps;
}

// log(1 + x) of x >= 0 to 3e-7 or so, in a way that the compiler turns into vector instructions: with
// 1 + x = 2^e m, m in [√½, √2), log m = 2 artanh s, s = (m - 1) / (m + 1).
inline float log_one_plus(float x) {
  const auto bits = std::bit_cast<int32_t>(1 + x);
  const int32_t exponent = (bits - 0x3F3504F3) >> 23;
  const float m = std::bit_cast<float>(bits - (exponent << 23));
  const float s = (m - 1) / (m + 1), square = s * s;
  const float series =
      s * (2 + square *
                   (0.66666667f + square * (0.4f + square * (0.28571429f + square * 0.22222222f))));
  return float(exponent) * 0.69314718f + series;
}

float dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.f);
}

// Pairs by their first ends.
struct PairsBySource {
  std::vector<size_t> order;
  std::vector<NodeId> source;
  std::vector<size_t> first;  // of each source in `order`, and the end

  explicit PairsBySource(const NodePairs& pairs) : order(pairs.size()) {
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return pairs.from[a] < pairs.from[b]; });
    for (size_t i = 0; i < order.size(); i++)
      if (source.empty() || source.back() != pairs.from[order[i]]) {
        source.push_back(pairs.from[order[i]]);
        first.push_back(i);
      }
    first.push_back(order.size());
  }
};

}  // namespace

PairFeatures::PairFeatures(const Graph& graph, const NodePairs& training_pairs, bool directed,
                           HeuristicChoice heuristics, const RankQuestion& question,
                           const EndMatrices* network)
    : evidence_(
          std::make_unique<const LinkEvidence>(link_evidence(graph, training_pairs, directed))) {
  add_heuristics(heuristics, question);
  const bool symmetric = !directed && !evidence_->two_sides;
  features_.push_back(
      {symmetric ? "smaller-degree" : "degree-of-source", PairFeatureGroup::degree});
  features_.push_back({symmetric ? "larger-degree" : "degree-of-target", PairFeatureGroup::degree});
  motifs_.emplace(graph, symmetric ? PairArcs::both
                                   : usual_arcs(graph, training_pairs.from, training_pairs.to));
  for (int k = 1; k <= kNumMotifs; k++)
    features_.push_back({motif_label(k), PairFeatureGroup::motif});
  if (!network) return;
  left_ = network->left;
  right_ = network->right;
  features_.push_back({"network", PairFeatureGroup::network});
  for (int64_t c = 0; c < left_.cols; c++)
    features_.push_back({"z" + std::to_string(c + 1), PairFeatureGroup::network});
}

void PairFeatures::add_heuristics(HeuristicChoice choice, const RankQuestion& question) {
  if (choice == HeuristicChoice::none) return;
  for (const LinkHeuristic& heuristic : link_heuristics_for(*evidence_)) {
    if (choice == HeuristicChoice::automatic &&
        takes_long(heuristic, evidence_->graph, question.sources.size())) {
      left_out_.emplace_back(heuristic.name);
      continue;
    }
    features_.push_back({heuristic.name, PairFeatureGroup::heuristic});
    scorers_.push_back(heuristic.prepare(*evidence_));
  }
}

size_t PairFeatures::sources_at_once() const {
  const size_t of_source = std::max<size_t>(1, size() * size_t(num_nodes()) * sizeof(float));
  return std::clamp<size_t>(kBlockBytes / of_source, 1, kSourcesAtOnce);
}

// Degrees, motif counts and what the network says, of (u, targets[i]) in row i.
void PairFeatures::others_of(NodeId u, std::span<const NodeId> targets,
                             MatrixOf<float>& values) const {
  const bool symmetric = !evidence_->directed && !evidence_->two_sides;
  const auto own = float(evidence_->partners.out.row_size(u));
  std::vector<MotifCounts> counts(targets.size());
  motifs_->count(u, targets, counts);
  for (size_t i = 0; i < targets.size(); i++) {
    const NodeId v = targets[i];
    const auto other = float(evidence_->partners.in.row_size(v));
    float* to = values.row(int64_t(i)).data();
    *to++ = symmetric ? std::min(own, other) : own;
    *to++ = symmetric ? std::max(own, other) : other;
    for (const int64_t count : counts[i]) *to++ = float(count);
    if (left_.rows == 0) continue;
    *to++ = dot(left_.row(u), right_.row(v));
    for (int64_t c = 0; c < left_.cols; c++) *to++ = left_(u, c) * right_(v, c);
  }
}

void PairFeatures::other_rows(std::span<const NodeId> sources, float* values) const {
  const auto n = size_t(num_nodes());
  const size_t first = scorers_.size(), count = size() - first;
  std::vector<NodeId> targets;
  MatrixOf<float> of_target(int64_t(n) - 1, int64_t(count));
  for (size_t i = 0; i < sources.size(); i++) {
    targets.clear();
    for (NodeId v = 0; v < num_nodes(); v++)
      if (v != sources[i]) targets.push_back(v);
    others_of(sources[i], targets, of_target);
    for (size_t f = 0; f < count; f++) {
      float* const row = values + ((first + f) * sources.size() + i) * n;
      row[size_t(sources[i])] = 0;
      for (size_t t = 0; t < targets.size(); t++)
        row[size_t(targets[t])] = of_target(int64_t(t), int64_t(f));
    }
  }
}

void PairFeatures::rows(std::span<const NodeId> sources, float* values) const {
  const size_t of_feature = sources.size() * size_t(num_nodes());
  for (size_t f = 0; f < scorers_.size(); f++) scorers_[f](sources, values + f * of_feature);
  other_rows(sources, values);
}

Matrix PairFeatures::of_pairs(const NodePairs& pairs) const {
  Matrix result(int64_t(pairs.size()), int64_t(size()));
  for (size_t f = 0; f < scorers_.size(); f++) {
    const std::vector<float> score = scores_of_pairs(scorers_[f], num_nodes(), pairs);
    for (size_t i = 0; i < score.size(); i++) result(int64_t(i), int64_t(f)) = score[i];
  }
  const PairsBySource by(pairs);
  ParallelError error;
#pragma omp parallel for schedule(dynamic) if (worth_threads(int64_t(pairs.size()) * 1000))
  for (size_t s = 0; s < by.source.size(); s++)
    error.run([&] {
      check_interrupted();
      std::vector<NodeId> targets;
      for (size_t i = by.first[s]; i < by.first[s + 1]; i++)
        targets.push_back(pairs.to[by.order[i]]);
      MatrixOf<float> others(int64_t(targets.size()), int64_t(size() - scorers_.size()));
      others_of(by.source[s], targets, others);
      for (size_t t = 0; t < targets.size(); t++)
        std::copy_n(others.row(int64_t(t)).begin(), others.cols,
                    result.row(int64_t(by.order[by.first[s] + t])).begin() +
                        std::ptrdiff_t(scorers_.size()));
    });
  error.rethrow();
  return result;
}

PairFormula fitted_formula(const PairFeatures& features, const std::vector<size_t>& chosen,
                           const Matrix& of_pairs, std::span<const int32_t> is_edge) {
  PairFormula formula;
  Matrix x(of_pairs.rows, int64_t(chosen.size()));
  for (size_t c = 0; c < chosen.size(); c++) {
    const PairFeature& feature = features.all()[chosen[c]];
    double sum = 0, positive = 0;
    for (int64_t i = 0; i < x.rows; i++)
      if (const float value = of_pairs(i, int64_t(chosen[c])); value > 0) {
        sum += double(value);
        positive++;
      }
    const double scale = feature.counts() ? (sum > 0 ? sum / positive : 1) : 0;
    for (int64_t i = 0; i < x.rows; i++) {
      const auto value = double(of_pairs(i, int64_t(chosen[c])));
      x(i, int64_t(c)) = scale > 0 ? log_one_plus(float(value / scale)) : float(value);
    }
    formula.terms.push_back({feature.name, 0, scale});
  }
  std::vector<NodeId> rows(size_t(x.rows));
  std::iota(rows.begin(), rows.end(), 0);
  const LogisticRegression fit = fit_logistic_regression(x, is_edge, rows, 2);
  for (size_t c = 0; c < chosen.size(); c++)
    formula.terms[c].weight = fit.weight(int64_t(c), 1) - fit.weight(int64_t(c), 0);
  formula.intercept = fit.intercept[1] - fit.intercept[0];
  const auto edges = double(std::count(is_edge.begin(), is_edge.end(), 1));
  if (edges > 0 && edges < double(is_edge.size()))
    formula.negatives_per_edge = (double(is_edge.size()) - edges) / edges;
  return formula;
}

double PairFormula::probability(double score) const {
  return 1 / (1 + std::exp(-score) / negatives_per_edge);
}

PairScore::PairScore(const PairFeatures& features, const PairFormula& formula)
    : intercept_(float(formula.intercept)) {
  for (const PairFormula::Term& term : formula.terms) {
    const auto place = std::find_if(features.all().begin(), features.all().end(),
                                    [&](const PairFeature& f) { return f.name == term.feature; });
    check(place != features.all().end(), "there is no feature {} of pairs", term.feature);
    terms_.push_back({size_t(place - features.all().begin()), float(term.weight),
                      term.scale > 0 ? float(1 / term.scale) : 0.f});
  }
}

PairScore::PairScore(const PairFeatures&, size_t feature) : terms_{{feature, 1, 0}} {}

void PairScore::write(const float* values, size_t stride, size_t count, float* score) const {
  std::fill_n(score, count, intercept_);
  for (const Term& term : terms_) {
    const float* const x = values + term.feature * stride;
    if (term.inverse_scale == 0)
      for (size_t i = 0; i < count; i++) score[i] += term.weight * x[i];
    else if (term.weight != 0)
      for (size_t i = 0; i < count; i++)
        score[i] += term.weight * log_one_plus(x[i] * term.inverse_scale);
  }
}

std::vector<double> PairScore::terms(std::span<const float> values) const {
  std::vector<double> result;
  for (const Term& term : terms_) {
    const float x = values[term.feature];
    result.push_back(double(term.weight) *
                     double(term.inverse_scale == 0 ? x : log_one_plus(x * term.inverse_scale)));
  }
  return result;
}

std::vector<RankedPair> rank_pairs_by(const PairFeatures& features, const PairScore& score,
                                      const RankQuestion& question, const Graph& known,
                                      int64_t top) {
  check(top > 0, "top is {}; use at least 1", top);
  const AskedPairs asked(question, known);
  const auto n = size_t(features.num_nodes());
  const size_t step = features.sources_at_once();
  const auto blocks = int64_t((question.sources.size() + step - 1) / step);
  std::vector<RankedPair> all;
  ParallelError error;
#pragma omp parallel if (worth_threads(int64_t(question.sources.size() * n)))
  {
    TopPairs best{size_t(top)};
    Array<float> values, scores;
    error.run([&] {
      values.resize(features.size() * step * n);
      scores.resize(n);
    });
#pragma omp for schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
      error.run([&] {
        check_interrupted();
        const std::span<const NodeId> sources =
            std::span(question.sources)
                .subspan(size_t(b) * step)
                .first(std::min(step, question.sources.size() - size_t(b) * step));
        features.rows(sources, values.data());
        for (size_t i = 0; i < sources.size(); i++) {
          score.write(values.data() + i * n, sources.size() * n, n, scores.data());
          for (const NodeId v : question.targets)
            if (scores[size_t(v)] >= best.threshold() && asked(sources[i], v))
              best.offer({sources[i], v, scores[size_t(v)]});
        }
      });
#pragma omp critical
    error.run([&] { best.move_to(all); });
  }
  error.rethrow();
  std::sort(all.begin(), all.end(), BetterPair());
  if (int64_t(all.size()) > top) all.resize(size_t(top));
  return all;
}

}  // namespace mgnn
