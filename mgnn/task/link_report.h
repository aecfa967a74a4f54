// How well a network, heuristics and regressions on them find the held-out edges: what stands in the table
// of every run that predicts links.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "mgnn/report/html.h"
#include "mgnn/task/link_features.h"

namespace mgnn {

struct LinkMeasure {
  const char* name;   // of the number: "auroc_typed"
  const char* title;  // of its column
};
// AUROC of test edges against negatives of each kind; means over sources, each among all its pairs without
// an edge, of AUROC, Hits@k and MRR; precision of the first 100 and 1000 of all pairs that are no edges of
// training or validation. NaN: not measured, for want of negatives or since there are too many pairs.
inline constexpr LinkMeasure kLinkMeasures[] = {{"auroc_typed", "typed"},
                                                {"auroc_uniform", "uniform"},
                                                {"auroc_degree_matched", "degree-matched"},
                                                {"auroc_by_source", "by source"},
                                                {"hits_by_source", "Hits"},
                                                {"mrr_by_source", "MRR"},
                                                {"precision_at_100", "P@100"},
                                                {"precision_at_1000", "P@1000"}};
inline constexpr size_t kNumLinkMeasures = std::size(kLinkMeasures);

enum class LinkMethodKind { network, heuristic, regression };
struct LinkScores {
  std::string method;
  LinkMethodKind kind = LinkMethodKind::heuristic;
  std::array<double, kNumLinkMeasures> value = {};
};

// Of one repetition.
struct LinkReport {
  std::vector<LinkScores> methods;    // the network, heuristics, regressions; empty: not asked for
  std::vector<std::string> left_out;  // heuristics that would take long
  PairFormula combined;               // on all features
};
// What a repetition keeps (Repetition::own).
struct LinkOutcome {
  PairScores pairs;
  LinkReport report;
};

// `out` as of `with_decoder`. Regressions are fitted to the validation edges and negatives of their own; no
// number is changed after test edges were looked at.
LinkReport link_report(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                       const Matrix& out, const Rng& rng);

// What `out` and the training edges say of pairs.
PairFeatures pair_features(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                           const Matrix& out);

// As named numbers, for model files.
void put_formula(const PairFormula& formula, Numbers& numbers);
std::optional<PairFormula> formula_in(const Numbers& numbers);

// ---- of all repetitions

// The measure that the metric of the run is.
size_t primary_measure(const LinkOptions& options);
TextTable link_table(const std::vector<const LinkReport*>& runs, const LinkOptions& options);
// Whether the network, and its combination with heuristics, are above the best heuristic or the regression
// on them: differences paired over seeds.
std::string link_verdict(const std::vector<const LinkReport*>& runs, const LinkOptions& options);
nlohmann::ordered_json json_of(const std::vector<const LinkReport*>& runs,
                               const LinkOptions& options);

}  // namespace mgnn
