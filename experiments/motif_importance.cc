// Each motif alone, ranked by the accuracy of an MGNN that has no other.

#include <algorithm>

#include "experiments/ablation.h"
#include "experiments/experiments.h"
#include "experiments/ranking.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {

std::vector<RankedMotif> motif_ranking(Study& study) {
  const std::string data = study.knowledge_graph();
  std::vector<RankedMotif> ranking;
  for (int k = 1; k <= kNumMotifs; k++)
    ranking.push_back(
        {k, variant_cells(study, data, {motif_label(k), {fmt::format("model.motifs={}", k)}})});
  std::stable_sort(ranking.begin(), ranking.end(), [](const RankedMotif& a, const RankedMotif& b) {
    return a.ours.score().mean > b.ours.score().mean;
  });
  return ranking;
}

Section motif_importance_ranking(Study& study) {
  const std::string data = study.knowledge_graph();
  std::vector<Compared> rows;
  Bars bars{.axis = "test accuracy", .groups = {}, .series = {{"alone", {}, {}, {}}}, .digits = 4};
  const auto add = [&](const std::string& name, const CellScores& scores) {
    rows.push_back({name, scores, paper_number("motif_importance", name, paper_data(data))});
    bars.groups.push_back(name);
    bars.series[0].value.emplace_back(scores.score().mean);
    bars.series[0].error.push_back(scores.score().std);
  };
  for (const RankedMotif& ranked : motif_ranking(study))
    add(motif_label(ranked.motif), ranked.ours);
  add("all", variant_cells(study, data, {"all"}));
  Section section{"Motif importance", {}};
  section.blocks.push_back(Paragraph{
      "Test accuracy of an MGNN that is given one motif only, best first, and of one with all. The "
      "differences between motifs are to be read against the standard deviations. " +
      size_remark(study) + data_remark({data})});
  section.blocks.push_back(
      comparison_table("Each motif alone on " + data_title(data), "motif", rows, data));
  section.blocks.push_back(
      Figure{"motif_importance", "Each motif alone on " + data_title(data), std::move(bars)});
  return section;
}

}  // namespace mgnn
