// Everything that decides what a training does, in one list of named settings.
#pragma once

#include "mgnn/data/load.h"
#include "mgnn/models/methods.h"
#include "mgnn/task/link_split.h"
#include "mgnn/task/unsupervised.h"

namespace mgnn {

struct DataConfig {
  std::string source;  // name of a dataset, graph file or folder; as load_dataset
  LoadOptions load = {};
  // own, attributes, labels or a maker's name; see choose_features
  std::string features = "own";
  bool standardise = true;       // measured columns of the features
  std::string split = "random";  // or sklearn:N, or one of the data's own
  int64_t folds = 5;             // of graphs, where the split is random
  int64_t num_validation = 0;    // of a random split; 0: as SPEC says for the size
  int64_t num_test = 0;
};

struct Config {
  std::string task = "auto";     // node, graph, link, unsupervised; auto: from the data
  std::string profile = "auto";  // settings found good for this model and dataset
  uint64_t seed = 0;
  int64_t seeds = 1;  // repetitions, with seeds one after the other
  DataConfig data = {};
  TrainingOptions train = {};
  int64_t batch_size = 128;  // graphs in a step
  UnsupervisedSettings unsupervised = {};
  LinkOptions link = {};
  std::string model = "mgnn";
  std::shared_ptr<Model> network;  // with its options set, not built

  // All settings: task, profile, seed, seeds, data.*, train.*, unsupervised.*, link.*, model.*.
  // They point into *this, which must stay where it is.
  Options options();
};

// Values in the order of precedence, lowest first.
struct ConfigLayers {
  Settings file, environment, flags, sets;
};

// Reads a TOML file. Throws Error (data) with file:line.
Settings read_config_file(const std::string& path);
// MGNN_TRAIN_EPOCHS=100 and the like, for settings of `options`.
Settings environment_settings(const Options& options);

// Defaults, then the profile of (model, dataset), then the layers. Throws Error (usage) that names
// the setting.
std::unique_ptr<Config> resolve_config(const ConfigLayers& layers);

std::string toml_of(Config& config);

// Another network with the same options.
std::unique_ptr<Model> new_network(const Config& config);

// Whether links are to be predicted: where the task says so, or is auto and a relation or pair of
// types is asked about or there are no labels.
bool asks_for_links(const Config& config, const Dataset& dataset);

// The dataset with its features made ready. `remark` says in words what the features are. For links
// it has none where they are to be made: they are made of the edges that training may see.
Dataset load_for_training(const Config& config);

}  // namespace mgnn
