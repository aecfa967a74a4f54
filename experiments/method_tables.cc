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
  for (const PaperMethod& one : methods)
    if (!is_known(one)) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names.empty() ? "" : names + " is not part of this build and left out. ";
}

}  // namespace

Section method_tables(Study& study, const std::string& title, const std::string& table,
                      std::span<const PaperMethod> methods,
                      const std::vector<std::string>& all_data, bool graphs,
                      const std::string& remark) {
  Section section{title, {}};
  if (all_data.empty()) {
    section.blocks.push_back(Paragraph{"No dataset of this table was asked for. "});
    return section;
  }
  section.blocks.push_back(
      Paragraph{remark + absent(methods) + size_remark(study, graphs) + data_remark(all_data)});
  for (const std::string& data : all_data) {
    std::vector<std::vector<Compared>> by_setting;
    for (const Protocol setting : study.options().settings) {
      std::vector<Compared> rows;
      for (const PaperMethod& method : methods)
        if (is_chosen(study, method))
          rows.push_back({method.name,
                          method_cells(study, data, method, setting, num_seeds(study, graphs)),
                          paper_number(table, method.name, paper_data(data))});
      section.blocks.push_back(
          comparison_table(fmt::format("{}, setting {}", data_title(data), name_of(setting)),
                           "method", rows, same_data(data)));
      by_setting.push_back(std::move(rows));
    }
    section.blocks.push_back(bars_of(study, data, by_setting));
  }
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
