// A trained network as a file (safetensors), and what it says of data.
#pragma once

#include "mgnn/data/feature_columns.h"
#include "mgnn/task/config.h"

namespace mgnn {

// A trained network, ready for `forward`. Moves, but is not copied; one thread at a time.
struct TrainedModel {
  std::string path;                // that it was read from
  std::unique_ptr<Config> config;  // all settings of its training
  Shape shape;
  std::shared_ptr<Model> model;
  Parameters weights;
  std::vector<Array<float>> others = {};  // of an ensemble: weights of its members after the first
  std::vector<std::string> class_names;
  FeatureLayout features;                  // of the training
  std::vector<std::string> table_columns;  // of the node table that they were made of; may be empty
  bool weighted = false;                   // trained with weights of arcs
  std::vector<std::string> relation_names;   // those that it has weights for; may be empty
  Numbers fitted;                            // what its task fitted for predictions
  std::map<std::string, std::string> facts;  // everything else that was stored, by name
};

// The weights of the best run; configuration, class names, scores and the data's fingerprint are
// in the metadata (docs/model.md has the layout). `config`, `dataset` and `result` are those of one
// run_task. Throws Error (usage) if the file exists and not `overwrite`, and (failed) if it cannot be
// written; then nothing is changed.
void write_model(const std::string& path, Config& config, const Dataset& dataset,
                 const Result& result, bool overwrite);
// `path`: the file, or a run's folder. Throws Error (data) if it is not a model file, or broken, and
// (usage) if its network is not in the table of methods. Nothing in the file is executed.
TrainedModel read_model(const std::string& path);
// The same of the bytes of a file; `path` is for messages.
std::string model_bytes(Config& config, const Dataset& dataset, const Result& result);
TrainedModel parse_model(std::string_view bytes, const std::string& path);

// ---- predictions

// Outputs of a trained network.
struct Prediction {
  Matrix output;          // (items, outputs); empty for a network that learned no answers
  Matrix representation;  // (items, …): input of the last linear layers
};

// What to predict beside all items of the data, and where to.
struct PredictRequest {
  std::string
      output;         // CSV, TSV or JSON lines by its name, "-": standard output, or empty: nowhere
  std::string pairs;  // links: an edge list of pairs to score; empty: those held out
  std::string* json_lines = nullptr;  // beside the file: appended to as JSON lines
};

struct PredictSummary {
  std::string unit = "items";  // what was predicted
  int64_t count = 0;
  int64_t known = 0;                          // items whose answer is in the data, too
  Numbers scores = {};                        // of those: "accuracy"
  std::vector<std::string> unknown_ids = {};  // of the request, but not of the data
};

// The outputs for all items of `dataset`: logits of classes, numbers, or vectors of link ends, one row
// for each node or graph. Throws Error (data) if the features are not those of the training. Costs one
// forward pass and the network's matrices of this graph.
Prediction predict(TrainedModel& model, const Dataset& dataset);
// What outputs mean: probabilities of classes or labels, or numbers on the scale of the data. Throws Error
// (usage) for networks that learned no answers about items.
Matrix answers_of(const TrainedModel& model, const Matrix& output);
// The same as a table: of each item its id, prediction and probabilities. Throws Error (usage) if there
// is nothing to predict.
PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                 const PredictRequest& request);

// The data of the model's training, or with `settings` ("data.source=new.csv") others, prepared as for
// training. `data_dir` is looked at first for named datasets. Throws Error as load_dataset.
Dataset load_for_prediction(const TrainedModel& model, const Settings& settings = {},
                            const std::string& data_dir = "");

// The same of a dataset that is there already.
Dataset prepared_for_prediction(const TrainedModel& model, Dataset dataset);

// The dataset with what the arcs had in training: no weights if there were none, and the relations of
// the model, in its order. Throws Error (data) if there are others.
Dataset with_trained_arcs(const TrainedModel& model, const Dataset& dataset);

// Whether these are the data, and the training nodes, that the model was trained on.
bool is_training_data(const TrainedModel& model, const Dataset& dataset);
// The split of the stored repetition. REQUIRES: the model is of nodes, the data are those of its training.
Split split_of_training(const TrainedModel& model, const Dataset& dataset);
// Throws Error (usage) for an ensemble: `what` takes one network.
void check_one_network(const TrainedModel& model, const char* what);

// The same with the model's features: columns by name where both have names. Throws Error (data)
// if their number is not that of the training.
Dataset aligned_to(const TrainedModel& model, const Dataset& dataset);

}  // namespace mgnn
