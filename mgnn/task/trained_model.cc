#include "mgnn/task/trained_model.h"

#include <algorithm>
#include <utility>

#include "mgnn/base/file.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/task/class_outputs.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/task.h"
#include "mgnn/task/weights_file.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

int64_t stored_scale_columns(const SafeTensors& file) {
  const SafeTensor* mean = file.find(kInputMean);
  const auto* data = mean ? std::get_if<Array<float>>(&mean->data) : nullptr;
  return data ? int64_t(data->size()) : 0;
}

// So that settings which do not belong to the weights of the file are found before memory is taken
// for others.
void allow_as_many(const SafeTensors& file, Parameters& weights) {
  // A few more, so that what is missing is named by those that look for it.
  weights.max_parameters = file.tensors.size() + 64;
  weights.max_count = int64_t(1) << 20;
  for (const SafeTensor& tensor : file.tensors)
    if (const auto* data = std::get_if<Array<float>>(&tensor.data))
      weights.max_count += int64_t(data->size());
}

// All settings that a model was trained with, whatever profiles say today.
std::unique_ptr<Config> stored_config(const std::string& toml, const std::string& path) {
  ConfigLayers layers{.file = parse_toml(toml, path), .sets = {"profile=none"}};
  return resolve_config(std::move(layers));
}

// Names in the metadata, where they are.
std::vector<std::string> stored_names(const SafeTensors& file, const std::string& path,
                                      const std::string& key) {
  std::vector<std::string> names;
  if (const auto text = file.metadata.find(key); text != file.metadata.end())
    for (const Json& name : parsed(path, text->second))
      names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  return names;
}

// In files that do not say which columns are measured, names tell: those without =.
FeatureLayout stored_layout(const SafeTensors& file, const std::string& path, int64_t columns) {
  FeatureLayout layout{columns, stored_names(file, path, "feature_names")};
  const auto text = file.metadata.find("num_attributes");
  if (text == file.metadata.end()) {
    const auto one_hot = [](const std::string& name) { return name.find('=') != name.npos; };
    layout.num_attributes =
        std::find_if(layout.names.begin(), layout.names.end(), one_hot) - layout.names.begin();
  } else if (!parse_number(text->second, layout.num_attributes) || layout.num_attributes < 0 ||
             layout.num_attributes > columns) {
    fail_data("{}: invalid num_attributes {}", path, in_quotes(text->second));
  }
  return layout;
}

// Of the weights of an ensemble's members after the first.
std::string member_prefix(size_t other) { return fmt::format("member{}.", other + 2); }

size_t stored_members(const SafeTensors& file, const std::string& path) {
  const auto text = file.metadata.find("members");
  if (text == file.metadata.end()) return 1;
  size_t members = 0;
  if (!parse_number(text->second, members) || members == 0 || members > file.tensors.size())
    fail_data("{}: invalid number of members {}", path, in_quotes(text->second));
  return members;
}

std::vector<std::string> names_of_relations(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const Relation& relation : dataset.relations) names.push_back(relation.name);
  return names;
}

// What the data have and the training did not, or the other way round.
void remark_on_arcs(const TrainedModel& model, Dataset& dataset) {
  const bool used = model.model->arc_weights() != ArcWeights::unused;
  if (used && !dataset.arc_weight.empty() && !model.weighted)
    dataset.remarks.push_back("the weights of arcs are not used: the model was trained without");
  if (dataset.arc_weight.empty() && model.weighted)
    dataset.remarks.push_back(
        "there are no weights of arcs, with which the model was trained: all count as 1");
  if (!model.model->uses_relations()) return;
  if (!dataset.relations.empty() && model.relation_names.empty())
    dataset.remarks.push_back("the relations of arcs are not used: the model was trained without");
}

// Neighbours' classes are known where the training was.
void remark_on_smoothing(const TrainedModel& model, Dataset& dataset) {
  if (is_smoothed(model.fitted) && !is_training_data(model, dataset))
    dataset.remarks.emplace_back(
        "predictions are not smoothed over edges: these are not the data of the training, whose "
        "classes that needs; they are those of the network alone");
}

std::string model_path(const std::string& path) {
  return is_directory(path) ? path + "/model.safetensors" : path;
}

bool states(const Settings& settings, const char* name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.name == name; });
}

// A table of nodes or graphs to predict for has the features of the training, but need not have answers or a split.
void adapt_to_table(const TrainedModel& model, const Settings& stated, LoadOptions& load) {
  const auto may_be_absent = [&](const char* setting, const std::string& column) {
    if (!states(stated, setting) && !column.empty()) load.optional_columns.push_back(column);
  };
  may_be_absent("data.label_column", load.label_column);
  may_be_absent("data.target_column", load.target_column);
  may_be_absent("data.split_column", load.split_column);
  if (load.nodes.empty()) return;
  if (!model.config->load.nodes.empty() && model.config->run.features == "own" &&
      !states(stated, "data.feature_columns"))
    load.feature_columns = model.table_columns;
}

// Whether the node table of the training gave answers (labels, targets, a split) and nothing that the
// model reads.
bool table_gave_answers_only(const TrainedModel& model) {
  const RunOptions& run = model.config->run;
  const bool features = run.features == "labels" || model.config->load.type_features ||
                        (run.features == "own" && !model.table_columns.empty());
  return !features && !model.config->task().predicts_pairs();
}

// Other nodes have other answers, and rows of the old table would only add nodes to them.
Dataset load_without_table(Config& config) {
  const std::string table = std::exchange(config.load.nodes, "");
  for (std::string* column : {&config.load.id_column, &config.load.label_column,
                              &config.load.type_column, &config.load.split_column})
    column->clear();
  config.load.feature_columns.clear();
  Dataset dataset = load_for_training(config);
  dataset.remarks.push_back(fmt::format(
      "the node table of the training, {}, is not joined: the model reads none of it", table));
  return dataset;
}

// Other data with the node table of the training: the nodes may be the same, or the table forgotten.
Dataset load_with_old_table(Config& config) {
  const std::string& table = config.load.nodes;
  try {
    Dataset dataset = load_for_training(config);
    dataset.remarks.push_back(
        fmt::format("no node table is named, so that of the training, {}, is joined", table));
    return dataset;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    fail_data(Hint::nodes, "{} (no node table is named for {}, so that of the training was joined)",
              error.what(), config.source);
  }
}

}  // namespace

namespace {

SafeTensors model_file(Config& config, const Dataset& dataset, const Result& result) {
  const Repetition& best = result.runs[result.best];
  SafeTensors file;
  add_weights(file, best.state.weights, best.state.weights.value, "");
  for (size_t m = 0; m < best.others.size(); m++)
    add_weights(file, best.state.weights, best.others[m].weights.value, member_prefix(m));
  const Json shape = {{"in", result.shape.in},
                      {"out", result.shape.out},
                      {"level", result.shape.level == Level::graph ? "graph" : "node"},
                      {"nodes", result.shape.nodes},
                      {"relations", result.shape.relations}};
  const bool weighted = config.network->arc_weights() != ArcWeights::unused;
  const bool typed = config.network->uses_relations();
  file.metadata = {
      {"mgnn.version", MGNN_VERSION},
      {"task", result.task},
      {"dataset", dataset.name},
      {"dataset_sha256", fingerprint(dataset)},
      {"features_from", dataset.features_from},
      {"shape", shape.dump()},
      {"classes", Json(dataset.class_names).dump()},
      {"feature_names", Json(dataset.feature_names).dump()},
      {"num_attributes", std::to_string(dataset.num_attributes)},
      {"table_columns", Json(dataset.table_columns).dump()},
      {"arc_weight_sha256", weighted ? fingerprint_of_weights(dataset) : ""},
      {"relation_names",
       Json(typed ? names_of_relations(dataset) : std::vector<std::string>()).dump()},
      {"relations_sha256", typed ? fingerprint_of_relations(dataset) : ""},
      {"fitted", Json(best.fitted).dump()},
      {"members", std::to_string(1 + best.others.size())},
      {"train_items", std::to_string(test_set_of({best.split.train}))},
      {"seed", std::to_string(best.seed)},
      {"epoch", std::to_string(best.state.best.epoch)},
      {"metric", result.metric.name},
      {"validation", json_of(best.validation).dump()},
      {"test", json_of(best.test).dump()},
      {"config", stored_toml(config)},
  };
  if (!best.extra_metrics.empty()) file.metadata["extra_metrics"] = Json(best.extra_metrics).dump();
  return file;
}

TrainedModel model_in(const SafeTensors& file, const std::string& given, const std::string& path) {
  TrainedModel model{.path = given};
  model.config = stored_config(required(file, path, "config"), path);
  if (model.config->task_name != required(file, path, "task"))
    fail_data("{}: the task of its configuration is not that of its metadata", path);
  const Json shape = parsed(path, required(file, path, "shape"));
  model.shape = {
      value_in<int64_t>(shape, path, "in"), value_in<int64_t>(shape, path, "out"),
      value_in<std::string>(shape, path, "level") == "graph" ? Level::graph : Level::node,
      shape.contains("nodes") ? value_in<int64_t>(shape, path, "nodes") : 0,
      shape.contains("relations") ? value_in<int64_t>(shape, path, "relations") : 0};
  constexpr int64_t kMaxSize = int64_t(1) << 31;
  for (const int64_t size :
       {model.shape.in, model.shape.out, model.shape.nodes, model.shape.relations})
    if (size < 0 || size > kMaxSize)
      fail_data("{}: invalid shape {} -> {} of {} nodes", path, model.shape.in, model.shape.out,
                model.shape.nodes);
  for (const Json& name : parsed(path, required(file, path, "classes")))
    model.class_names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  model.features = stored_layout(file, path, model.shape.in);
  model.table_columns = stored_names(file, path, "table_columns");
  model.relation_names = stored_names(file, path, "relation_names");
  const Json fitted = parsed(path, required(file, path, "fitted"));
  for (const auto& [name, number] : fitted.items()) {
    if (!number.is_number()) fail_data("{}: invalid {} {}", path, name, in_quotes(number.dump()));
    model.fitted[name] = number.get<double>();
  }
  model.config->task().check_fitted(model.fitted, path);
  model.model = model.config->task().adapted(new_network(*model.config));
  Rng rng(0);
  allow_as_many(file, model.weights);
  try {
    build_with_scale(*model.model, model.shape, stored_scale_columns(file), model.weights, rng);
  } catch (const Error& error) {
    fail_data("{}: its settings are not those of its weights: {}", path, error.what());
  }
  model.weights.value = read_weights(file, path, model.weights, "");
  for (size_t m = 0; m + 1 < stored_members(file, path); m++)
    model.others.push_back(read_weights(file, path, model.weights, member_prefix(m)));
  model.facts = file.metadata;
  model.weighted = !model.facts["arc_weight_sha256"].empty();
  if (model.model->uses_relations() &&
      int64_t(model.relation_names.size()) != model.shape.relations)
    fail_data("{}: names of {} relations for {}", path, model.relation_names.size(),
              model.shape.relations);
  return model;
}

}  // namespace

void write_model(const std::string& path, Config& config, const Dataset& dataset,
                 const Result& result, bool overwrite) {
  write_safetensors(path, model_file(config, dataset, result), overwrite);
}

std::string model_bytes(Config& config, const Dataset& dataset, const Result& result) {
  return safetensors_bytes(model_file(config, dataset, result));
}

TrainedModel read_model(const std::string& given) {
  const std::string path = model_path(given);
  if (!file_exists(path)) fail_data(Hint::train, "{}: there is no trained model", path);
  return model_in(read_safetensors(path), given, path);
}

TrainedModel parse_model(std::string_view bytes, const std::string& path) {
  return model_in(parse_safetensors(bytes, path), path, path);
}

Matrix answers_of(const TrainedModel& model, const Matrix& output) {
  return model.config->task().answers(model, output);
}

Prediction predict(TrainedModel& model, const Dataset& dataset) {
  return model.config->task().predict(model, dataset);
}

PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                 const PredictRequest& request) {
  return model.config->task().write_predictions(model, dataset, request);
}

Dataset load_for_prediction(const TrainedModel& model, const Settings& settings,
                            const std::string& data_dir) {
  ConfigLayers layers{.file = parse_toml(toml_of(*model.config), model.path),
                      .flags = settings,
                      .sets = {"profile=none"}};
  const std::unique_ptr<Config> config = resolve_config(std::move(layers));
  config->load.data_dir = data_dir;
  config->load.seed = config->run.seed;
  adapt_to_table(model, settings, config->load);
  const bool old_table = states(settings, "data.source") && !states(settings, "data.nodes") &&
                         !config->load.nodes.empty();
  Dataset dataset = !old_table                       ? load_for_training(*config)
                    : table_gave_answers_only(model) ? load_without_table(*config)
                                                     : load_with_old_table(*config);
  const auto trained_on = model.facts.find("dataset_sha256");
  if (settings.empty() && trained_on != model.facts.end() &&
      trained_on->second != fingerprint(dataset))
    dataset.remarks.emplace_back("these are not the data that the model was trained on");
  remark_on_arcs(model, dataset);
  remark_on_smoothing(model, dataset);
  if (!model.features.names.empty()) align_features(dataset, model.features);
  return dataset;
}

bool is_training_data(const TrainedModel& model, const Dataset& dataset) {
  const auto data = model.facts.find("dataset_sha256"), items = model.facts.find("train_items");
  if (data == model.facts.end() || items == model.facts.end()) return false;
  if (model.shape.nodes != dataset.graph.num_nodes() || dataset.label.empty()) return false;
  if (data->second != fingerprint(dataset)) return false;
  return items->second == std::to_string(test_set_of({split_of_training(model, dataset).train}));
}

Split split_of_training(const TrainedModel& model, const Dataset& dataset) {
  const RunOptions& run = model.config->run;
  uint64_t seed = 0;
  const auto stored = model.facts.find("seed");
  if (stored == model.facts.end() || !parse_number(stored->second, seed) || seed < run.seed)
    fail_data("{}: its metadata do not have the seed of its training", model.path);
  return select_splits(dataset, dataset.label, run.split, Rng(seed).split(kSplitStream),
                       int64_t(seed - run.seed))[0];
}

void check_one_network(const TrainedModel& model, const char* what) {
  if (!model.others.empty())
    fail_usage("{}: is an ensemble of {} networks; {} takes one network (ensemble=1)", model.path,
               model.others.size() + 1, what);
}

Dataset prepared_for_prediction(const TrainedModel& model, Dataset dataset) {
  const std::unique_ptr<Config> config = resolve_config(
      {.file = parse_toml(toml_of(*model.config), model.path), .sets = {"profile=none"}});
  dataset = prepared_for_training(*config, std::move(dataset));
  remark_on_arcs(model, dataset);
  remark_on_smoothing(model, dataset);
  if (!model.features.names.empty()) align_features(dataset, model.features);
  return dataset;
}

Dataset with_trained_arcs(const TrainedModel& model, const Dataset& dataset) {
  Dataset result = dataset;
  if (!model.weighted) result.arc_weight.clear();
  if (!model.model->uses_relations()) return result;
  result.relations.clear();
  for (const std::string& name : model.relation_names) result.relations.push_back({name, {}});
  if (model.relation_names.empty()) return result;
  if (dataset.relations.empty())
    fail_data("{}: has no relations, but the model was trained with {}", dataset.name,
              model.relation_names.size());
  for (const Relation& relation : dataset.relations) {
    const auto known =
        std::find(model.relation_names.begin(), model.relation_names.end(), relation.name);
    if (known == model.relation_names.end())
      fail_data("{}: the relation {} is not one of the {} that the model was trained with",
                dataset.name, in_quotes(relation.name), model.relation_names.size());
    result.relations[known - model.relation_names.begin()].edges = relation.edges;
  }
  return result;
}

Dataset aligned_to(const TrainedModel& model, const Dataset& dataset) {
  Dataset aligned = with_trained_arcs(model, dataset);
  if (!model.features.names.empty()) align_features(aligned, model.features);
  const int64_t features = num_features(aligned.features);
  if (features == model.shape.in) return aligned;
  const auto source = model.facts.find("features_from");
  fail_data("{}: has {} features, but the model was trained with {} ({})", dataset.name, features,
            model.shape.in, source == model.facts.end() ? "" : source->second);
}

}  // namespace mgnn
