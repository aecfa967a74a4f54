// Good settings, found on validation data only.
#pragma once

#include "mgnn/task/config.h"

namespace mgnn {

// What to try for one setting.
struct SearchDimension {
  std::string name;
  SearchRange range = {};
  std::vector<std::string> choices = {};  // instead of the range, if not empty
};

// "train.learning_rate=0.001..0.05", with ~ for .. on a logarithmic scale; "model.gate=a|b". Throws
// Error (usage).
SearchDimension parse_dimension(const std::string& text, const Options& options);
// All settings with a range of their own.
std::vector<SearchDimension> default_space(const Options& options);

struct SearchTrial {
  Settings settings;
  Metric metric;
  MeanStd validation;  // over seeds
  int64_t epochs = 0;
};

struct SearchOptions {
  int64_t trials = 30;
  uint64_t seed = 0;  // of the settings tried
  std::vector<SearchDimension> space = {};
};

// Trials in the order they were made; the first has the settings of `layers` as they are. Test
// data are not used. `tried` is called after each.
std::vector<SearchTrial> search(const ConfigLayers& layers, const Dataset& dataset,
                                const SearchOptions& options,
                                const std::function<void(const SearchTrial&)>& tried);

}  // namespace mgnn
