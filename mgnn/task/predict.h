// A trained network on data: those it was trained on, or others with the same features.
#pragma once

#include "mgnn/task/link_prediction.h"
#include "mgnn/task/model_file.h"

namespace mgnn {

struct Prediction {
  Matrix logits;          // (nodes or graphs, classes); none of a model that knows no labels
  Matrix representation;  // (nodes or graphs, …): what the last linear layers are given
};

// Of links both are what scores of pairs are made of (pair_scores), for the graph of the training.
// Throws Error (data) if the number of features is not that of the training, or for links if the
// data are others.
Prediction predict(TrainedModel& model, const Dataset& dataset);

// Of a network for links: the split, negatives and batch of its training. Throws Error (data) if
// the data are others than those of the training.
LinkData training_data(const TrainedModel& model, const Dataset& dataset);

// The data of the model's training, or with `settings` ("data.source=new.csv") others.
Dataset load_for_prediction(const TrainedModel& model, const Settings& settings,
                            const std::string& data_dir);

// The numbers of the dataset's classes in the model's, by name; -1 for those it does not know.
std::vector<int32_t> labels_by_name(const TrainedModel& model, const Dataset& dataset);

}  // namespace mgnn
