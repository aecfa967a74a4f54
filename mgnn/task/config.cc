#include "mgnn/task/config.h"

#include <algorithm>
#include <cstdlib>

#include "mgnn/base/file.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/task/profiles.h"

namespace mgnn {
namespace {

Options data_options(DataConfig& d) {
  Options options = {option("source", d.source, "a dataset's name, a graph file or a folder")};
  append(options, load_options(d.load));
  append(
      options,
      {
          option("features", d.features,
                 "own (those of the data), of them attributes or labels, or made: degree-profile, "
                 "one-hot-degree, constant, random, identity"),
          option(
              "standardise", d.standardise,
              "measured columns to mean 0 and variance 1 over the graph, or the training graphs"),
          option("split", d.split,
                 "random, sklearn:N (of graphs: the folds that scikit-learn draws with "
                 "random_state N, for every seed), the name of one of the data's own, or "
                 "public-test (validation and test nodes drawn from those that split public tests "
                 "on)"),
          option("folds", d.folds, "of graphs where the split is random: one test, one validation"),
          option("num_validation", d.num_validation,
                 "items of a random split; 0: 500, or a quarter"),
          option("num_test", d.num_test, "items of a random split; 0: 500, or a quarter"),
      });
  return options;
}

// The last value given to a setting, or `otherwise`.
std::string last_value(const std::vector<const Settings*>& layers, std::string_view key,
                       std::string otherwise) {
  for (const Settings* layer : layers)
    for (const Setting& setting : *layer)
      if (setting.name == key) otherwise = text_of(setting.value);
  return otherwise;
}

// Profiles are of classification. Without labels there is little to overfit: nothing is dropped or
// decayed unless asked for.
void set_unsupervised_defaults(const Options& options) {
  for (const Option& one : options)
    if ((one.name.starts_with("model.") && one.name.ends_with("dropout")) ||
        one.name == "train.weight_decay")
      one.set(0.0);
}

}  // namespace

Options Config::options() {
  Options all = {
      choice<std::string>("task", task,
                          {{"auto", "auto"},
                           {"node", "node"},
                           {"graph", "graph"},
                           {"link", "link"},
                           {"unsupervised", "unsupervised"}},
                          "what to learn; auto: what the data have labels for, else links"),
      option("profile", profile, "settings found good: auto, none, published, tuned, paper, fair"),
      option("seed", seed, "seed of all random numbers"),
      option("seeds", seeds, "repetitions, with seeds one after the other"),
  };
  append(all, data_options(data), "data.");
  append(all, training_options(train), "train.");
  all.push_back(option("train.batch_size", batch_size, "graphs in a step, at most"));
  append(all, unsupervised_options(unsupervised), "unsupervised.");
  append(all, link_options(link), "link.");
  all.push_back(option("model.name", model, "the network"));
  if (network) append(all, network->options(), "model.");
  return all;
}

Settings read_config_file(const std::string& path) {
  const FileBytes bytes = map_file(path);
  return parse_toml(bytes.view(), path);
}

Settings environment_settings(const Options& options) {
  Settings settings;
  for (const Option& one : options) {
    std::string name = "MGNN_";
    for (const char c : one.name)
      name += c == '.' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
    if (const char* value = std::getenv(name.c_str())) settings.emplace_back(one.name, value);
  }
  return settings;
}

std::unique_ptr<Config> resolve_config(const ConfigLayers& layers) {
  const std::vector<const Settings*> all = {&layers.file, &layers.environment, &layers.flags,
                                            &layers.sets};
  auto config = std::make_unique<Config>();
  config->model = last_value(all, "model.name", config->model);
  config->network = find_method(config->model).make();
  const std::string source = lower(last_value(all, "data.source", ""));
  const Options options = config->options();
  const std::string task = last_value(all, "task", config->task);
  const std::string profile = last_value(all, "profile", config->profile);
  if (profile == "auto" && task == "unsupervised")
    set_unsupervised_defaults(options);
  else
    for (const Setting& setting : profile_settings(config->model, source, profile, task))
      set_option(options, setting);
  for (const Settings* layer : all)
    for (const Setting& setting : *layer) set_option(options, setting);
  return config;
}

std::string toml_of(Config& config) { return toml_of(config.options()); }

std::unique_ptr<Model> new_network(const Config& config) {
  std::unique_ptr<Model> made = find_method(config.model).make();
  copy_values(config.network->options(), made->options());
  return made;
}

bool asks_for_links(const Config& config, const Dataset& dataset) {
  const bool question = !config.link.relation.empty() || !config.link.between.empty();
  return config.task == "link" ||
         (config.task == "auto" && !dataset.is_set() && (question || dataset.label.empty()));
}

Dataset load_for_training(const Config& config) {
  const DataConfig& data = config.data;
  Dataset dataset = load_dataset(data.source, data.load);
  const bool none = num_features(dataset.features) == 0;
  const auto& makers = feature_makers();
  const bool made = std::find(makers.begin(), makers.end(), data.features) != makers.end();
  if (asks_for_links(config, dataset) && (made || (data.features == "own" && none))) {
    // The task makes them, of the edges that it may see.
    dataset.features = {};
    dataset.feature_names.clear();
    dataset.num_attributes = 0;
    dataset.features_from = made ? data.features : "identity, since the data have no features";
    return dataset;
  }
  choose_features(dataset, data.features, Rng(config.seed));
  return dataset;
}

}  // namespace mgnn
