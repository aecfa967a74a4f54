// Which methods and datasets the experiments look at, with which settings. Hyper-parameters are data:
// mgnn/task/profiles.toml and experiments/settings.toml.
#pragma once

#include "experiments/experiments.h"

namespace mgnn {

struct PaperMethod {
  const char* name;  // in the paper
  const char* ours;  // in the table of networks or of embeddings
  bool embedding = false;
};
// In the order of the paper's tables.
std::span<const PaperMethod> node_methods();
std::span<const PaperMethod> graph_methods();
std::span<const PaperMethod> ensemble_methods(Level level);
// Whether this build has it.
bool is_known(const PaperMethod& method);
// Whether a study of this size looks at it: in the smallest only one of each kind.
bool is_chosen(const Study& study, const PaperMethod& method);

// The datasets of the paper's tables.
std::vector<std::string> graphs_of_tables(const Study& study);
std::vector<std::string> sets_of_tables(const Study& study);
std::vector<std::string> data_of_tables(const Study& study);  // both
// Throws Error (usage) if data were asked for that none of the experiments (at least one) has.
void check_data(const Study& study, std::span<const Experiment* const> experiments);
// Those of them that a study of this size looks at.
std::vector<std::string> node_data(const Study& study);
std::vector<std::string> graph_data(const Study& study);

// What the registry of datasets says: a set of graphs; a graph whose epochs take long.
Level level_of(const std::string& data);
bool is_large(const std::string& data);

// Repetitions with seeds 0, 1, …: the paper's five, or fewer.
int64_t num_seeds(const Study& study, Level level);

// "key=value" for a network as the paper ran it, as far as that can be known: the profile `paper`;
// MGNN as the released code has it, the profile `published`.
std::vector<std::string> paper_settings(const Study& study, const std::string& data,
                                        const std::string& method);

// The same with standardised attributes and graphs that are sums of their nodes, on random splits:
// what tuning begins with.
std::vector<std::string> untuned_fair_settings(const Study& study, const std::string& data,
                                               const std::string& method);
// What tuning tries, as `parse_dimension` reads it.
const std::vector<std::string>& search_space(const std::string& method);

}  // namespace mgnn
