#include "mgnn/task/predict.h"

#include <algorithm>
#include <numeric>

#include "mgnn/base/toml.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/graph_classification.h"
#include "mgnn/task/input_scale.h"

namespace mgnn {

namespace {

void check_features(const TrainedModel& model, const Dataset& dataset) {
  const int64_t features = num_features(dataset.features);
  if (features == model.shape.in) return;
  const auto from = model.facts.find("features_from");
  fail_data("{}: has {} features, but the model was trained with {} ({})", dataset.name, features,
            model.shape.in, from == model.facts.end() ? "" : from->second);
}

Dataset aligned_to(const TrainedModel& model, const Dataset& dataset) {
  Dataset aligned = dataset;
  if (!model.feature_names.empty()) align_features(aligned, model.feature_names, model.shape.in);
  check_features(model, aligned);
  return aligned;
}

// A set of graphs as a network for graphs sees it, but a network for nodes may embed one too.
Prediction embed(TrainedModel& model, const Dataset& dataset) {
  if (model.shape.level == Level::graph && !dataset.is_set())
    fail_data("{}: is one graph, but the model was trained on a set of graphs", dataset.name);
  const Dataset aligned = aligned_to(model, dataset);
  return {{},
          unsupervised_vectors(*model.model, model.weights, aligned, model.config->unsupervised,
                               std::max<int64_t>(model.config->batch_size, 1))};
}

Prediction predict_graphs(TrainedModel& model, const Dataset& dataset) {
  if (!dataset.is_set())
    fail_data("{}: is one graph, but the model was trained on a set of graphs", dataset.name);
  const Dataset aligned = aligned_to(model, dataset);
  const Batch all = whole_batch(aligned, *model.model);
  std::vector<NodeId> every(size_t(all.num_graphs()));
  std::iota(every.begin(), every.end(), 0);
  GraphOutputs found = graph_outputs(*model.model, model.weights, all, every,
                                     std::max<int64_t>(model.config->batch_size, 1));
  return {std::move(found.logits), std::move(found.representation)};
}

Prediction predict_links(TrainedModel& model, const Dataset& dataset) {
  const LinkData data = training_data(model, dataset);
  Prediction result;
  evaluate(*model.model, model.weights, data.batch, [&](const Output<float>& out) {
    result = {copied(out.out), copied(out.out)};
  });
  return result;
}

}  // namespace

LinkData training_data(const TrainedModel& model, const Dataset& dataset) {
  if (fingerprint(dataset) != model.facts.at("dataset_sha256"))
    fail_data(
        "{}: are not the data that the network was trained on; what it knows of links holds for "
        "the nodes of its own graph alone",
        dataset.name);
  return link_data(dataset, *model.model, model.config->link, model.config->data.features,
                   std::stoull(model.facts.at("seed")));
}

Prediction predict(TrainedModel& model, const Dataset& dataset) {
  if (model.task == "unsupervised") return embed(model, dataset);
  if (model.task == "link") return predict_links(model, dataset);
  if (model.shape.level == Level::graph) return predict_graphs(model, dataset);
  if (dataset.is_set())
    fail_data("{}: is a set of graphs, but the model was trained on nodes", dataset.name);
  const Dataset aligned = rescaled(aligned_to(model, dataset), scale_in(model.weights));
  const Batch batch = whole_batch(aligned, *model.model);
  Prediction result;
  evaluate(*model.model, model.weights, batch, [&](const Output<float>& out) {
    result = {copied(out.out), copied(out.representation)};
  });
  return result;
}

Dataset load_for_prediction(const TrainedModel& model, const Settings& settings,
                            const std::string& data_dir) {
  ConfigLayers layers;
  layers.file = parse_toml(toml_of(*model.config), "the model's configuration");
  layers.flags = settings;
  layers.sets = {"profile=none"};
  const std::unique_ptr<Config> config = resolve_config(layers);
  config->data.load.data_dir = data_dir;
  config->data.load.seed = config->seed;
  return load_for_training(*config);
}

std::vector<int32_t> labels_by_name(const TrainedModel& model, const Dataset& dataset) {
  std::vector<int32_t> number;  // of each class of the dataset
  for (const std::string& name : dataset.class_names) {
    const auto found = std::find(model.class_names.begin(), model.class_names.end(), name);
    number.push_back(found == model.class_names.end() ? -1
                                                      : int32_t(found - model.class_names.begin()));
  }
  std::vector<int32_t> label = dataset.label;
  for (int32_t& one : label) one = one < 0 ? -1 : number[size_t(one)];
  return label;
}

}  // namespace mgnn
