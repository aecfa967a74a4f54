// Networks, and embeddings with a logistic regression, on the same data and the same splits.
#pragma once

#include <functional>
#include <optional>

#include "mgnn/comm/comm.h"
#include "mgnn/task/comparison.h"
#include "mgnn/task/config.h"
#include "mgnn/task/trial_folder.h"

namespace mgnn {

// Throws Error (usage) unless each is the name of a network or of an embedding, and none is there twice.
void check_models(const std::vector<std::string>& names);

// One for each name, with the same splits. Messages go along both directions of arcs unless the settings
// say otherwise: networks that see different neighbours could not be compared. `config_of` makes the
// configuration of a network; an embedding gets that of the first network.
using Configs = std::vector<std::unique_ptr<Config>>;
using ConfigMaker = std::function<std::unique_ptr<Config>(const std::string& network)>;
Configs comparison_configs(const std::vector<std::string>& names, const ConfigMaker& config_of);

// Settles the task of all. Throws Error (usage) if they cannot be compared on these data.
void check_comparable(const Configs& configs, const Dataset& dataset,
                      const std::vector<std::string>& names);

// Trains them one after the other, or on several ranks, of which the first has the result; or takes what
// is finished in the folder. REQUIRES: check_comparable passes; the dataset is ready (load_for_training).
Comparison compare(const Configs& configs, const Dataset& dataset,
                   const std::vector<std::string>& names, const std::optional<TrialFolder>& folder,
                   Comm* ranks = nullptr);
bool is_finished(const TrialFolder& folder, const std::vector<std::string>& names);

}  // namespace mgnn
