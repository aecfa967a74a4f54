#include "experiments/comparison.h"

#include <fmt/format.h>

namespace mgnn {

bool same_data(const std::string& data) {
  return data != "hetionet" && data != "roles" && data != "triads" && data != "toykg";
}

std::string data_title(const std::string& data) {
  static const std::map<std::string, std::string> kTitles = {
      {"cora", "Cora"},
      {"citeseer", "CiteSeer"},
      {"pubmed", "PubMed"},
      {"chem2bio2rdf", "Chem2Bio2RDF"},
      {"hetionet", "hetionet (in place of Chem2Bio2RDF)"},
      {"mutag", "MUTAG"},
      {"enzymes", "ENZYMES"},
      {"aids", "AIDS"},
      {"roles", "roles (embedded, not of the paper)"},
      {"triads", "triads (embedded, not of the paper)"}};
  const auto title = kTitles.find(data);
  return title == kTitles.end() ? data : title->second;
}

std::string paper_data(const std::string& data) {
  return data == "hetionet" ? "chem2bio2rdf" : data;
}

std::string data_remark(const std::vector<std::string>& data) {
  std::string text;
  for (const std::string& name : data) {
    if (name == "hetionet")
      text +=
          "Chem2Bio2RDF is not available; hetionet, a biomedical graph of the same kind (42,541 "
          "nodes, 1.00 million arcs, 11 kinds of nodes), takes its place. The paper's numbers "
          "beside it are those of Chem2Bio2RDF, so no difference is given. ";
    if (name == "roles" || name == "triads")
      text += name + " is an embedded dataset to try things on, not one of the paper's. ";
  }
  return text;
}

std::string size_remark(const Study& study, Level level) {
  const bool graphs = level == Level::graph;
  const int64_t asked_for = study.options().epochs;
  if (study.size() == Size::full && asked_for == 0) return "";
  const std::string quick = graphs ? "200" : "200 (large graphs 60, BGNN 40)";
  const std::string epochs =
      asked_for > 0 ? fmt::format("{}", asked_for) : study.sized<std::string>("8", quick, "");
  return fmt::format(
      "Size {}: at most {} epochs (the paper: {}), so numbers are rougher than in the full size. ",
      name_of(study.size()), epochs, graphs ? "five folds, 300 epochs" : "five seeds, 3000 epochs");
}

TableColumn text_column(const std::string& title) { return {title}; }
TableColumn score_column(const std::string& title, const std::string& key, int digits) {
  return {title, Align::decimal, digits, key};
}
Cell cell_of(std::optional<double> value) { return value ? Cell(*value) : Cell(); }
Cell deviation_cell(const CellScores& scores) {
  return scores.test.size() > 1 ? Cell(scores.score().std) : Cell();
}

TableBlock comparison_table(const std::string& caption, const std::string& first_title,
                            const std::vector<Compared>& rows, const std::string& data) {
  TableBlock block{caption,
                   {.columns = {text_column(first_title),
                                score_column("ours", "mean"),
                                score_column("± std", "std"),
                                score_column("paper"),
                                score_column("± std ", "paper_std"),
                                score_column("difference"),
                                {"runs", Align::right}},
                    .rows = {}}};
  for (const Compared& row : rows) {
    const MeanStd ours = row.ours.score();
    std::optional<double> paper, deviation, to_paper;
    if (row.paper) {
      paper = row.paper->value;
      if (row.paper->deviation > 0) deviation = row.paper->deviation;
      if (same_data(data)) to_paper = ours.mean - row.paper->value;
    }
    block.table.rows.push_back({row.name, ours.mean, deviation_cell(row.ours), cell_of(paper),
                                cell_of(deviation), cell_of(to_paper),
                                int64_t(row.ours.test.size())});
    block.tips.push_back({"", row.ours.from, row.ours.from, "", "", "", ""});
  }
  return block;
}

}  // namespace mgnn
