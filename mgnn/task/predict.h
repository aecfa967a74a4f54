// A trained network on data: those it was trained on, or others with the same features.
#pragma once

#include "mgnn/task/model_file.h"

namespace mgnn {

struct Prediction {
  Matrix logits;          // (nodes or graphs, classes); none of a model that knows no labels
  Matrix representation;  // (nodes or graphs, …): what the last linear layers are given
};

// Throws Error (data) if the number of features is not that of the training.
Prediction predict(TrainedModel& model, const Dataset& dataset);

// The data of the model's training, or with `settings` ("data.source=new.csv") others.
Dataset load_for_prediction(const TrainedModel& model, const std::vector<std::string>& settings,
                            const std::string& data_dir);

// The numbers of the dataset's classes in the model's, by name; -1 for those it does not know.
std::vector<int32_t> labels_by_name(const TrainedModel& model, const Dataset& dataset);

}  // namespace mgnn
