// A trained network with what is known of its training.
#pragma once

#include <memory>
#include <mutex>

#include "c/buffers.h"
#include "c/handles.h"
#include "mgnn/task/config.h"
#include "mgnn/task/result.h"
#include "mgnn/task/trained_model.h"

// A training of this process, for its report; without outputs, which can be had again.
struct mgnn_training {
  std::unique_ptr<mgnn::Config> config;
  mgnn::Result result;
};

struct mgnn_run {
  std::string bytes;  // of its model file
  mutable mgnn::TrainedModel model;
  std::shared_ptr<const mgnn::Dataset> data;  // of a training here, ready for use; else null
  mgnn::c::Json result, history, confusion;
  std::unique_ptr<mgnn_training> training = {};  // null: opened

  mutable std::mutex mutex = {};  // the model is for one thread at a time
};

namespace mgnn::c {

std::unique_ptr<mgnn_run> new_run(std::string bytes, const std::string& path);

// What to predict: the caller's, that of the training, or what its settings load.
std::shared_ptr<const Dataset> data_of(const mgnn_run& run, const mgnn_dataset* dataset);

// Settings of a training. A dataset that is given decides what is loaded, and how.
std::unique_ptr<Config> config_of(const char* settings, const mgnn_dataset* dataset,
                                  const Settings& others = {});
// The dataset, made ready: the one that is given, or the one that the settings name.
std::shared_ptr<const Dataset> data_for(Config& config, const mgnn_dataset* dataset);

std::vector<std::pair<std::string, std::string>> program_facts();

}  // namespace mgnn::c
