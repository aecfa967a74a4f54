#include "experiments/cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "mgnn/task/profiles.h"
#include "mgnn/task/search.h"

namespace mgnn {

std::unique_ptr<Config> config_of(const Study& study, const std::string& data,
                                  const std::string& method,
                                  const std::vector<std::string>& settings, uint64_t seed) {
  ConfigLayers layers;
  layers.file = {"data.source=" + data, "model.name=" + method};
  layers.sets.assign(settings.begin(), settings.end());
  std::unique_ptr<Config> config = resolve_config(layers);
  config->run.seed = seed;
  config->load.data_dir = study.options().data_dir;
  return config;
}

std::string command_of(const std::string& data, const std::string& method,
                       const std::vector<std::string>& settings, uint64_t seed) {
  std::string text = fmt::format("mgnn train {} --model {} -s {}", data, method, seed);
  for (const std::string& setting : settings) text += " --set " + setting;
  return text + " --no-output --json";
}

namespace {

constexpr uint64_t kSearchSeed = 1000;  // of splits that no table reports

// What run `i` of each seed gives; several folds make several runs of a seed.
Stored stored_of(const Result& result, uint64_t seed) {
  std::vector<double> test, validation;
  int64_t epochs = 0;
  double seconds = 0, largest_class = 0;
  for (const Repetition& run : result.runs) {
    if (run.seed != seed) continue;
    for (const auto& [name, value] : run.extra_metrics)
      if (name == "largest_class") largest_class += value;
    test.push_back(run.test.metric);
    validation.push_back(run.validation.metric);
    epochs += run.state.epoch;
    seconds += run.state.seconds;
  }
  const auto runs = double(std::max<size_t>(test.size(), 1));
  Stored stored;
  stored.value = {{"test", test},
                  {"validation", validation},
                  {"epochs", double(epochs) / runs},
                  {"parameters", result.parameters},
                  {"largest_class", largest_class / runs}};
  stored.times = {{"seconds_per_epoch", epochs > 0 ? seconds / double(epochs) : 0},
                  {"seconds_training", seconds / runs},
                  {"seconds_operators", result.seconds_operators},
                  {"seconds_inference", result.seconds_inference}};
  return stored;
}

void add(CellScores& to, const Stored& stored, int64_t seeds) {
  for (const double score : stored.value["test"]) to.test.push_back(score);
  for (const double score : stored.value["validation"]) to.validation.push_back(score);
  const double share = 1 / double(seeds);
  to.parameters = stored.value["parameters"];
  to.largest_class += stored.value.value("largest_class", 0.) * share;
  to.epochs += int64_t(double(stored.value["epochs"]) * share);
  to.seconds_per_epoch += double(stored.times["seconds_per_epoch"]) * share;
  to.seconds_total += share * (double(stored.times["seconds_training"]) +
                               double(stored.times["seconds_operators"]));
  to.seconds_inference += double(stored.times["seconds_inference"]) * share;
}

}  // namespace

CellScores train_cells(Study& study, const std::string& data, const std::string& method,
                       const std::vector<std::string>& settings, int64_t seeds, Timing timing) {
  const auto key_of = [&](int64_t seed) {
    const auto config = config_of(study, data, method, settings, uint64_t(seed));
    return CellKey{.kind = timing == Timing::alone ? "timed" : "train",
                   .data = data,
                   .method = method,
                   .seed = uint64_t(seed),
                   .settings = Json(toml_of(*config)),
                   .command = command_of(data, method, settings, uint64_t(seed))};
  };
  // Consecutive missing seeds are trained together, which is faster and gives the same; but random
  // features belong to a seed.
  const bool apart = timing == Timing::alone || std::find(settings.begin(), settings.end(),
                                                          "data.features=random") != settings.end();
  for (int64_t first = 0; first < seeds; first++) {
    if (!study.is_missing(key_of(first))) continue;
    int64_t count = 1;
    while (!apart && first + count < seeds && study.is_missing(key_of(first + count))) count++;
    const auto config = config_of(study, data, method, settings, uint64_t(first));
    config->run.seeds = count;
    TrainingCallbacks callbacks;
    callbacks.label = method + " on " + data;
    const Result result = run_task(*config, study.data(*config), callbacks);
    for (int64_t s = first; s < first + count; s++)
      study.store(key_of(s), stored_of(result, uint64_t(s)));
  }
  CellScores scores;
  for (int64_t s = 0; s < seeds; s++) {
    const Stored stored = study.load(key_of(s));
    add(scores, stored, seeds);
    scores.from += stored.file + "\n";
  }
  scores.from += key_of(0).command;
  return scores;
}

namespace {

// The result of a search that is recorded.
std::vector<std::string> recorded_fair_settings(const Study& study) {
  std::vector<std::string> settings = {"profile=fair"};
  if (study.options().epochs > 0)
    settings.push_back(fmt::format("train.epochs={}", study.options().epochs));
  return settings;
}

}  // namespace

std::vector<std::string> searched_settings(Study& study, const std::string& data,
                                           const std::string& method,
                                           const std::vector<std::string>& settings,
                                           const std::vector<std::string>& space, int64_t trials) {
  const auto config = config_of(study, data, method, settings, kSearchSeed);
  std::string command =
      fmt::format("mgnn search {} --model {} -s {} --trials {}", data, method, kSearchSeed, trials);
  for (const std::string& setting : settings) command += " --set " + setting;
  for (const std::string& dimension : space) command += fmt::format(" --space '{}'", dimension);
  const CellKey key{
      .kind = "search",
      .data = data,
      .method = method,
      .seed = kSearchSeed,
      .settings = {{"config", toml_of(*config)}, {"trials", trials}, {"space", space}},
      .command = command};
  const Stored stored = study.cell(key, [&]() -> Stored {
    const Dataset& dataset = study.data(*config);
    const Options options = config->options();
    SearchOptions search_options{.trials = trials, .seed = kSearchSeed};
    for (const std::string& dimension : space)
      search_options.space.push_back(parse_dimension(dimension, options));
    if (space.empty()) search_options.space = default_space(options);
    ConfigLayers layers;
    layers.file = {"data.source=" + data, "model.name=" + method,
                   fmt::format("seed={}", kSearchSeed)};
    layers.flags.assign(settings.begin(), settings.end());
    const std::vector<SearchTrial> tried =
        search(layers, dataset, search_options, [](const SearchTrial&) {});
    const auto best = std::min_element(tried.begin(), tried.end(), ranks_before);
    std::vector<std::string> best_settings;
    for (const mgnn::Setting& drawn : best->settings) best_settings.push_back(drawn.text());
    return {{{"settings", best_settings}, {"validation", best->validation.mean}}, {}};
  });
  return stored.value["settings"];
}

std::vector<std::string> network_settings(Study& study, const std::string& data,
                                          const std::string& method, Protocol setting) {
  if (setting == Protocol::paper) return paper_settings(study, data, method);
  if (has_profile(method, data, "fair")) return recorded_fair_settings(study);
  std::vector<std::string> settings = untuned_fair_settings(study, data, method);
  std::vector<std::string> shorter = settings;
  shorter.push_back(fmt::format("train.epochs={}", study.sized(4, 40, 300)));
  for (std::string& best :
       searched_settings(study, data, method, shorter, search_space(method), study.sized(2, 3, 20)))
    settings.push_back(std::move(best));
  return settings;
}

CellScores method_cells(Study& study, const std::string& data, const PaperMethod& method,
                        Protocol setting, int64_t seeds) {
  if (method.embedding) return embedding_cells(study, data, method.ours, setting, seeds);
  return train_cells(study, data, method.ours, network_settings(study, data, method.ours, setting),
                     seeds);
}

}  // namespace mgnn
