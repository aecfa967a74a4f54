#include "experiments/method_tables.h"

#include <fmt/format.h>

namespace mgnn {
namespace {

// Bars of all methods, a colour for each setting and one for the paper.
Figure bars_of(const Study& study, const std::string& data,
               const std::vector<std::vector<Compared>>& by_setting) {
  Bars bars{.axis = "test accuracy", .groups = {}, .series = {}};
  for (const Compared& row : by_setting[0]) bars.groups.push_back(row.name);
  for (size_t s = 0; s < by_setting.size(); s++) {
    BarSeries series{fmt::format("ours, {}", name_of(study.options().settings[s])), {}, {}, {}};
    for (const Compared& row : by_setting[s]) {
      series.value.emplace_back(row.ours.score().mean);
      series.error.push_back(row.ours.score().std);
    }
    bars.series.push_back(std::move(series));
  }
  BarSeries paper{"the paper", {}, {}, {}};
  bool any = false;
  for (const Compared& row : by_setting[0]) {
    paper.value.push_back(row.paper ? std::optional(row.paper->value) : std::nullopt);
    paper.error.push_back(row.paper ? row.paper->deviation : 0);
    any |= row.paper.has_value();
  }
  if (any) bars.series.push_back(std::move(paper));
  return {"accuracy-" + data, "Accuracy on " + data_title(data), std::move(bars)};
}

std::string absent(std::span<const PaperMethod> methods) {
  std::string names;
  for (const PaperMethod& method : methods)
    if (!is_known(method)) names += (names.empty() ? "" : ", ") + std::string(method.name);
  return names.empty() ? "" : names + " is not part of this build and left out. ";
}

std::string mean_text(double mean, double deviation) {
  return deviation > 0 ? fmt::format("{:.3f} ± {:.3f}", mean, deviation)
                       : fmt::format("{:.3f}", mean);
}

// "Cora, paper", "the paper" and "difference"; the latter two for the paper's data and setting.
void add_columns(TextTable& overview, const std::string& data, Protocol setting,
                 const std::vector<Compared>& rows) {
  const bool with_paper = setting == Protocol::paper && same_data(data);
  const auto key = [&](const char* what) { return data + "_" + name_of(setting) + what; };
  overview.columns.push_back(
      {data_title(data) + ", " + name_of(setting), Align::right, 0, key("")});
  if (with_paper) {
    overview.columns.push_back({"the paper", Align::right, 0, key("_paper")});
    overview.columns.push_back({"difference", Align::right, 0, key("_difference")});
  }
  overview.rows.resize(rows.size());
  for (size_t r = 0; r < rows.size(); r++) {
    std::vector<Cell>& row = overview.rows[r];
    if (row.empty()) row.emplace_back(rows[r].name);
    const MeanStd ours = rows[r].ours.score();
    row.emplace_back(mean_text(ours.mean, rows[r].ours.test.size() > 1 ? ours.std : 0));
    if (!with_paper) continue;
    row.resize(row.size() + 2);
    if (const auto& paper = rows[r].paper) {
      row.end()[-2] = mean_text(paper->value, 0);
      row.end()[-1] = fmt::format("{:+.3f}", ours.mean - paper->value);
    }
  }
}

}  // namespace

Section method_tables(Study& study, const std::string& title, const std::string& table,
                      std::span<const PaperMethod> methods,
                      const std::vector<std::string>& all_data, Level level,
                      const std::string& remark) {
  Section section{title, {}};
  if (all_data.empty()) {
    section.blocks.push_back(Paragraph{"No dataset of this table was asked for. "});
    return section;
  }
  section.blocks.push_back(
      Paragraph{remark + absent(methods) + size_remark(study, level) + data_remark(all_data)});
  TableBlock overview{level == Level::graph ? "Overview, graphs" : "Overview, nodes",
                      {.columns = {text_column("method")}, .rows = {}}};
  for (const std::string& data : all_data) {
    std::vector<std::vector<Compared>> by_setting;
    for (const Protocol setting : study.options().settings) {
      std::vector<Compared> rows;
      for (const PaperMethod& method : methods)
        if (is_chosen(study, method))
          rows.push_back({method.name,
                          method_cells(study, data, method, setting, num_seeds(study, level)),
                          paper_number(table, method.name, paper_data(data))});
      section.blocks.push_back(comparison_table(
          fmt::format("{}, setting {}", data_title(data), name_of(setting)), "method", rows, data));
      add_columns(overview.table, data, setting, rows);
      by_setting.push_back(std::move(rows));
    }
    section.blocks.push_back(bars_of(study, data, by_setting));
  }
  section.blocks.push_back(std::move(overview));
  return section;
}

std::string settings_remark(const std::string& where) {
  return "Setting paper: what the paper ran, as far as it can be known; embeddings with the "
         "defaults "
         "of karateclub and unscaled logistic regression" +
         where +
         ", networks with the paper's settings for all. Setting fair: the same splits for all "
         "methods, every network tuned on validation items with the same number of trials "
         "(recorded profiles, which have epochs of their own, where there are any), standardised "
         "attributes; embeddings as their papers have them, the regression's C chosen "
         "on validation items. ";
}

}  // namespace mgnn
