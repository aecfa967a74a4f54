// A trained network on data: those it was trained on, or others with the same features.
#pragma once

#include "mgnn/task/model_file.h"

namespace mgnn {

// As Task::predict of the model's task.
Prediction predict(TrainedModel& model, const Dataset& dataset);

// The data of the model's training, or with `settings` ("data.source=new.csv") others.
Dataset load_for_prediction(const TrainedModel& model, const Settings& settings,
                            const std::string& data_dir);

// The dataset with the model's features: columns by name where both have names. Throws Error (data)
// if their number is not that of the training.
Dataset aligned_to(const TrainedModel& model, const Dataset& dataset);

}  // namespace mgnn
