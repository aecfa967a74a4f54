#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "cli/compare_tables.h"
#include "cli/config_options.h"
#include "cli/notes.h"
#include "cli/result_tables.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct CompareVerb {
  ConfigFlags config;
  TrialFlags trial_flags = {};
  std::string models = "mgnn,gcn,gat";
  bool csv = false, markdown = false, force = false;
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

bool says_direction(const ConfigLayers& layers) {
  for (const Settings* layer : {&layers.file, &layers.flags, &layers.sets})
    for (const Setting& setting : *layer)
      if (last_part(setting.name) == "direction") return true;
  return false;
}

// Networks that see different neighbours of a directed graph could not be compared.
void use_both_directions(Config& config) {
  if (says_direction(config.layers)) return;
  config.layers.sets.emplace_back("train.direction", std::string(name_of(Direction::both)));
  config.run.direction = Direction::both;
}

std::unique_ptr<Config> config_of(const CompareVerb& verb, const Globals& globals,
                                  const std::string& model) {
  ConfigFlags flags = verb.config;
  flags.flags.emplace_back("model.name", model);
  std::unique_ptr<Config> config = flags.resolve(globals);
  use_both_directions(*config);
  return config;
}

// Walks and the like follow the arcs along which networks send messages.
Dataset with_message_graph(Dataset dataset, Direction direction) {
  MessageArcs arcs = message_arcs({dataset.graph, dataset.arc_weight}, direction);
  dataset.graph = std::move(arcs.graph);
  dataset.arc_weight = std::move(arcs.weight);
  return dataset;
}

// Vectors for every seed, evaluated by logistic regression on the training items of each split.
Result embedded(const Config& config, const Dataset& data, const EmbeddingMethod& method) {
  const Stopwatch stopwatch;
  Result result{.task = config.task_name};
  const Dataset dataset = with_message_graph(data, config.run.direction);
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
           .test_set = test_set_of({splits[f].test}),
           .test = {.metric = scores.accuracy[f], .count = int64_t(splits[f].test.size())}});
  }
  result.seconds_total = stopwatch.seconds();
  return result;
}

// One for each name; differences are paired, so that all have the same split.
using Configs = std::vector<std::unique_ptr<Config>>;
Configs configs_of(const CompareVerb& verb, const Globals& globals,
                   const std::vector<std::string>& names) {
  std::string network = "mgnn";  // whose configuration serves for embeddings, too
  for (const std::string& name : names)
    if (!embedding_called(name)) {
      network = name;
      break;
    }
  const std::string split = config_of(verb, globals, network)->run.split.name;
  Configs configs;
  for (const std::string& name : names) {
    configs.push_back(config_of(verb, globals, embedding_called(name) ? network : name));
    configs.back()->layers.sets.emplace_back("data.split", split);
    configs.back()->run.split.name = split;
  }
  return configs;
}

void check_comparable(const Configs& configs, const Dataset& dataset,
                      const std::vector<std::string>& names) {
  for (const auto& config : configs) {
    choose_task(*config, dataset);
    if (!config->task().has_test_scores())
      fail_usage(
          "networks without labels are compared by an evaluation of their embedding; add "
          "--probe");
  }
  for (const std::string& name : names)
    if (const EmbeddingMethod* method = embedding_called(name)) {
      if ((method->level == Level::node) == dataset.is_set())
        fail_usage("{} embeds {}s; {} is {}", name, name_of(method->level), dataset.name,
                   dataset.is_set() ? "a set of graphs" : "one graph");
      if (!configs[0]->task().has_classes())
        fail_usage("embeddings are compared with networks that classify, not with --task {}",
                   configs[0]->task_name);
    }
}

// Notes that the first network has not.
void tell_other_notes(const Configs& configs) {
  std::vector<std::string> told = configs[0]->notes;
  for (const auto& config : configs)
    for (const std::string& note : config->notes) {
      if (std::find(told.begin(), told.end(), note) != told.end()) continue;
      spdlog::warn("{}", note);
      told.push_back(note);
    }
}

// Those that are finished in the folder are not trained again.
std::vector<Compared> trained(const Configs& configs, const Dataset& dataset,
                              const std::vector<std::string>& names,
                              const std::optional<TrialFolder>& folder) {
  std::vector<Compared> models;
  for (size_t i = 0; i < names.size(); i++) {
    const std::string trial = fmt::format("{}-{}", i + 1, names[i]);
    std::optional<Compared> model = folder ? folder->find(trial) : std::nullopt;
    if (!model) {
      check_interrupted();
      TrainingCallbacks callbacks = folder ? folder->checkpoints(trial) : TrainingCallbacks{};
      callbacks.label = names[i];
      const EmbeddingMethod* method = embedding_called(names[i]);
      const Result result = method ? embedded(*configs[i], dataset, *method)
                                   : run_task(*configs[i], dataset, callbacks);
      model = compared(configs[0]->task(), result, names[i], dataset);
      if (folder) folder->add(trial, *model);
    }
    models.push_back(*model);
  }
  return models;
}

// Takes the networks from the folder.
void resume_comparison(CompareVerb& verb, const TrialFolder& folder) {
  try {
    verb.models = folder.plan().at("models");
  } catch (const nlohmann::json::exception&) {
    fail_data("{}/plan.json: does not say which models to compare", folder.path());
  }
}

bool is_finished(const TrialFolder& folder, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); i++)
    if (!folder.find(fmt::format("{}-{}", i + 1, names[i]))) return false;
  return true;
}

void show(const CompareVerb& verb, const Globals& globals, const Comparison& comparison) {
  if (globals.json) return print_json(json_of(comparison));
  const std::string head = headline(comparison) + "\n" + direction_line(comparison) + "\n",
                    significance = significance_line(comparison);
  if (verb.csv || verb.markdown) {  // the table alone is for others to read
    if (comparison.directed) spdlog::warn("{}", direction_line(comparison));
    if (!significance.empty() && !globals.quiet) fmt::print(stderr, "mgnn: {}\n", significance);
    const TextTable table = table_for_others(comparison);
    return print(verb.csv ? csv_of(table) : markdown_of(table));
  }
  print(emphasised(head) + "\n");
  print(table_of(comparison));
  if (!significance.empty()) print("\n" + significance + "\n");
}

void run(CompareVerb& verb, const Globals& globals) {
  std::optional<TrialFolder> folder =
      folder_to_resume(verb.trial_flags, "compare", verb.config, globals);
  if (folder) resume_comparison(verb, *folder);
  const std::vector<std::string> names = names_in(verb.models);
  for (const Setting& setting : verb.config.flags)
    if (setting.name == "model.name")
      fail_usage("--model names one network; use --models {}", verb.models);
  if (!folder && verb.config.file.empty())
    verb.config.flags.emplace(verb.config.flags.begin(), "seeds", int64_t(5));
  check_folder(verb.trial_flags, verb.force);
  // All mistakes are reported before anything is trained.
  const Configs configs = configs_of(verb, globals, names);
  const Dataset dataset = load_for_training(*configs[0]);
  tell_notes(dataset, globals, configs[0]->notes);
  check_comparable(configs, dataset, names);
  tell_other_notes(configs);
  Json plan = plan_of("compare", verb.config, globals, dataset);
  plan["models"] = verb.models;
  std::string settings;
  for (const auto& config : configs) settings += toml_of(*config);
  plan["configuration"] = settings;
  start_folder(folder, verb.trial_flags, plan,
               default_run_path("compare", names[0], configs[0]->source), verb.force);
  if (folder && verb.trial_flags.resumes() && is_finished(*folder, names))
    spdlog::warn("{}: is finished, so there is nothing to resume", folder->path());
  try {
    const std::vector<Compared> models = trained(configs, dataset, names, folder);
    show(verb, globals,
         {.title = configs[0]->entry().title,
          .directed = !is_undirected(dataset.graph),
          .direction = configs[0]->run.direction,
          .models = models});
  } catch (const Error& error) {
    throw with_resume_command(error, folder, "compare");
  }
}

}  // namespace

Action add_compare(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<CompareVerb>();
  add_config_options(command, verb->config);
  CLI::Option* models =
      command
          .add_option(
              "--models", verb->models,
              "networks, or embeddings with logistic regression; differences are to the first")
          ->type_name("A,B,…")
          ->capture_default_str();
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  command.add_flag("--markdown", verb->markdown, "print a Markdown table")->excludes(csv);
  add_trial_flags(command, verb->trial_flags);
  verb->trial_flags.fixed = {models};
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn compare cora --models mgnn,gcn,gat,gin --seeds 10\n"
      "  mgnn compare cora --models mgnn,node2vec,deepwalk,grarep,hope\n"
      "  mgnn compare pubmed --models mgnn,sage --epochs 500 --csv > table.csv\n"
      "  mgnn compare --resume runs/2026-11-18-compare-mgnn-cora");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
