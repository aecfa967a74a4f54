#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/config_options.h"
#include "cli/result_tables.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/human.h"
#include "mgnn/task/config.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/significance.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct CompareVerb {
  ConfigFlags config;
  std::string models = "mgnn,gcn,gat";
  bool csv = false, markdown = false;
};

struct Compared {
  std::string model;
  Result result;
  std::optional<double> p_value;  // of the difference to the first
};

// Null: it is a network.
const EmbeddingMethod* embedding_called(std::string_view name) {
  for (const EmbeddingMethod& method : embedding_methods())
    if (method.name == name) return &method;
  return nullptr;
}

void check_known(const std::string& name) {
  std::vector<std::string> known;
  for (const Method& method : methods()) known.emplace_back(method.name);
  for (const EmbeddingMethod& method : embedding_methods()) known.emplace_back(method.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    fail_usage("there is no model {}; {}", in_quotes(name),
               did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::stringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    check_known(word);
    if (!seen.insert(word).second) fail_usage("--models names {} twice", word);
    names.push_back(word);
  }
  if (names.empty()) fail_usage("--models names no model; use a list as in mgnn,gcn,gat");
  return names;
}

std::unique_ptr<Config> config_of(const CompareVerb& verb, const Globals& globals,
                                  const std::string& model) {
  ConfigFlags flags = verb.config;
  if (flags.file.empty()) flags.flags.emplace(flags.flags.begin(), "seeds", int64_t(5));
  flags.flags.emplace_back("model.name", model);
  return flags.resolve(globals);
}

// Vectors for every seed, evaluated by logistic regression on the training items of each split.
Result embedded(const Config& config, const Dataset& dataset, const EmbeddingMethod& method) {
  const Stopwatch stopwatch;
  Result result{.task = config.task_name};
  for (int64_t i = 0; i < config.run.seeds; i++) {
    const uint64_t seed = config.run.seed + uint64_t(i);
    const Matrix z =
        embed(dataset, method, *make_embedding(method, {{"seed", Value(std::to_string(seed))}}));
    const std::vector<Split> splits =
        select_splits(dataset, dataset.label, config.run.split, Rng(seed).split(kSplitStream), i);
    const Probe scores = probe(z, dataset, splits, {});
    for (size_t f = 0; f < splits.size(); f++)
      result.runs.push_back(
          {.seed = seed,
           .fold = int64_t(f),
           .test = {.metric = scores.accuracy[f], .count = int64_t(splits[f].test.size())}});
  }
  result.seconds_total = stopwatch.seconds();
  return result;
}

std::vector<double> test_scores(const Result& result) {
  std::vector<double> scores;
  for (const Repetition& run : result.runs) scores.push_back(run.test.metric);
  return scores;
}

Cell cell_of(const std::optional<double>& value) {
  return value ? Cell(*value) : Cell(std::monostate{});
}

TextTable table_of(const std::vector<Compared>& models) {
  TextTable table{.columns = {{"model"},
                              {"test", Align::decimal, 4},
                              {"±", Align::decimal, 4, "test_std"},
                              {"validation", Align::decimal, 4},
                              {"±", Align::decimal, 4, "validation_std"},
                              {"difference", Align::decimal, 4},
                              {"p", Align::decimal, 4, "p_value"},
                              {"weights", Align::right, 0, "parameters"},
                              {"epochs", Align::right},
                              {"ms/epoch", Align::decimal, 2, "ms_per_epoch"},
                              {"total s", Align::decimal, 1, "seconds_total"},
                              {"inference ms", Align::decimal, 2, "ms_inference"}},
                  .rows = {}};
  for (const Compared& compared : models) {
    const Result& r = compared.result;
    const MeanStd test = r.test(), validation = r.validation();
    const bool first = &compared == &models[0];
    const bool trained = r.epochs() > 0;
    std::optional<double> difference, inference;
    if (!first) difference = test.mean - models[0].result.test().mean;
    if (r.seconds_inference > 0) inference = 1e3 * r.seconds_inference;
    const auto if_trained = [&](auto value) { return trained ? Cell(value) : Cell(); };
    table.rows.push_back({compared.model, test.mean, test.std, if_trained(validation.mean),
                          if_trained(validation.std), cell_of(difference),
                          cell_of(compared.p_value), if_trained(r.parameters),
                          if_trained(r.epochs()), if_trained(1e3 * r.seconds_per_epoch()),
                          r.seconds_total, cell_of(inference)});
  }
  return table;
}

Json json_of_all(const Task& task, const std::vector<Compared>& models, const Dataset& dataset) {
  Json json;
  json["dataset"] = dataset.name;
  json["task"] = models[0].result.task;
  json["metric"] = models[0].result.metric.name;
  json["compared_with"] = models[0].model;
  for (const Compared& compared : models) {
    Json entry = json_of(task, compared.result, compared.model, dataset.name);
    entry["seconds_inference"] = compared.result.seconds_inference;
    entry["difference"] = compared.result.test().mean - models[0].result.test().mean;
    entry["p_value"] = compared.p_value ? Json(*compared.p_value) : Json(nullptr);
    json["models"].push_back(entry);
  }
  return json;
}

void run(const CompareVerb& verb, const Globals& globals) {
  const std::vector<std::string> names = names_in(verb.models);
  for (const Setting& setting : verb.config.flags)
    if (setting.name == "model.name")
      fail_usage("--model names one network; use --models {}", verb.models);
  // All mistakes are reported before anything is trained.
  std::vector<std::unique_ptr<Config>> configs;
  std::string network = "mgnn";  // whose configuration serves for embeddings, too
  for (const std::string& name : names)
    if (!embedding_called(name)) {
      network = name;
      break;
    }
  const std::string split = config_of(verb, globals, network)->run.split.name;
  for (const std::string& name : names) {
    configs.push_back(config_of(verb, globals, embedding_called(name) ? network : name));
    configs.back()->layers.sets.emplace_back("data.split", split);  // differences are paired
    configs.back()->run.split.name = split;
  }
  const Dataset dataset = load_for_training(*configs[0]);
  for (const auto& config : configs) {
    choose_task(*config, dataset);
    if (config == configs[0]) tell_notes(*config, dataset);
    if (!config->task().has_test_scores())
      fail_usage(
          "networks without labels are compared by an evaluation of their embedding; add "
          "--probe");
  }
  const Task& task = configs[0]->task();
  for (const std::string& name : names)
    if (const EmbeddingMethod* method = embedding_called(name)) {
      if ((method->level == Level::node) == dataset.is_set())
        fail_usage("{} embeds {}s; {} is {}", name, name_of(method->level), dataset.name,
                   dataset.is_set() ? "a set of graphs" : "one graph");
      if (!task.has_classes())
        fail_usage("embeddings are compared with networks that classify, not with --task {}",
                   configs[0]->task_name);
    }

  std::vector<Compared> models;
  for (size_t i = 0; i < names.size(); i++) {
    const EmbeddingMethod* method = embedding_called(names[i]);
    models.push_back({names[i],
                      method ? embedded(*configs[i], dataset, *method)
                             : run_task(*configs[i], dataset, {.label = names[i]}),
                      {}});
    if (models.size() > 1)
      models.back().p_value =
          paired_p_value(test_scores(models.back().result), test_scores(models[0].result));
  }
  if (globals.json) return print_json(json_of_all(task, models, dataset));
  const TextTable table = table_of(models);
  if (verb.csv) return print(csv_of(table));
  if (verb.markdown) return print(markdown_of(table));
  print(emphasised(fmt::format("{} of {}: {} over {} splits, the same for all\n\n",
                               configs[0]->entry().title, dataset.name,
                               models[0].result.metric.name, models[0].result.runs.size())));
  print(table);
  if (models.size() > 1)
    print(fmt::format(
        "\ndifference to {}; p: two-sided paired t-test over the splits, which overlap, so that p "
        "is rather too small\n",
        models[0].model));
}

}  // namespace

Action add_compare(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<CompareVerb>();
  add_config_options(command, verb->config);
  command
      .add_option("--models", verb->models,
                  "networks, or embeddings with logistic regression; differences are to the first")
      ->type_name("A,B,…")
      ->capture_default_str();
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  command.add_flag("--markdown", verb->markdown, "print a Markdown table")->excludes(csv);
  command.footer(
      "  mgnn compare cora --models mgnn,gcn,gat,gin --seeds 10\n"
      "  mgnn compare cora --models mgnn,node2vec,deepwalk,grarep,hope\n"
      "  mgnn compare pubmed --models mgnn,sage --epochs 500 --csv > table.csv");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
