// Networks trained for a moment, with the data that they are asked about.
#pragma once

#include "mgnn/explain/explainer.h"
#include "mgnn/task/config.h"

namespace mgnn::testing {

struct Trained {
  TrainedModel model;
  Dataset data;
};

inline std::unique_ptr<Config> config_for_a_moment(Settings settings) {
  ConfigLayers layers;
  layers.file = {"train.epochs=3", "train.patience=0"};
  layers.sets = std::move(settings);
  return resolve_config(layers);
}

inline Trained trained_on(Dataset data, Settings settings) {
  const std::unique_ptr<Config> config = config_for_a_moment(std::move(settings));
  const Result result = run_task(*config, data);
  return {parse_model(model_bytes(*config, data, result), "the run"), std::move(data)};
}

inline Trained trained(const Settings& settings) {
  return trained_on(load_for_training(*config_for_a_moment(settings)), settings);
}

inline double sum_of_shares(const Explanation& e) {
  double sum = e.bias;
  for (const MotifShare& share : e.motifs) sum += share.share;
  for (const NamedShare& other : e.others) sum += other.share;
  return sum;
}

inline void expect_sum(const Explanation& e, const std::string& what) {
  EXPECT_NEAR(sum_of_shares(e), e.score, 1e-5 * std::max(1., std::abs(e.score))) << what;
  for (const MotifShare& share : e.motifs) {
    double parts = 0;
    for (const double part : share.part) parts += part;
    EXPECT_NEAR(parts, share.share, 1e-9) << what;
  }
}

}  // namespace mgnn::testing
