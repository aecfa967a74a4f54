// Three motifs that are important everywhere, against all thirteen.

#include "experiments/ablation.h"
#include "experiments/experiments.h"

namespace mgnn {

Section motif_subset(Study& study) {
  const auto all_data = study.sized<std::vector<std::string>>(
      {"roles"}, {"cora", "citeseer", "pubmed"},
      {"cora", "citeseer", "pubmed", study.knowledge_graph()});
  Section section{"Some motifs against all", {}};
  section.blocks.push_back(
      Paragraph{"MGNN with M7, M8 and M9 only. On undirected graphs all closed motifs have the "
                "same matrix and "
                "all open ones nearly so, so that these three miss little; the paper's 0.4220 on "
                "PubMed is the "
                "rate of guessing. Minutes are those of one training here and of the paper's GPU "
                "there. Setting "
                "paper. " +
                size_remark(study) + data_remark(all_data)});
  TableBlock block{
      "M7, M8, M9 and all motifs",
      {.columns = {text_column("dataset"), text_column("motifs"), score_column("ours", "mean"),
                   score_column("± std", "std"), score_column("paper"), score_column("difference"),
                   score_column("minutes", "minutes", 2),
                   score_column("paper's minutes", "paper_minutes", 2)},
       .rows = {}}};
  for (const std::string& data : all_data)
    for (const bool all : {false, true}) {
      const Variant variant{
          all ? "all" : "M7, M8, M9",
          all ? std::vector<std::string>{} : std::vector<std::string>{"model.motifs=7,8,9"}};
      const CellScores ours = variant_cells(study, data, variant);
      const std::string column = all ? "all" : "subset";
      const auto paper = paper_number("motif_subset", paper_data(data), column);
      const auto minutes = paper_number("motif_subset", paper_data(data), column + " minutes");
      std::optional<double> printed, difference, paper_minutes;
      if (paper) printed = paper->value;
      if (paper && same_data(data)) difference = ours.score().mean - paper->value;
      if (minutes) paper_minutes = minutes->value;
      block.table.rows.push_back({data_title(data), variant.name, ours.score().mean,
                                  deviation_cell(ours), cell_of(printed), cell_of(difference),
                                  ours.seconds_total / 60, cell_of(paper_minutes)});
      block.tips.push_back({"", "", ours.from, ours.from, "", "", ours.from, ""});
    }
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
