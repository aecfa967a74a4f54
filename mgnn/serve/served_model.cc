#include "mgnn/serve/served_model.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <tuple>

#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/sha256.h"
#include "mgnn/serve/message.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/training.h"

namespace mgnn {
namespace {

// "cora" of "runs/cora/" and of "runs/cora/model.safetensors".
std::string name_of_run(const std::string& run) {
  std::filesystem::path path = std::filesystem::path(run).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (path.filename() == "model.safetensors" && path.has_parent_path()) path = path.parent_path();
  return path.filename() == "." || path.filename() == ".." || path.filename().empty()
             ? "model"
             : path.filename().string();
}

// NAME=RUN as both; no name: empty.
std::pair<std::string, std::string> name_and_run(const std::string& run) {
  const size_t equals = run.find('=');
  if (equals == run.npos || file_exists(run)) return {"", run};
  return {run.substr(0, equals), run.substr(equals + 1)};
}

void add_links(ServedModel& served) {
  TrainedModel& model = served.model;
  ServedLinks& links = served.links.emplace(
      ServedLinks{training_data(model, served.dataset), {}, calibration_of(model), {}});
  evaluate(*model.model, model.weights, links.data.batch, [&](const Output<float>& out) {
    served.output = copied(out.out);
    served.representation = copied(out.representation);
  });
  links.data.batch = {};  // operators are the bulk of the memory
  links.ends = end_matrices(served.output, link_options_of(*model.config).decoder);
  links.no_arcs = make_graph(served.dataset.graph.num_nodes(), {});
}

void add_answers(ServedModel& served) {
  TrainedModel& model = served.model;
  if (model.config->task().predicts_pairs()) return add_links(served);
  Prediction prediction = predict(model, served.dataset);
  served.output = std::move(prediction.output);
  served.representation = std::move(prediction.representation);
  if (served.output.rows > 0) served.answers = answers_of(model, served.output);
  if (model.config->task_name == "node") {
    const Split split = split_of_training(model, served.dataset);
    served.part = split_parts(&split, served.dataset.graph.num_nodes());
  }
}

std::vector<std::string> names_of_items(const ServedModel& served) {
  std::vector<std::string> names;
  for (NodeId i = 0; i < served.num_items(); i++) names.push_back(served.item_name(i));
  return names;
}

}  // namespace

std::string ServedModel::item_name(NodeId item) const {
  return (is_set ? dataset.graph_ids : dataset.ids).name(item);
}

NodeId ServedModel::find_item(const std::string& item) const { return find_items({item})[0]; }

std::vector<NodeId> ServedModel::find_items(const std::vector<std::string>& items) const {
  std::vector<NodeId> found;
  std::vector<std::string> unknown;
  for (const std::string& item : items) {
    found.push_back(item_by_name->find(item));
    if (found.back() < 0) unknown.push_back(item);
  }
  if (unknown.empty()) return found;
  const std::string others =
      unknown.size() == 1 ? "" : fmt::format(" (and {} more)", unknown.size() - 1);
  HttpError problem(404,
                    fmt::format("{}: there is no {} {}{}", name, is_set ? "graph" : "node",
                                in_quotes(unknown[0]), others),
                    search.similar(unknown[0], 5));
  problem.unknown = std::move(unknown);
  throw problem;
}

std::string ServedModel::type_of(NodeId node) const {
  if (is_set || dataset.node_type.empty() || dataset.node_type[node] < 0) return "";
  return dataset.node_type_names[dataset.node_type[node]];
}

std::string model_file_of(const std::string& run) {
  const std::string path = name_and_run(run).second;
  return is_directory(path) ? path + "/model.safetensors" : path;
}

ServedModelPointer load_served_model(const std::string& run, const std::string& data_dir) {
  const Stopwatch watch;
  const bool named = name_and_run(run).second != run;
  const auto served = std::make_shared<ServedModel>();
  std::tie(served->name, served->path) = name_and_run(run);
  if (!named) served->name = name_of_run(run);
  if (served->name.empty() || served->name.find('/') != served->name.npos)
    fail_usage("{}: is not a name of a model; use NAME=RUN", in_quotes(served->name));
  served->model = read_model(served->path);
  served->version = sha256_of_file(model_file_of(run)).substr(0, 12);
  served->dataset = load_for_prediction(served->model, {}, data_dir);
  served->is_set = served->dataset.is_set();
  add_answers(*served);
  served->item_by_name.emplace(served->is_set ? served->dataset.graph_ids : served->dataset.ids,
                               served->num_items());
  served->search = NameSearch(names_of_items(*served));
  served->census =
      census(served->dataset.graph, {.per_role = true, .graph_start = served->dataset.graph_start});
  served->seconds_to_load = watch.seconds();
  return served;
}

const ServedModel& ModelSet::find(std::string_view name) const {
  std::vector<std::string> names;
  for (const ServedModelPointer& model : models) {
    if (model->name == name) return *model;
    names.push_back(model->name);
  }
  throw HttpError(404, fmt::format("there is no model {}", in_quotes(name)), names);
}

ModelSetPointer load_models(const std::vector<std::string>& runs, const std::string& data_dir) {
  const auto set = std::make_shared<ModelSet>();
  for (const std::string& run : runs) {
    set->models.push_back(load_served_model(run, data_dir));
    for (size_t i = 0; i + 1 < set->models.size(); i++)
      if (set->models[i]->name == set->models.back()->name)
        fail_usage("{} and {} are both named {}; use NAME=RUN for one of them",
                   set->models[i]->path, run, set->models[i]->name);
  }
  set->loaded_at = int64_t(std::time(nullptr));
  return set;
}

}  // namespace mgnn
