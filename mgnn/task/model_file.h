// Trained networks and half-trained ones as files (safetensors).
#pragma once

#include <map>

#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

// A trained network, ready for `forward`.
struct TrainedModel {
  std::string path;
  std::unique_ptr<Config> config;
  Shape shape;
  std::shared_ptr<Model> model;
  Parameters weights;
  std::vector<std::string> class_names;
  std::vector<std::string> feature_names;    // see align_features; may be empty
  Numbers fitted;                            // what its task fitted for predictions
  std::map<std::string, std::string> facts;  // everything else that was stored, by name
};

// The weights of the best run; configuration, class names, scores and the data's fingerprint are
// in the metadata.
void write_model(const std::string& path, Config& config, const Dataset& dataset,
                 const Result& result, bool overwrite);
// `path`: the file, or a run's folder. Throws Error (data) if it is no such file or broken.
TrainedModel read_model(const std::string& path);

// Everything that `train` needs to go on.
void write_checkpoint(const std::string& path, const Repetition& run);
// Into a repetition whose weights are laid out. Throws Error (data) if they do not fit.
void read_checkpoint(const std::string& path, Repetition& run);

}  // namespace mgnn
