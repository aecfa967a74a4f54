// RandomX: the features replaced by 16 random numbers, and by how much accuracy falls.

#include <cmath>

#include "experiments/comparison.h"
#include "experiments/experiments.h"

namespace mgnn {

Section robustness(Study& study) {
  const auto all_data =
      study.sized<std::vector<std::string>>({"roles"}, {"cora", "pubmed"}, {"cora", "pubmed"});
  Section section{"Robustness", {}};
  section.blocks.push_back(Paragraph{
      "Test accuracy with the data's own features and with 16 random numbers for each node "
      "instead; "
      "the rate is the share of accuracy that is lost. The paper prints these as bars without "
      "numbers. Setting paper. " +
      size_remark(study) + data_remark(all_data)});
  const std::vector<std::string> few = {"gcn", "gat", "mgnn"};
  for (const std::string& data : all_data) {
    TableBlock block{data_title(data),
                     {.columns = {text_column("method"), score_column("own features", "own"),
                                  score_column("random", "random"), score_column("± std", "std"),
                                  score_column("decrease %", "decrease", 1)},
                      .rows = {}}};
    Bars bars{
        .axis = "test accuracy", .groups = {}, .series = {{"own features", {}}, {"random", {}}}};
    for (const PaperMethod& method : node_methods()) {
      if (method.embedding || !is_chosen(study, method)) continue;  // embeddings see no features
      const bool chosen = std::find(few.begin(), few.end(), method.ours) != few.end();
      if (study.size() != Size::full && data != "cora" && !chosen) continue;
      std::vector<std::string> settings = paper_settings(study, data, method.ours);
      const int64_t seeds = study.seeds(1, 1, 5);
      const CellScores own = train_cells(study, data, method.ours, settings, seeds);
      settings.push_back("data.features=random");
      const CellScores random = train_cells(study, data, method.ours, settings, seeds);
      const double a = own.score().mean, b = random.score().mean;
      const double rate = a > 0 ? 100 * (a - b) / a : 0;
      block.table.rows.push_back({method.name, a, b, deviation_cell(random), rate});
      block.tips.push_back({"", own.from, random.from, random.from, ""});
      bars.groups.push_back(method.name);
      bars.series[0].value.emplace_back(a);
      bars.series[0].label.push_back(fmt::format("{:.3f}", a));
      bars.series[1].value.emplace_back(b);
      bars.series[1].label.push_back(
          fmt::format("{:.3f} {} {:.1f}%", b, rate < 0 ? "▲" : "▼", std::abs(rate)));
    }
    section.blocks.push_back(std::move(block));
    section.blocks.push_back(
        Figure{"robustness-" + data, "Random features on " + data_title(data), std::move(bars)});
  }
  return section;
}

}  // namespace mgnn
