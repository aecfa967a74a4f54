// The table of experiments: one for each table or figure of the paper.
#pragma once

#include "experiments/study.h"

namespace mgnn {

struct Experiment {
  const char* name;
  const char* summary;
  Section (*run)(Study& study);
  // What StudyOptions::data may choose from; null where the data are always the same.
  std::vector<std::string> (*data)(const Study& study) = nullptr;
};
std::span<const Experiment> experiments();

// Throws Error (usage) with the nearest name.
const Experiment& find_experiment(std::string_view name);

Section datasets(Study& study);
Section node_classification_table(Study& study);
Section graph_classification_table(Study& study);
Section robustness(Study& study);
Section ablation_motifs(Study& study);
Section ablation_delta(Study& study);
Section ablation_combination(Study& study);
Section motif_importance_ranking(Study& study);
Section motif_heatmap(Study& study);
Section link_prediction_table(Study& study);
Section top_associations(Study& study);
Section sensitivity(Study& study);
Section efficiency(Study& study);
Section ensembles(Study& study);
Section construction(Study& study);
Section motif_subset(Study& study);
Section expressiveness(Study& study);
Section defaults(Study& study);

// The data of `defaults`, all of them.
std::vector<std::string> default_data(const Study& study);

}  // namespace mgnn
