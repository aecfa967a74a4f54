#include "mgnn/task/rank_warnings.h"

#include <fmt/format.h>

namespace mgnn {
namespace {

std::string type_name(const Dataset& dataset, int32_t type) {
  return type < 0 ? "any" : dataset.node_type_names[type];
}

bool fits(const Dataset& dataset, NodeId node, int32_t type) {
  return type < 0 || dataset.node_type[node] == type;
}

bool has_training_pair(const RankEvidence& evidence, const LinkEnds& ends) {
  const Dataset& dataset = evidence.dataset;
  const auto joins = [&](NodeId u, NodeId v) {
    return fits(dataset, u, ends.from) && fits(dataset, v, ends.to);
  };
  for (size_t i = 0; i < evidence.training_pairs.size(); i++) {
    const auto [u, v] = evidence.training_pairs[i];
    if (joins(u, v) || (!is_directed(evidence.trained.decoder) && joins(v, u))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> rank_warnings(const RankEvidence& evidence) {
  std::vector<std::string> warnings;
  const double chance = auroc_deviation_by_chance(evidence.positives, evidence.negatives);
  if (evidence.validation_auroc < 0.5 + 2 * chance)
    warnings.push_back(fmt::format(
        "the AUROC of the {} validation edges is {:.3f}, where chance alone gives 0.5 ± {:.3f}: "
        "nothing shows that the network ranks better than chance",
        evidence.positives, evidence.validation_auroc, chance));
  const LinkEnds ends = link_ends(evidence.dataset, evidence.asked);
  if (!has_training_pair(evidence, ends))
    warnings.push_back(
        fmt::format("no edge between {} and {} was trained on: the network has not learned what "
                    "joins these types",
                    in_quotes(type_name(evidence.dataset, ends.from)),
                    in_quotes(type_name(evidence.dataset, ends.to))));
  const std::string &trained = evidence.trained.relation, &asked = evidence.asked.relation;
  if (!trained.empty() && !asked.empty() && trained != asked)
    warnings.push_back(
        fmt::format("the network was trained on the relation {}: its scores are of that relation, "
                    "not of {}",
                    in_quotes(trained), in_quotes(asked)));
  if (evidence.calibration.slope <= 0)
    warnings.push_back(
        fmt::format("the slope of the calibration is {:.3g}: among the validation pairs higher "
                    "scores do not mean likelier edges",
                    evidence.calibration.slope));
  return warnings;
}

}  // namespace mgnn
