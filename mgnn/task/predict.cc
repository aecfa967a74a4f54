#include "mgnn/task/predict.h"

#include "mgnn/base/toml.h"
#include "mgnn/data/feature_columns.h"

namespace mgnn {

Prediction predict(TrainedModel& model, const Dataset& dataset) {
  return model.config->task().predict(model, dataset);
}

Dataset load_for_prediction(const TrainedModel& model, const Settings& settings,
                            const std::string& data_dir) {
  ConfigLayers layers{.file = parse_toml(toml_of(*model.config), model.path),
                      .flags = settings,
                      .sets = {"profile=none"}};
  const std::unique_ptr<Config> config = resolve_config(std::move(layers));
  config->load.data_dir = data_dir;
  config->load.seed = config->run.seed;
  return load_for_training(*config);
}

Dataset aligned_to(const TrainedModel& model, const Dataset& dataset) {
  Dataset aligned = dataset;
  if (!model.feature_names.empty()) align_features(aligned, model.feature_names, model.shape.in);
  const int64_t features = num_features(aligned.features);
  if (features == model.shape.in) return aligned;
  const auto source = model.facts.find("features_from");
  fail_data("{}: has {} features, but the model was trained with {} ({})", dataset.name, features,
            model.shape.in, source == model.facts.end() ? "" : source->second);
}

}  // namespace mgnn
