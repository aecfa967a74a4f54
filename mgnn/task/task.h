// What can be learned from a dataset. Each task is one file and one line in the table of tasks
// (task/tasks.h); configuration, model files, predictions, command line and reports use only this.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "mgnn/data/load.h"
#include "mgnn/report/html.h"
#include "mgnn/task/repeat.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

// How much a task suits data where none is named: the one that suits them best is taken.
enum class Suits { never, otherwise, naturally, asked };

// Throws Error (data) that names the file if one of the numbers is not there.
void require_numbers(const Numbers& fitted, std::initializer_list<const char*> names,
                     const std::string& path);

class Task {
 public:
  virtual ~Task() = default;

  // Settings of this task alone; their names follow that of the task ("link.decoder").
  virtual Options options() { return {}; }
  virtual Suits suits(const Dataset& dataset, const LoadOptions& load) const = 0;
  // Throws Error if nothing can be learned from the data with these options.
  virtual void check(const Dataset& dataset, const RunOptions& run) const = 0;
  // Features are left to the task where the data have none or they are to be made, since they must
  // not be made of what is held out.
  virtual bool makes_features() const { return false; }

  virtual Shape shape(const Dataset& dataset) const = 0;  // of the network
  // The network as it is trained, for instance with a decoder behind it.
  virtual std::unique_ptr<Model> adapted(std::unique_ptr<Model> network) const { return network; }
  // REQUIRES: check(dataset, run) passes.
  virtual Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& run,
                     const TrainingCallbacks& callbacks) const = 0;

  // Throws Error (data) if a model file lacks what `run` puts into Repetition::fitted.
  virtual void check_fitted(const Numbers&, const std::string&) const {}
  // Outputs of a stored network on data. Throws Error (data) if they do not fit it.
  virtual Prediction predict(TrainedModel& model, const Dataset& dataset) const = 0;
  // What its outputs mean: probabilities, or numbers. Throws Error (usage) if they answer nothing.
  virtual Matrix answers(const TrainedModel& model, const Matrix& output) const;
  // The same as a file. Throws Error (usage) if there is nothing to predict.
  virtual PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                           const PredictRequest& request) const = 0;
  // Of a run that has just ended; nothing for tasks without answers.
  virtual void write_predictions(const std::string& path, const Dataset& dataset,
                                 const Result& result) const = 0;

  // What the split of a result is, in words: "7 classes; 1208 / 500 / 1000 items to train, …".
  virtual std::string data_line(const Dataset& dataset, const Result& result) const = 0;
  // Behind the table of runs: tables and text for a terminal.
  virtual std::vector<Block> details(const Dataset&, const Result&) const { return {}; }
  // Sections of a report.
  virtual std::vector<Section> sections(const Dataset&, const Result&) const { return {}; }
  // What makes the scores doubtful: one sentence each.
  virtual std::vector<std::string> warnings(const Dataset&, const Result&) const { return {}; }
  // What `train --json` says beside scores and costs.
  virtual void add_json(const Result&, nlohmann::ordered_json&) const {}
  virtual bool predicts_pairs() const { return false; }  // of nodes, named in a file
  // Whether logistic regression on an embedding answers the same question.
  virtual bool has_classes() const { return false; }
  // Whether networks can be compared by test scores of the result.
  virtual bool has_test_scores() const { return true; }
};

}  // namespace mgnn
