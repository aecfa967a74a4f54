#include "experiments/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mgnn/base/toml.h"
#include "mgnn/task/config.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/profiles.h"
#include "mgnn/task/search.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

constexpr uint64_t kSearchSeed = 1000;  // of splits that no table reports

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
  for (const std::string& one : settings) text += " --set " + one;
  return text + " --no-output --json";
}

std::string sources_of(const std::vector<std::string>& files, const std::string& command) {
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  return text + command;
}

// What run `i` of each seed gives; several folds make several runs of a seed.
Stored stored_of(const Result& result, uint64_t seed) {
  std::vector<double> test, validation;
  int64_t epochs = 0;
  double seconds = 0;
  for (const Repetition& run : result.runs) {
    if (run.seed != seed) continue;
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
                  {"parameters", result.parameters}};
  stored.times = {{"seconds_per_epoch", epochs > 0 ? seconds / double(epochs) : 0},
                  {"seconds_training", seconds / runs},
                  {"seconds_operators", result.seconds_operators},
                  {"seconds_inference", result.seconds_inference}};
  return stored;
}

void add(CellScores& to, const Stored& stored, int64_t seeds) {
  for (const double one : stored.value["test"]) to.test.push_back(one);
  for (const double one : stored.value["validation"]) to.validation.push_back(one);
  const double share = 1 / double(seeds);
  to.parameters = stored.value["parameters"];
  to.epochs += int64_t(double(stored.value["epochs"]) * share);
  to.seconds_per_epoch += double(stored.times["seconds_per_epoch"]) * share;
  to.seconds_total += share * (double(stored.times["seconds_training"]) +
                               double(stored.times["seconds_operators"]));
  to.seconds_inference += double(stored.times["seconds_inference"]) * share;
}

}  // namespace

CellScores train_cells(Study& study, const std::string& data, const std::string& method,
                       const std::vector<std::string>& settings, int64_t seeds, bool alone) {
  const auto key_of = [&](int64_t seed) {
    const auto config = config_of(study, data, method, settings, uint64_t(seed));
    return CellKey{alone ? "timed" : "train",
                   data,
                   method,
                   uint64_t(seed),
                   Json(toml_of(*config)),
                   command_of(data, method, settings, uint64_t(seed))};
  };
  // Seeds that are missing side by side are trained together, which is faster and gives the same;
  // but random features belong to a seed.
  const bool apart = alone || std::find(settings.begin(), settings.end(), "data.features=random") !=
                                  settings.end();
  for (int64_t first = 0; first < seeds; first++) {
    if (study.has(key_of(first))) continue;
    int64_t count = 1;
    while (!apart && first + count < seeds && !study.has(key_of(first + count))) count++;
    const auto config = config_of(study, data, method, settings, uint64_t(first));
    config->run.seeds = count;
    TrainingCallbacks callbacks;
    callbacks.label = method + " on " + data;
    const Result result = run_task(*config, study.data(*config), callbacks);
    for (int64_t s = first; s < first + count; s++)
      study.store(key_of(s), stored_of(result, uint64_t(s)));
  }
  CellScores scores;
  std::vector<std::string> files;
  for (int64_t s = 0; s < seeds; s++) {
    const Stored stored = study.cell(key_of(s), [] { return Stored{}; });
    add(scores, stored, seeds);
    files.push_back(stored.file);
  }
  scores.from = sources_of(files, key_of(0).command);
  return scores;
}

namespace {

struct Probed {
  double test = 0, validation = 0, c = 1;
};

// The regularisation that validation items prefer; of equal ones the first.
Probed tuned_probe(const Matrix& z, const Dataset& dataset, const Split& split) {
  Probed best{0, -1, 1};
  for (const double c : {0.01, 0.1, 1., 10.}) {
    const LogisticRegression model = fit_logistic_regression(
        z, dataset.label, split.train, dataset.num_classes(), {.c = c, .standardise = true});
    const double validation = accuracy(model, z, dataset.label, split.validation);
    if (validation > best.validation)
      best = {accuracy(model, z, dataset.label, split.test), validation, c};
  }
  return best;
}

Stored fair_embedding(const Matrix& z, const Dataset& dataset, uint64_t seed) {
  const std::vector<Split> splits =
      select_splits(dataset, dataset.label, {}, Rng(seed).split(kSplitStream), 0);
  Json test = Json::array(), validation = Json::array(), c = Json::array();
  for (const Split& split : splits) {
    const Probed found = tuned_probe(z, dataset, split);
    test.push_back(found.test);
    validation.push_back(found.validation);
    c.push_back(found.c);
  }
  return {{{"test", test}, {"validation", validation}, {"c", c}}, {}, ""};
}

bool has_public_split(const std::string& data) {
  return data == "cora" || data == "citeseer" || data == "pubmed";
}

}  // namespace

CellScores embedding_cells(Study& study, const std::string& data, const std::string& name,
                           Protocol setting, int64_t seeds) {
  const EmbeddingMethod& method = find_embedding_method(name);
  const bool paper = setting == Protocol::paper;
  const bool karateclub = paper && !method.karateclub.empty();
  const bool nodes = method.level == Level::node;
  const std::string papers = has_public_split(data) ? "public"
                             : nodes                ? "random"
                                                    : "sklearn:12345";  // as the networks have
  const std::string split = paper ? papers : "random";
  CellScores scores;
  std::vector<std::string> files, commands;
  for (int64_t s = 0; s < seeds; s++) {
    const std::unique_ptr<Embedding> embedding = make_embedding(
        method, {}, karateclub ? EmbeddingVariant::karateclub : EmbeddingVariant::paper);
    for (const Option& one : embedding->options()) {
      if (one.name == "seed") one.set(fmt::format("{}", s));
      if (study.size() == Size::smallest && one.name == "epochs") one.set("1");
      if (study.size() == Size::smallest && one.name == "walks") one.set("2");
    }
    Json settings = {{"setting", name_of(setting)}, {"split", split}};
    for (const Option& one : embedding->options()) settings[one.name] = toml_of(one.get());
    const std::string command =
        paper ? fmt::format(
                    "mgnn embed {} --method {} -s {}{} --split {} --no-scale --evaluate --seeds 1",
                    data, name, s, karateclub ? " --variant karateclub" : "", split)
              : fmt::format("mgnn reproduce {} --setting fair --{} --seeds {}{}",
                            nodes ? "node_classification" : "graph_classification",
                            name_of(study.size()), s + 1,
                            study.size() == Size::smallest ? "" : " --data " + data);
    const CellKey key{"embed", data, name, uint64_t(s), settings, command};
    const Stored stored = study.cell(key, [&]() -> Stored {
      const auto config = config_of(study, data, "gcn", {}, 0);
      const Dataset& dataset = study.data(*config);
      const Matrix z = embed(dataset, method, *embedding);
      if (!paper) return fair_embedding(z, dataset, uint64_t(s));
      ProbeOptions options{.seed = uint64_t(s), .seeds = 1, .split = {.name = split}};
      options.regression.standardise = false;
      return {{{"test", probe(z, dataset, options).accuracy}}, {}, ""};
    });
    for (const double one : stored.value["test"]) scores.test.push_back(one);
    files.push_back(stored.file);
    commands.push_back(command);
  }
  scores.from = sources_of(files, commands[0]);
  return scores;
}

namespace {

// What a search found that was made once for all.
std::vector<std::string> recorded_fair_settings(const Study& study) {
  std::vector<std::string> settings = {"profile=fair"};
  if (study.options().epochs > 0)
    settings.push_back(fmt::format("train.epochs={}", study.options().epochs));
  return settings;
}

}  // namespace

std::vector<std::string> network_settings(Study& study, const std::string& data,
                                          const std::string& method, Protocol setting) {
  if (setting == Protocol::paper) return paper_settings(study, data, method);
  if (has_profile(method, data, "fair")) return recorded_fair_settings(study);
  std::vector<std::string> settings = untuned_fair_settings(study, data, method);
  const int64_t trials = study.sized(2, 3, 20);
  std::vector<std::string> shorter = settings;
  shorter.push_back(fmt::format("train.epochs={}", study.sized(4, 40, 300)));
  const auto config = config_of(study, data, method, shorter, kSearchSeed);
  const Options options = config->options();
  Json space = Json::array();
  SearchOptions search_options{.trials = trials, .seed = kSearchSeed};
  for (const char* one : {"train.learning_rate=0.002~0.05", "train.weight_decay=0.0001~0.02",
                          "model.dropout=0..0.7"}) {
    if (method == "bgnn" && std::string_view(one).starts_with("model.")) continue;
    search_options.space.push_back(parse_dimension(one, options));
    space.push_back(one);
  }
  std::string command =
      fmt::format("mgnn search {} --model {} -s {} --trials {}", data, method, kSearchSeed, trials);
  for (const std::string& one : shorter) command += " --set " + one;
  for (const std::string one : space) command += fmt::format(" --space '{}'", one);
  const CellKey key{"search",
                    data,
                    method,
                    kSearchSeed,
                    {{"config", toml_of(*config)}, {"trials", trials}, {"space", space}},
                    command};
  const Stored stored = study.cell(key, [&]() -> Stored {
    ConfigLayers layers;
    layers.file = {"data.source=" + data, "model.name=" + method,
                   fmt::format("seed={}", kSearchSeed)};
    layers.flags.assign(shorter.begin(), shorter.end());
    const std::vector<SearchTrial> tried =
        search(layers, study.data(*config), search_options, [](const SearchTrial&) {});
    const auto best = std::max_element(tried.begin(), tried.end(),
                                       [](const SearchTrial& a, const SearchTrial& b) {
                                         return a.validation.mean < b.validation.mean;
                                       });
    std::vector<std::string> best_settings;
    for (const mgnn::Setting& drawn : best->settings) best_settings.push_back(drawn.text());
    return {{{"settings", best_settings}, {"validation", best->validation.mean}}, {}, ""};
  });
  for (const std::string one : stored.value["settings"]) settings.push_back(one);
  return settings;
}

CellScores method_cells(Study& study, const std::string& data, const PaperMethod& method,
                        Protocol setting, int64_t seeds) {
  if (method.embedding) return embedding_cells(study, data, method.ours, setting, seeds);
  return train_cells(study, data, method.ours, network_settings(study, data, method.ours, setting),
                     seeds);
}

}  // namespace mgnn
