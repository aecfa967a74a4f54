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
// All settings with a range of their own; of a choice all values, of a switch both. Of a list, such as the widths of layers, the range is that of
// its length (at least up to the one it has): the first items as they are, the last one repeated.
std::vector<SearchDimension> default_space(const Options& options);

struct SearchTrial {
  Settings settings;
  Metric metric;
  MeanStd validation;  // over `runs`
  int64_t epochs = 0;
  int64_t number = 0;  // 0 .. trials - 1
  std::vector<double> runs =
      {};            // validation scores by seed and fold: the same splits in all trials
  int64_t rung = 0;  // the last one that it was trained in, from 0
};
// The order of a result: those of later rungs first, then by score, then by number.
bool ranks_before(const SearchTrial& a, const SearchTrial& b);

// Successive halving (Jamieson, Talwalkar 2016): each rung trains the best of the one before with more
// seeds, the earlier seeds among them.
struct Rung {
  int64_t trials = 0, seeds = 0;
};
// "40x1,10x3,3x6". Throws Error (usage) unless trials fall and seeds rise from rung to rung.
std::vector<Rung> parse_rungs(const std::string& text);
struct SearchOptions {
  int64_t trials = 30;
  std::vector<Rung> rungs = {};  // empty: one of `trials` with the seeds of the settings
  uint64_t seed = 0;             // of the settings tried
  std::vector<SearchDimension> space = {};
  Comm* ranks = nullptr;  // that share the trials; null: this process alone
};
// Trials that are to be trained in all rungs.
int64_t num_trainings(const SearchOptions& options);

// Trials by their number; the first has the settings of `layers` as they are. Test
// data are not used. Where there are classes the score of a run is that of the epoch with the lowest validation
// loss, unless `layers` say which epoch is selected: the maximum over epochs is too high, and the more so the
// noisier a setting trains. `tried` is called after each in each rung, as they are done. Those that are finished in `folder`
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
