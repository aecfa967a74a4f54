// Results of trainings and embeddings, one stored cell for every seed.
#pragma once

#include "experiments/settings.h"
#include "mgnn/task/metrics.h"

namespace mgnn {

// One method on one dataset.
struct CellScores {
  std::vector<double> test = {}, validation = {};  // one for each seed, or seed and fold
  int64_t parameters = 0, epochs = 0;              // of one training, on average
  double seconds_per_epoch = 0, seconds_total = 0, seconds_inference = 0;  // of one training
  double largest_class = 0;  // share of the largest class among test items, where there are classes
  std::string from = {};     // where they are stored, and the command

  MeanStd score() const { return mean_std(test); }
};

// The configuration of a training, and the command that runs it by hand. `settings`: "key=value".
std::unique_ptr<Config> config_of(const Study& study, const std::string& data,
                                  const std::string& method = "mgnn",
                                  const std::vector<std::string>& settings = {}, uint64_t seed = 0);
std::string command_of(const std::string& data, const std::string& method,
                       const std::vector<std::string>& settings, uint64_t seed = 0);

// Whether missing seeds are trained at the same time where that is faster, or one after the other, so
// that times count.
enum class Timing { together, alone };

// Trains where there is no stored result.
CellScores train_cells(Study& study, const std::string& data, const std::string& method,
                       const std::vector<std::string>& settings, int64_t seeds,
                       Timing timing = Timing::together);

// Of an embedding, by logistic regression.
//   paper  karateclub's variant, the public split of 20 labels a class where there is one, features
//          as they are, C = 1: what the paper's numbers look like
//   fair   the method of its paper, the splits that networks have, features standardised, C chosen
//          on validation items
CellScores embedding_cells(Study& study, const std::string& data, const std::string& method,
                           Protocol setting, int64_t seeds);

// What the best of `trials` on validation items of a split that no table reports changes in
// `settings`. `space`: as `mgnn search --space`; empty: the default one.
std::vector<std::string> searched_settings(Study& study, const std::string& data,
                                           const std::string& method,
                                           const std::vector<std::string>& settings,
                                           const std::vector<std::string>& space, int64_t trials);

// The settings of a network in a setting: the paper's, or from there the best of a few on
// validation items of a split that is not among those reported, the same number for every network.
std::vector<std::string> network_settings(Study& study, const std::string& data,
                                          const std::string& method, Protocol setting);

// Of a network or an embedding.
CellScores method_cells(Study& study, const std::string& data, const PaperMethod& method,
                        Protocol setting, int64_t seeds);

}  // namespace mgnn
