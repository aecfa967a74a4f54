// Numbers that say something of a pair of nodes: heuristics, degrees, the motifs that an edge would make,
// and what a network says; and formulas of them.
#pragma once

#include <memory>
#include <optional>

#include "mgnn/links/heuristics.h"
#include "mgnn/links/pair_motifs.h"
#include "mgnn/task/rank_pairs.h"

namespace mgnn {

enum class PairFeatureGroup { heuristic, degree, motif, network };
struct PairFeature {
  std::string name;  // that of a heuristic, "degree-of-source", "M1", "network", "z1"
  PairFeatureGroup group;
  bool counts() const { return group != PairFeatureGroup::network; }  // never negative
};

// Of training edges alone. `network`: the ends whose products are the network's score; left away: no
// features of a network. What joins a pair in the graph plays no part in its motif counts. Any number
// of threads may read it at once.
class PairFeatures {
 public:
  PairFeatures(const Graph& graph, const NodePairs& training_pairs, bool directed,
               HeuristicChoice heuristics, const RankQuestion& question,
               const EndMatrices* network = nullptr);

  const std::vector<PairFeature>& all() const { return features_; }
  size_t size() const { return features_.size(); }
  NodeId num_nodes() const { return evidence_->graph.num_nodes(); }
  const std::vector<std::string>& left_out() const { return left_out_; }  // they would take long

  // values[(f * sources + i) * nodes + v] is feature f of (sources[i], v).
  void rows(std::span<const NodeId> sources, float* values) const;
  size_t sources_at_once() const;                 // that keep the memory of `rows` small
  Matrix of_pairs(const NodePairs& pairs) const;  // (pairs, features). Parallel

 private:
  void add_heuristics(HeuristicChoice choice, const RankQuestion& question);
  void other_rows(std::span<const NodeId> sources, float* values) const;
  void others_of(NodeId u, std::span<const NodeId> targets, MatrixOf<float>& values) const;

  std::unique_ptr<const LinkEvidence> evidence_;  // the scorers refer to it
  std::vector<PairFeature> features_;
  std::vector<SourceScorer> scorers_;  // the first features
  std::optional<PairMotifs> motifs_;
  Matrix left_, right_;  // (n, d) of the network, or empty
  std::vector<std::string> left_out_;
};

// A logistic regression on some features: intercept + Σ weight · f(x), where f(x) = log(1 + x / scale) of
// numbers that are never negative, and x of others.
struct PairFormula {
  struct Term {
    std::string feature;
    double weight = 0, scale = 1;
  };
  double intercept = 0;
  std::vector<Term> terms;
  double negatives_per_edge = 1;  // that it was fitted to

  // The chance of being an edge among as many edges as negatives.
  double probability(double score) const;
};
// Fitted to pairs with these features. `chosen`: places of features.
PairFormula fitted_formula(const PairFeatures& features, const std::vector<size_t>& chosen,
                           const Matrix& of_pairs, std::span<const int32_t> is_edge);

// A formula, or one feature, with the places of its features: ready to give scores.
class PairScore {
 public:
  PairScore(const PairFeatures& features, const PairFormula& formula);
  PairScore(const PairFeatures& features, size_t feature);  // the feature itself
  // Of `count` pairs; feature f of pair i is at values[f * stride + i].
  void write(const float* values, size_t stride, size_t count, float* score) const;
  // The terms of one pair: they and the intercept add up to its score.
  std::vector<double> terms(std::span<const float> values) const;

 private:
  struct Term {
    size_t feature;
    float weight, inverse_scale;  // inverse_scale 0: x itself
  };
  float intercept_ = 0;
  std::vector<Term> terms_;
};

// The `top` best pairs without an edge in `known`, as rank_pairs. Parallel.
std::vector<RankedPair> rank_pairs_by(const PairFeatures& features, const PairScore& score,
                                      const RankQuestion& question, const Graph& known,
                                      int64_t top);

}  // namespace mgnn
