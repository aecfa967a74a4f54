#include "mgnn/task/config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "mgnn/base/file.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/counting.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/data/registry.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/profiles.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

Options data_options(Config& config) {
  RunOptions& run = config.run;
  Options options = {option("source", config.source, "a dataset's name, a graph file or a folder")};
  append(options, load_options(config.load));
  append(
      options,
      {option("features", run.features,
              fmt::format("own (those of the data), attributes or labels among them, or "
                          "generated: {}",
                          fmt::join(feature_maker_names(), ", "))),
       option("standardise", run.standardise,
              "scale real-valued features to mean 0 and variance 1, as they are in the training "
              "items"),
       shown_as(option("split", run.split.name,
                       "auto (the user's own of a table or file, else random); random; sklearn:N "
                       "(sets of graphs: scikit-learn's StratifiedKFold with "
                       "random_state N); public-test (public test nodes, half of them for "
                       "validation); or a prefix of the names of the dataset's own splits"),
                "NAME"),
       option("folds", run.split.folds, "cross-validation folds (sets of graphs)"),
       option("num_validation", run.split.num_validation,
              "validation nodes of a random split (0: 500, or a quarter of small graphs)"),
       option("num_test", run.split.num_test,
              "test nodes of a random split (0: 500, or a quarter of small graphs)")});
  return options;
}

Options settings_of(Config& config, std::string_view only_task) {
  std::vector<std::pair<std::string, std::string>> names = {{"auto", "auto"}};
  for (const TaskEntry& entry : tasks()) names.emplace_back(entry.name, entry.name);
  std::vector<std::string> known;
  for (const TaskEntry& entry : tasks()) known.push_back(entry.name);
  Options options = {
      shown_as(
          choice<std::string>(
              "task", config.task_name, std::move(names),
              fmt::format("what to predict: {}; auto: the labels or targets that the data have, "
                          "else links",
                          fmt::join(known, ", "))),
          "TASK"),
      shown_as(option("profile", config.profile,
                      "recorded hyper-parameters of the network on the dataset: published, tuned, "
                      "paper, fair, none, or auto: tuned or published where there are any"),
               "NAME"),
      option("seed", config.run.seed, "seed of all random numbers"),
      option("seeds", config.run.seeds, "number of training runs, with consecutive seeds"),
  };
  append(options, data_options(config), "data.");
  append(options, training_options(config.run.training), "train.");
  options.push_back(
      option("train.batch_size", config.run.batch_size, "maximum number of graphs in a batch"));
  options.push_back(choice("train.direction", config.run.direction,
                           "neighbours that send messages in a directed graph; undirected: add the "
                           "reverse of every arc, also for motifs"));
  for (size_t t = 0; t < config.tasks.size(); t++)
    if (only_task.empty() || tasks()[t].name == only_task)
      append(options, config.tasks[t]->options(), tasks()[t].name + ".");
  options.push_back(option("model.name", config.model, "the network"));
  append(options, config.network->options(), "model.");
  return options;
}

std::string environment_name(std::string_view option) {
  std::string name = "MGNN_";
  for (const char c : option)
    name += c == '.' || c == '-' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<const Settings*> in_order(const ConfigLayers& layers) {
  return {&layers.file, &layers.flags, &layers.sets};
}

// The last value given to a setting, or `otherwise`.
std::string last_value(const ConfigLayers& layers, std::string_view name, std::string otherwise) {
  for (const Settings* layer : in_order(layers))
    for (const Setting& setting : *layer)
      if (setting.name == name) otherwise = text_of(setting.value);
  return otherwise;
}

// The task whose section a setting is in, or null.
const TaskEntry* owner_of(std::string_view setting) {
  for (const TaskEntry& entry : tasks())
    if (setting.starts_with(entry.name + ".")) return &entry;
  return nullptr;
}

// The options that a name means: one, or those of several tasks that have the same.
std::vector<const Option*> named(const Options& options, std::string_view name) {
  std::vector<const Option*> matches;
  for (const Option& option : options) {
    if (option.name == name) return {&option};
    if (last_part(option.name) == name) matches.push_back(&option);
  }
  const bool of_tasks = std::all_of(matches.begin(), matches.end(),
                                    [](const Option* o) { return owner_of(o->name); });
  if (matches.empty() || !of_tasks) return {&find_option(options, name)};
  return matches;
}

void apply_layers(const Options& options, const ConfigLayers& layers) {
  for (const Settings* layer : in_order(layers))
    for (const Setting& setting : *layer)
      for (const Option* option : named(options, setting.name)) option->set(setting.value);
}

void set_defaults(Config& config) {
  config.run = RunOptions();
  config.network = find_method(config.model).make();
  config.tasks.clear();
  for (const TaskEntry& entry : tasks()) config.tasks.push_back(entry.make());
}

// Defaults, profile, layers. REQUIRES: layers were applied before, for they name the profile.
void apply_profile(Config& config, const std::string& kind) {
  set_defaults(config);
  const Options options = config.options();
  for (const Setting& setting :
       profile_settings(config.model, lower(config.source), config.profile, kind))
    for (const Option* option : options_like(options, setting.name)) option->set(setting.value);
  apply_layers(options, config.layers);
}

// What is known of the task before the data are.
std::string profile_kind(const Config& config) {
  if (config.task_name != "auto") return config.entry().profiles;
  for (size_t t = 0; t < config.tasks.size(); t++)
    if (config.tasks[t]->suits({}, config.load) == Suits::asked) return tasks()[t].profiles;
  return tasks()[0].profiles;
}

const TaskEntry& best_suited(const Config& config, const Dataset& dataset) {
  size_t best = 0;
  Suits most = Suits::never;
  for (size_t t = 0; t < config.tasks.size(); t++)
    if (const Suits suits = config.tasks[t]->suits(dataset, config.load); suits > most) {
      most = suits;
      best = t;
    }
  if (most == Suits::never)
    fail_usage(label_hint(dataset), "{} has no labels to learn", dataset.name);
  return tasks()[best];
}

// Settings of other tasks: by a flag a mistake, in a file perhaps meant for another run.
void check_used(Config& config) {
  config.notes.clear();
  const Options options = config.options();
  const Options own = config.tasks[size_t(&config.entry() - tasks().data())]->options();
  for (const Settings* layer : in_order(config.layers))
    for (const Setting& setting : *layer) {
      const Option& option = *named(options, setting.name)[0];
      const TaskEntry* owner = owner_of(option.name);
      const bool shared = std::any_of(own.begin(), own.end(), [&](const Option& o) {
        return o.name == last_part(option.name);
      });
      if (!owner || owner->name == config.task_name || shared) continue;
      const std::string problem = fmt::format("{} is a setting of {}, but the task is {}",
                                              option.name, owner->title, config.entry().title);
      if (layer != &config.layers.file)
        fail_usage(Hint(Hint::setting, "task=" + owner->name), "{}", problem);
      config.notes.push_back(problem + ": it is not used");
    }
}

void check_network(const Config& config, const Dataset& dataset) {
  const Method& method = find_method(config.model);
  const Level level = config.task().shape(dataset).level;
  if (!method.supports(level))
    fail_usage(Hint::model, "{} has no output for {}s", config.model, name_of(level));
  const MotifWeights weights = config.network->motif_weights().value_or(MotifWeights::none);
  if (weights != MotifWeights::none && dataset.arc_weight.empty())
    fail_usage("motif_weights is {}, but {} has no weights of arcs", name_of(weights),
               dataset.name);
}

// What the data have and the network has no place for.
void note_unused(Config& config, const Dataset& dataset) {
  const auto note = [&](const char* what) {
    config.notes.push_back(fmt::format("{}: {} are not used by {} with these settings",
                                       dataset.name, what, config.model));
  };
  if (!dataset.arc_weight.empty() && config.network->arc_weights() == ArcWeights::unused)
    note("the weights of arcs");
  else if (!dataset.arc_weight.empty() && config.network->motif_weights() == MotifWeights::none)
    config.notes.push_back(fmt::format(
        "{}: motif matrices count instances, whatever the weights of arcs (setting motif_weights)",
        dataset.name));
  if (dataset.relations.size() > 1 && !config.network->uses_relations())
    note("the relations of arcs");
  const bool are_features = config.load.type_features || config.task().predicts_pairs();
  if (dataset.node_type_names.size() > 1 && !are_features)
    config.notes.push_back(
        fmt::format("{}: the types of nodes are not used (setting type_features)", dataset.name));
  if (config.run.direction == Direction::out && config.network->uses_relations())
    config.notes.push_back(fmt::format(
        "direction is not used: {} has weights for messages along the arcs and against them",
        config.model));
}

// The version of the released code's counting that belongs to the data.
void choose_counting(Config& config, const Dataset& dataset) {
  for (const Option& option : config.network->options()) {
    if (option.name != "counting") continue;
    const Counting counting = parse_name<Counting>("counting", text_of(option.get()));
    option.set(std::string(name_of(counting_for(counting, dataset))));
  }
}

// Why a task that nobody stated is the one that was chosen, where that may surprise.
void note_guess(Config& config, const Dataset& dataset) {
  const bool classes = !dataset.label.empty() || !dataset.label_set.empty();
  if (classes && !dataset.target.empty())
    config.notes.push_back(
        fmt::format("{}: there are classes and targets; the task is {} (setting task)",
                    dataset.name, config.entry().title));
  if (config.task().predicts_pairs() && !config.load.nodes.empty())
    config.notes.push_back(
        fmt::format("{}: no column of {} is called label, class or target, so links are learned "
                    "(settings task, label_column, target_column)",
                    dataset.name, config.load.nodes));
}

// What was guessed of a split, or that it is of no use to the task.
void note_split(Config& config, const Dataset& dataset) {
  const Task& task = config.task();
  const SplitOptions& split = config.run.split;
  if (!task.predicts_pairs() && task.has_test_scores()) {
    if (std::string note = split_note(dataset, dataset.label, split); !note.empty())
      config.notes.push_back(std::move(note));
  } else if (split_name(dataset, split) != "random" || split.name == "random") {
    config.notes.push_back(fmt::format(
        "{}: the split {} is not used: {}", dataset.name, in_quotes(split_name(dataset, split)),
        task.predicts_pairs() ? "edges are held out, not nodes" : "nothing is held out"));
  }
}

}  // namespace

Config::Config() = default;
Config::~Config() = default;

const TaskEntry& Config::entry() const { return find_task(task_name); }

const Task& Config::task() const { return *tasks[size_t(&entry() - mgnn::tasks().data())]; }

Options Config::options() { return settings_of(*this, ""); }

Options Config::used_options() { return settings_of(*this, task_name == "auto" ? "" : task_name); }

Settings read_config_file(const std::string& path) {
  const FileBytes bytes = map_file(path);
  return parse_toml(bytes.view(), path);
}

Settings environment_settings(const Options& options, std::string_view prefix) {
  Settings settings;
  for (const Option& option : options)
    if (const char* value =
            std::getenv(environment_name(std::string(prefix) + option.name).c_str()))
      settings.emplace_back(option.name, value);
  return settings;
}

std::unique_ptr<Config> resolve_config(ConfigLayers layers) {
  auto config = std::make_unique<Config>();
  config->layers = std::move(layers);
  Settings& file = config->layers.file;
  const bool environment = config->layers.read_environment;
  if (const char* model = environment ? std::getenv("MGNN_MODEL_NAME") : nullptr)
    file.emplace_back("model.name", model);
  config->model = last_value(config->layers, "model.name", config->model);
  set_defaults(*config);
  if (environment)  // the model's settings, too
    for (Setting& setting : environment_settings(config->options()))
      file.push_back(std::move(setting));
  apply_layers(config->options(), config->layers);
  apply_profile(*config, profile_kind(*config));
  return config;
}

void choose_task(Config& config, const Dataset& dataset) {
  const bool guessed = config.task_name == "auto";
  if (guessed) {
    const TaskEntry& entry = best_suited(config, dataset);
    const bool other_profiles = entry.profiles != profile_kind(config);
    if (other_profiles) apply_profile(config, entry.profiles);
    config.task_name = entry.name;
  }
  check_used(config);
  check_network(config, dataset);
  choose_counting(config, dataset);
  if (guessed) note_guess(config, dataset);
  note_unused(config, dataset);
}

std::string toml_of(Config& config) { return toml_of(config.used_options()); }

std::string stored_toml(Config& config) {
  const std::string source = config.source, nodes = config.load.nodes;
  const auto absolute = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  const bool is_path = file_exists(source) || is_directory(source);
  if (is_path && !find_dataset_entry(source)) config.source = absolute(source);
  if (file_exists(nodes)) config.load.nodes = absolute(nodes);
  const std::string toml = toml_of(config);
  config.source = source;
  config.load.nodes = nodes;
  return toml;
}

std::unique_ptr<Model> new_network(const Config& config) {
  std::unique_ptr<Model> network = find_method(config.model).make();
  copy_values(config.network->options(), network->options());
  return with_direction(std::move(network), config.run.direction);
}

Dataset load_for_training(Config& config) {
  LoadOptions load = config.load;
  load.undirected |= config.run.direction == Direction::undirected;
  return prepared_for_training(config, load_dataset(config.source, load));
}

Dataset prepared_for_training(Config& config, Dataset dataset) {
  if (config.run.direction == Direction::undirected && !is_undirected(dataset.graph))
    dataset = symmetrised(std::move(dataset));
  choose_task(config, dataset);
  note_split(config, dataset);
  const std::string& features = config.run.features;
  const std::vector<std::string> makers = feature_maker_names();
  const bool makes = std::find(makers.begin(), makers.end(), features) != makers.end();
  if (config.load.type_features && features != "own" && features != "labels")
    fail_usage(
        "type_features is asked for, but features {} have no place for them; use features own",
        features);
  const bool has_none = num_features(dataset.features) == 0;
  if (config.task().makes_features() && (makes || (features == "own" && has_none))) {
    dataset.features = {};
    dataset.feature_names.clear();
    dataset.num_attributes = 0;
    dataset.features_from = makes ? features : "identity, since the data have no features";
    return dataset;
  }
  choose_features(dataset, features, Rng(config.run.seed));
  return dataset;
}

std::shared_ptr<const Dataset> prepared_for_training(Config& config,
                                                     std::shared_ptr<const Dataset> dataset) {
  const bool has_arcs =
      config.run.direction != Direction::undirected || is_undirected(dataset->graph);
  if (!has_arcs || config.run.features != "own" || num_features(dataset->features) == 0)
    return std::make_shared<const Dataset>(prepared_for_training(config, Dataset(*dataset)));
  choose_task(config, *dataset);
  note_split(config, *dataset);
  return dataset;
}

Result run_task(Config& config, const Dataset& dataset, const TrainingCallbacks& callbacks) {
  choose_task(config, dataset);
  const Task& task = config.task();
  task.check(dataset, config.run);
  check_arc_weights(dataset, *config.network);
  const ModelMaker make_model = [&] { return new_network(config); };
  Result result = task.run(dataset, make_model, config.run, callbacks);
  result.task = config.task_name;
  return result;
}

}  // namespace mgnn
