#include "experiments/ablation.h"

#include <fmt/format.h>

namespace mgnn {
namespace {

int64_t seeds_for(const Study& study, const std::string& data) {
  return study.seeds(1, level_of(data) == Level::graph || is_large(data) ? 1 : 2, 5);
}

}  // namespace

CellScores variant_cells(Study& study, const std::string& data, const Variant& variant) {
  std::vector<std::string> settings = paper_settings(study, data, "mgnn");
  settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
  return train_cells(study, data, "mgnn", settings, seeds_for(study, data));
}

Section ablation(Study& study, const std::string& title, const std::string& table,
                 const std::vector<std::string>& all_data, const std::vector<Variant>& variants,
                 const std::string& remark) {
  Section section{title, {}};
  section.blocks.push_back(
      Paragraph{remark + "Setting paper. " + size_remark(study) + data_remark(all_data)});
  TableBlock block{title,
                   {.columns = {text_column("dataset"),
                                text_column("variant"),
                                score_column("ours", "mean"),
                                score_column("± std", "std"),
                                score_column("decline %", "decline", 2),
                                score_column("paper"),
                                score_column("its decline %", "paper_decline", 2),
                                score_column("difference"),
                                {"runs", Align::right}},
                    .rows = {}}};
  Bars bars{.axis = "test accuracy", .groups = {}, .series = {}};
  for (const Variant& variant : variants) bars.series.push_back({variant.name, {}, {}, {}});
  for (const std::string& data : all_data) {
    bars.groups.push_back(data_title(data));
    std::optional<double> first, paper_first;
    for (size_t v = 0; v < variants.size(); v++) {
      const CellScores ours = variant_cells(study, data, variants[v]);
      const MeanStd score = ours.score();
      const auto paper = paper_number(table, data, variants[v].name);
      std::optional<double> decline, printed, paper_decline, difference;
      if (first && *first > 0) decline = 100 * (*first - score.mean) / *first;
      if (paper) printed = paper->value, difference = score.mean - paper->value;
      if (paper && paper_first) paper_decline = 100 * (*paper_first - paper->value) / *paper_first;
      if (v == 0) first = score.mean, paper_first = printed;
      block.table.rows.push_back({data_title(data), variants[v].name, score.mean,
                                  deviation_cell(ours), cell_of(decline), cell_of(printed),
                                  cell_of(paper_decline), cell_of(difference),
                                  int64_t(ours.test.size())});
      block.tips.push_back({"", "", ours.from, ours.from, "", "", "", "", ""});
      bars.series[v].value.emplace_back(score.mean);
      bars.series[v].error.push_back(score.std);
    }
  }
  section.blocks.push_back(std::move(block));
  section.blocks.push_back(Figure{table, title, std::move(bars)});
  return section;
}

std::vector<std::string> three_graphs(const Study& study) {
  return study.sized<std::vector<std::string>>({"roles"}, {"cora", "citeseer", "pubmed"},
                                               {"cora", "citeseer", "pubmed"});
}

}  // namespace mgnn
