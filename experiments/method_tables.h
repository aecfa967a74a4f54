// Every method on every dataset: a table for each dataset and setting, bars, and an overview.
#pragma once

#include "experiments/comparison.h"

namespace mgnn {

// `table`: whose numbers of the paper stand beside ours.
Section method_tables(Study& study, const std::string& title, const std::string& table,
                      std::span<const PaperMethod> methods,
                      const std::vector<std::string>& all_data, Level level,
                      const std::string& remark);

// What the two settings are. `where`: the split of embeddings in the paper's.
std::string settings_remark(const std::string& where);

}  // namespace mgnn
