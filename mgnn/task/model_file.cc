#include "mgnn/task/model_file.h"

#include <nlohmann/json.hpp>

#include "mgnn/base/file.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/io/safetensors.h"
#include "mgnn/task/input_scale.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

// ---- weights

void add_weights(SafeTensors& file, const Parameters& layout, const Array<float>& value,
                 const std::string& prefix) {
  for (const NamedParameter& p : layout.all)
    file.tensors.push_back({prefix + p.name,
                            {p.rows, p.cols},
                            Array<float>(value.begin() + p.at, value.begin() + p.at + p.size())});
}

const Array<float>& floats(const SafeTensors& file, const std::string& path,
                           const std::string& name, int64_t size) {
  const SafeTensor* tensor = file.find(name);
  if (!tensor) fail_data("{}: there is no tensor {}", path, in_quotes(name));
  const auto* data = std::get_if<Array<float>>(&tensor->data);
  if (!data || int64_t(data->size()) != size)
    fail_data("{}: tensor {} does not have the {} numbers that the network needs", path,
              in_quotes(name), size);
  return *data;
}

Array<float> read_weights(const SafeTensors& file, const std::string& path,
                          const Parameters& layout, const std::string& prefix) {
  Array<float> value(layout.value.size());
  for (const NamedParameter& p : layout.all) {
    const Array<float>& from = floats(file, path, prefix + p.name, p.size());
    std::copy(from.begin(), from.end(), value.begin() + p.at);
  }
  return value;
}

int64_t stored_scale_columns(const SafeTensors& file) {
  const SafeTensor* mean = file.find(kInputMean);
  const auto* data = mean ? std::get_if<Array<float>>(&mean->data) : nullptr;
  return data ? int64_t(data->size()) : 0;
}

// ---- metadata

std::string required(const SafeTensors& file, const std::string& path, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    fail_data("{}: is not a model of mgnn: it does not say its {}", path, in_quotes(key));
  return found->second;
}

Json parsed(const std::string& path, const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception&) {
    fail_data("{}: its metadata are broken: {}", path, in_quotes(text));
  }
}

template <class T>
T value_in(const Json& json, const std::string& path, const char* key) {
  try {
    return json.at(key).get<T>();
  } catch (const nlohmann::json::exception&) {
    fail_data("{}: metadata field {} is missing or malformed", path, in_quotes(key));
  }
}

Json json_of(const Scores& s) {
  return {{"loss", s.loss}, {"metric", s.metric}, {"count", s.count}};
}
Scores scores_in(const Json& json, const std::string& path) {
  return {value_in<double>(json, path, "loss"), value_in<double>(json, path, "metric"),
          value_in<int64_t>(json, path, "count")};
}
Json json_of(const EpochRecord& r) {
  return {{"epoch", r.epoch}, {"train_loss", r.train_loss}, {"validation", json_of(r.validation)}};
}
EpochRecord record_in(const Json& json, const std::string& path) {
  return {value_in<int64_t>(json, path, "epoch"), value_in<double>(json, path, "train_loss"),
          scores_in(value_in<Json>(json, path, "validation"), path)};
}

// All settings that a model was trained with, whatever profiles say today.
std::unique_ptr<Config> stored_config(const std::string& toml, const std::string& path) {
  ConfigLayers layers{.file = parse_toml(toml, path), .sets = {"profile=none"}};
  return resolve_config(std::move(layers));
}

std::string model_path(const std::string& path) {
  return is_directory(path) ? path + "/model.safetensors" : path;
}

}  // namespace

void write_model(const std::string& path, Config& config, const Dataset& dataset,
                 const Result& result, bool overwrite) {
  const Repetition& best = result.runs[result.best];
  SafeTensors file;
  add_weights(file, best.state.weights, best.state.weights.value, "");
  const Json shape = {{"in", result.shape.in},
                      {"out", result.shape.out},
                      {"level", result.shape.level == Level::graph ? "graph" : "node"},
                      {"nodes", result.shape.nodes}};
  file.metadata = {
      {"mgnn.version", MGNN_VERSION},
      {"task", result.task},
      {"dataset", dataset.name},
      {"dataset_sha256", fingerprint(dataset)},
      {"features_from", dataset.features_from},
      {"shape", shape.dump()},
      {"classes", Json(dataset.class_names).dump()},
      {"feature_names", Json(dataset.feature_names).dump()},
      {"fitted", Json(best.fitted).dump()},
      {"seed", std::to_string(best.seed)},
      {"epoch", std::to_string(best.state.best.epoch)},
      {"metric", result.metric.name},
      {"validation", json_of(best.validation).dump()},
      {"test", json_of(best.test).dump()},
      {"config", toml_of(config)},
  };
  if (!best.extra_metrics.empty()) file.metadata["extra_metrics"] = Json(best.extra_metrics).dump();
  write_safetensors(path, file, overwrite);
}

TrainedModel read_model(const std::string& given) {
  const std::string path = model_path(given);
  if (!file_exists(path))
    fail_data("{}: there is no trained model; mgnn train … -o DIR makes one", path);
  const SafeTensors file = read_safetensors(path);
  TrainedModel model{.path = given};
  model.config = stored_config(required(file, path, "config"), path);
  if (model.config->task_name != required(file, path, "task"))
    fail_data("{}: the task of its configuration is not that of its metadata", path);
  const Json shape = parsed(path, required(file, path, "shape"));
  model.shape = {
      value_in<int64_t>(shape, path, "in"), value_in<int64_t>(shape, path, "out"),
      value_in<std::string>(shape, path, "level") == "graph" ? Level::graph : Level::node,
      shape.contains("nodes") ? value_in<int64_t>(shape, path, "nodes") : 0};
  constexpr int64_t kMaxSize = int64_t(1) << 31;
  for (const int64_t size : {model.shape.in, model.shape.out, model.shape.nodes})
    if (size < 0 || size > kMaxSize)
      fail_data("{}: invalid shape {} -> {} of {} nodes", path, model.shape.in, model.shape.out,
                model.shape.nodes);
  for (const Json& name : parsed(path, required(file, path, "classes")))
    model.class_names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  if (const auto names = file.metadata.find("feature_names"); names != file.metadata.end())
    for (const Json& name : parsed(path, names->second))
      model.feature_names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  const Json fitted = parsed(path, required(file, path, "fitted"));
  for (const auto& [name, number] : fitted.items()) {
    if (!number.is_number()) fail_data("{}: invalid {} {}", path, name, in_quotes(number.dump()));
    model.fitted[name] = number.get<double>();
  }
  model.config->task().check_fitted(model.fitted, path);
  model.model = model.config->task().adapted(new_network(*model.config));
  Rng rng(0);
  build_with_scale(*model.model, model.shape, stored_scale_columns(file), model.weights, rng);
  model.weights.value = read_weights(file, path, model.weights, "");
  model.facts = file.metadata;
  return model;
}

void write_checkpoint(const std::string& path, const Repetition& run) {
  const TrainingState& s = run.state;
  SafeTensors file;
  add_weights(file, s.weights, s.weights.value, "weights.");
  if (!s.best_weights.empty()) add_weights(file, s.weights, s.best_weights, "best.");
  add_weights(file, s.weights, s.adam.mean, "adam.mean.");
  add_weights(file, s.weights, s.adam.square, "adam.square.");
  if (!s.adam.largest.empty()) add_weights(file, s.weights, s.adam.largest, "adam.largest.");
  Json history = Json::array();
  for (const EpochRecord& record : s.history) history.push_back(json_of(record));
  const Json state = {{"seed", run.seed},
                      {"fold", run.fold},
                      {"epoch", s.epoch},
                      {"steps", s.steps},
                      {"train_loss", s.train_loss},
                      {"done", s.done},
                      {"seconds", s.seconds},
                      {"best", json_of(s.best)},
                      {"has_best", !s.best_weights.empty()},
                      {"adam_steps", s.adam.steps},
                      {"has_largest", !s.adam.largest.empty()},
                      {"schedule_best", s.schedule.best},
                      {"schedule_reached", s.schedule.reached},
                      {"schedule_waited", s.schedule.waited},
                      {"history", history}};
  file.metadata = {{"mgnn.version", MGNN_VERSION}, {"state", state.dump()}};
  write_safetensors(path, file, true);
}

void read_checkpoint(const std::string& path, Repetition& run) {
  const SafeTensors file = read_safetensors(path);
  const Json state = parsed(path, required(file, path, "state"));
  if (value_in<uint64_t>(state, path, "seed") != run.seed ||
      value_in<int64_t>(state, path, "fold") != run.fold)
    fail_data("{}: is of another seed or fold than the run to resume", path);
  TrainingState& s = run.state;
  s.weights.value = read_weights(file, path, s.weights, "weights.");
  if (value_in<bool>(state, path, "has_best"))
    s.best_weights = read_weights(file, path, s.weights, "best.");
  s.adam.mean = read_weights(file, path, s.weights, "adam.mean.");
  s.adam.square = read_weights(file, path, s.weights, "adam.square.");
  if (value_in<bool>(state, path, "has_largest"))
    s.adam.largest = read_weights(file, path, s.weights, "adam.largest.");
  s.adam.steps = value_in<int64_t>(state, path, "adam_steps");
  s.schedule.best = value_in<double>(state, path, "schedule_best");
  s.schedule.reached = value_in<double>(state, path, "schedule_reached");
  s.schedule.waited = value_in<int64_t>(state, path, "schedule_waited");
  s.epoch = value_in<int64_t>(state, path, "epoch");
  s.steps = value_in<int64_t>(state, path, "steps");
  s.train_loss = value_in<double>(state, path, "train_loss");
  s.done = value_in<bool>(state, path, "done");
  s.seconds = value_in<double>(state, path, "seconds");
  s.best = record_in(value_in<Json>(state, path, "best"), path);
  s.history.clear();
  for (const Json& record : value_in<Json>(state, path, "history"))
    s.history.push_back(record_in(record, path));
}

}  // namespace mgnn
