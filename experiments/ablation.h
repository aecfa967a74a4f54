// Variants of MGNN on several datasets.
#pragma once

#include "experiments/comparison.h"

namespace mgnn {

struct Variant {
  std::string name;
  std::vector<std::string> settings = {};
};
CellScores variant_cells(Study& study, const std::string& data, const Variant& variant);

// One row for each dataset and variant; declines are those from the first variant.
Section ablation(Study& study, const std::string& title, const std::string& table,
                 const std::vector<std::string>& all_data, const std::vector<Variant>& variants,
                 const std::string& remark);

// Cora, CiteSeer and PubMed.
std::vector<std::string> three_graphs(const Study& study);

}  // namespace mgnn
