#include "mgnn/task/predict.h"

#include <algorithm>

#include "mgnn/task/node_classification.h"

namespace mgnn {

Prediction predict(TrainedModel& model, const Dataset& dataset) {
  const int64_t features = num_features(dataset.features);
  if (features != model.shape.in)
    fail_data("{}: has {} features, but the model was trained with {} ({})", dataset.name, features,
              model.shape.in, model.facts["features_from"]);
  const Batch batch = whole_batch(dataset, *model.model);
  Prediction result;
  evaluate(*model.model, model.weights, batch, [&](const Output<float>& out) {
    result = {copied(out.out), copied(out.representation)};
  });
  return result;
}

Dataset load_for_prediction(const TrainedModel& model, const std::vector<std::string>& settings,
                            const std::string& data_dir) {
  ConfigLayers layers;
  layers.file = parse_config(toml_of(*model.config), "the model's configuration");
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
