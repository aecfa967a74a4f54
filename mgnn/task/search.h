// Good settings, found on validation data only.
#pragma once

#include "mgnn/comm/comm.h"
#include "mgnn/task/config.h"
#include "mgnn/task/trial_folder.h"

namespace mgnn {

// What to try for one setting.
struct SearchDimension {
  std::string name;
  SearchRange range = {};
  std::vector<std::string> choices = {};  // instead of the range, if not empty
  bool whole = false;                     // the range is of whole numbers
};

// "train.learning_rate=0.001..0.05", with ~ for .. on a logarithmic scale; "model.gate=a|b". Throws
// Error (usage).
SearchDimension parse_dimension(const std::string& text, const Options& options);
// All settings with a range of their own. Of a list, such as the widths of layers, the range is that of
// its length (at least up to the one it has): the first items as they are, the last one repeated.
std::vector<SearchDimension> default_space(const Options& options);

struct SearchTrial {
  Settings settings;
  Metric metric;
  MeanStd validation;  // over seeds
  int64_t epochs = 0;
  int64_t number = 0;  // 0 .. trials - 1
};

struct SearchOptions {
  int64_t trials = 30;
  uint64_t seed = 0;  // of the settings tried
  std::vector<SearchDimension> space = {};
  Comm* ranks = nullptr;  // that share the trials; null: this process alone
};

// Trials by their number; the first has the settings of `layers` as they are. Test
// data are not used. `tried` is called after each, as they are done. Those that are finished in `folder`
// are not run again, the others are added to it. Of several ranks the first has the result.
std::vector<SearchTrial> search(const ConfigLayers& layers, const Dataset& dataset,
                                const SearchOptions& options,
                                const std::function<void(const SearchTrial&)>& tried,
                                const TrialFolder* folder = nullptr);
// What `search --json` says of each: validation scores, settings, epochs.
nlohmann::ordered_json trials_json(const std::vector<SearchTrial>& trials);
// Whether all of them are finished.
bool finished(const TrialFolder& folder, const SearchOptions& options);

}  // namespace mgnn
