// Our numbers beside the paper's.
#pragma once

#include "experiments/cells.h"
#include "experiments/paper.h"

namespace mgnn {

struct Compared {
  std::string name;
  CellScores ours;
  std::optional<PaperNumber> paper;
};

// The same data: a difference to the paper's number means something.
bool same_data(const std::string& data);
// "hetionet (in place of Chem2Bio2RDF)", or the name as people write it.
std::string data_title(const std::string& data);
// The paper's column for our data.
std::string paper_data(const std::string& data);
// What to say of data that are not the paper's; empty if there is nothing to say.
std::string data_remark(const std::vector<std::string>& data);
// How this size differs from the paper's protocol; empty for full.
std::string size_remark(const Study& study, Level level = Level::node);

// method, ours, ±, paper, ±, difference (if `data` are the paper's), runs.
TableBlock comparison_table(const std::string& caption, const std::string& first_title,
                            const std::vector<Compared>& rows, const std::string& data);

TableColumn text_column(const std::string& title);
TableColumn score_column(const std::string& title, const std::string& key = "", int digits = 4);
Cell cell_of(std::optional<double> value);
Cell deviation_cell(const CellScores& scores);  // nothing for a single run

}  // namespace mgnn
