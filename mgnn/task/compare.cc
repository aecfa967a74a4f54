#include "mgnn/task/compare.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "mgnn/base/clock.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/comm/deal.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

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

std::string trial_name(size_t i, const std::vector<std::string>& names) {
  return fmt::format("{}-{}", i + 1, names[i]);
}

Compared trained(Config& config, const Dataset& dataset, const std::string& name,
                 TrainingCallbacks callbacks) {
  check_interrupted();
  callbacks.label = name;
  const EmbeddingMethod* method = embedding_called(name);
  const Result result =
      method ? embedded(config, dataset, *method) : run_task(config, dataset, callbacks);
  return compared(config.task(), result, name, dataset);
}

// Those that are finished in the folder are not trained again.
std::vector<Compared> all_trained(const Configs& configs, const Dataset& dataset,
                                  const std::vector<std::string>& names,
                                  const std::optional<TrialFolder>& folder, Comm& ranks) {
  std::vector<Compared> models(names.size());
  Deal jobs;
  for (size_t i = 0; i < names.size() && ranks.rank() == 0; i++) {
    const std::optional<Compared> stored =
        folder ? folder->find(trial_name(i, names)) : std::nullopt;
    if (stored)
      models[i] = *stored;
    else
      jobs.jobs.push_back(int64_t(i));
  }
  jobs.work = [&](int64_t i) {
    const TrainingCallbacks callbacks =
        folder ? folder->checkpoints(trial_name(size_t(i), names)) : TrainingCallbacks{};
    return trained(*configs[i], dataset, names[i], callbacks).dump();
  };
  jobs.done = [&](int64_t i, const std::string& text) {
    models[i] = Compared::parse(text);
    if (folder) folder->add(trial_name(size_t(i), names), models[i]);
  };
  deal(ranks, jobs);
  return models;
}

// As a row beside those of networks: a method of the table of links.
Compared row_of(const Compared& network, const nlohmann::ordered_json& method,
                const std::string& name) {
  Compared row;
  for (const char* key : {"task", "dataset", "metric", "seeds", "test_sets", "test_set_of_run"})
    row[key] = network[key];
  row["model"] = name;
  row["test"] = method[network["links"]["metric"].get<std::string>()];
  row["validation"] = {{"mean", nullptr}, {"std", nullptr}, {"runs", Compared::array()}};
  row["epochs"] = row["parameters"] = 0;
  row["seconds_per_epoch"] = row["seconds_total"] = row["seconds_inference"] = nullptr;
  return row;
}

// Networks for links, each combined with heuristics, and the heuristics themselves.
std::vector<Compared> with_heuristics(std::vector<Compared> models) {
  const size_t count = models.size();
  for (size_t i = 0; i < count; i++)
    if (models[i].contains("links"))
      for (const auto& method : Compared(models[i]["links"]["methods"]))
        if (const std::string name = method["method"]; name == "combined")
          models.push_back(
              row_of(models[i], method, models[i]["model"].get<std::string>() + "+heuristics"));
  if (models[0].contains("links"))
    for (const auto& method : Compared(models[0]["links"]["methods"]))
      if (const std::string name = method["method"];
          method["kind"] == "heuristic" || name == "regression" || name == "regression-motifs")
        models.push_back(row_of(models[0], method, name));
  return models;
}

}  // namespace

void check_models(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    check_known(name);
    if (!seen.insert(name).second) fail_usage("{} is named twice among the models", name);
  }
}

Configs comparison_configs(const std::vector<std::string>& names, const ConfigMaker& config_of) {
  const auto config_for = [&](const std::string& network) {
    std::unique_ptr<Config> config = config_of(network);
    use_both_directions(*config);
    return config;
  };
  std::string network = "mgnn";  // whose configuration serves for embeddings, too
  for (const std::string& name : names)
    if (!embedding_called(name)) {
      network = name;
      break;
    }
  const std::string split = config_for(network)->run.split.name;
  Configs configs;
  for (const std::string& name : names) {
    configs.push_back(config_for(embedding_called(name) ? network : name));
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

Comparison compare(const Configs& configs, const Dataset& dataset,
                   const std::vector<std::string>& names, const std::optional<TrialFolder>& folder,
                   Comm* ranks) {
  const std::unique_ptr<Comm> alone = ranks ? nullptr : self_comm();
  return {.title = configs[0]->entry().title,
          .directed = !is_undirected(dataset.graph),
          .direction = configs[0]->run.direction,
          .models = with_heuristics(
              all_trained(configs, dataset, names, folder, ranks ? *ranks : *alone))};
}

bool is_finished(const TrialFolder& folder, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); i++)
    if (!folder.find(trial_name(i, names))) return false;
  return true;
}

}  // namespace mgnn
