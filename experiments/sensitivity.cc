// The two widths of MGNN: d' of what each motif adds, d_1 of the base layer.

#include "experiments/ablation.h"
#include "experiments/experiments.h"

namespace mgnn {
namespace {

// Later layers keep their width.
std::string with_first_width(const std::string& data, int64_t width) {
  return data == "pubmed" ? fmt::format("model.layers={},3", width)
                          : fmt::format("model.layers={}", width);
}

}  // namespace

Section sensitivity(Study& study) {
  const auto all_data = study.sized<std::vector<std::string>>({"roles"}, {"cora", "citeseer"},
                                                              {"cora", "citeseer", "pubmed"});
  const auto widths =
      study.sized<std::vector<int64_t>>({2, 8}, {2, 4, 8, 16, 32, 64}, {2, 4, 8, 16, 32, 64, 128});
  Section section{"Sensitivity", {}};
  section.blocks.push_back(Paragraph{
      "Test accuracy by the width d' of what each motif adds to a layer's output, and by the width "
      "d_1 of the first base layer; the other is as in the setting paper (d' = 6, d_1 = 16). Error "
      "bars are standard deviations. The paper prints these as curves without numbers. " +
      size_remark(study) + data_remark(all_data)});
  for (const bool per_motif : {true, false}) {
    const std::string name = per_motif ? "d'" : "d_1";
    Curves curves{.x_axis = name,
                  .y_axis = "test accuracy",
                  .curves = {},
                  .powers_of_two = true,
                  .dots = true};
    TableBlock block{"Accuracy by " + name,
                     {.columns = {text_column("dataset"),
                                  {name, Align::right},
                                  score_column("ours", "mean"),
                                  score_column("± std", "std")},
                      .rows = {}}};
    for (const std::string& data : all_data) {
      Curve curve{data_title(data), {}, {}, {}};
      for (const int64_t width : widths) {
        const CellScores ours = variant_cells(study, data,
                                              {name,
                                               {per_motif ? fmt::format("model.per_motif={}", width)
                                                          : with_first_width(data, width)}});
        curve.x.push_back(double(width));
        curve.y.push_back(ours.score().mean);
        curve.error.push_back(ours.score().std);
        block.table.rows.push_back(
            {data_title(data), width, ours.score().mean, deviation_cell(ours)});
        block.tips.push_back({"", "", ours.from, ours.from});
      }
      curves.curves.push_back(std::move(curve));
    }
    section.blocks.push_back(Figure{per_motif ? "sensitivity-per-motif" : "sensitivity-base",
                                    "Accuracy by " + name, std::move(curves)});
    section.blocks.push_back(std::move(block));
  }
  return section;
}

}  // namespace mgnn
