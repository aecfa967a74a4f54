#include "experiments/experiments.h"

#include <fmt/format.h>

#include <array>

#include "experiments/settings.h"

namespace mgnn {

std::span<const Experiment> experiments() {
  static constexpr std::array kExperiments = {
      Experiment{"datasets", "Statistics of the datasets", datasets},
      Experiment{"node_classification", "All methods on the nodes of four graphs",
                 node_classification_table, graphs_of_tables},
      Experiment{"graph_classification", "All methods on three sets of graphs",
                 graph_classification_table, sets_of_tables},
      Experiment{"robustness", "Random features instead of the data's own", robustness},
      Experiment{"ablation_motifs", "MGNN with and without motifs", ablation_motifs},
      Experiment{"ablation_delta", "MGNN with and without redundancy minimisation", ablation_delta},
      Experiment{"ablation_combination", "Concatenation of motifs against max, sum and mean",
                 ablation_combination},
      Experiment{"motif_importance", "Each motif alone, ranked, against all",
                 motif_importance_ranking},
      Experiment{"motif_heatmap", "Output of six motifs for 15 nodes", motif_heatmap},
      Experiment{"link_prediction", "Associations of genes and diseases, AUROC",
                 link_prediction_table},
      Experiment{"top_associations", "Top-ranked pairs against held-out edges", top_associations},
      Experiment{"sensitivity", "The widths d' and d_1", sensitivity},
      Experiment{"efficiency", "Weights, times and accuracy", efficiency},
      Experiment{"ensembles", "MGNN next to ensembles of networks", ensembles, data_of_tables},
      Experiment{"construction", "Motif matrices by enumeration, products, and our pass",
                 construction},
      Experiment{"motif_subset", "Motifs M7, M8, M9 against all", motif_subset},
      Experiment{"expressiveness", "Which networks distinguish two triangles and a hexagon",
                 expressiveness},
      Experiment{"defaults", "Data of many kinds without tuning", defaults, default_data},
  };
  return kExperiments;
}

const Experiment& find_experiment(std::string_view name) {
  std::vector<std::string> known = {"all"};
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    known.push_back(experiment.name);
  }
  fail_usage("there is no experiment {}; {}", in_quotes(name),
             did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
}

}  // namespace mgnn
