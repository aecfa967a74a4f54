// What tasks with answers have in common: nodes or graphs, classes or numbers. A Supervision knows
// the answers, `train_nodes` and `train_graphs` how items reach the network.
#pragma once

#include <functional>

#include "mgnn/task/task.h"

namespace mgnn {

// Answers of some items, one of the three; on the scale that the network is trained on.
struct Targets {
  std::vector<int32_t> label = {};
  std::vector<float> class_weight = {};  // (classes), or empty: all 1
  std::vector<float> number = {};        // (answer - mean) / deviation
  double mean = 0, deviation = 1;
  std::vector<float> has_label = {};  // (items, num_labels): 1 or 0
  int64_t num_labels = 0;

  Targets of(std::span<const NodeId> items) const;
};

// Some rows of an output and what they should be.
struct Judged {
  const Matrix& output;
  const Targets& targets;  // row by row
  std::span<const NodeId> rows;
};

class Supervision {
 public:
  virtual ~Supervision() = default;
  virtual int64_t num_outputs() const = 0;
  virtual Metric metric() const = 0;
  // The class of every item by which random splits are stratified; -1: not known.
  virtual std::vector<int32_t> strata() const = 0;
  // Of all items; a scale is taken from those of `train`.
  virtual Targets targets(std::span<const NodeId> train) const = 0;
  virtual Var<float> loss(Var<float> out, const Targets& targets,
                          std::span<const NodeId> rows) const = 0;
  virtual Scores scores(const float* out, int64_t cols, const Targets& targets,
                        std::span<const NodeId> rows) const = 0;
  // Puts in all scores of a trained run, and what is fitted.
  virtual void judge(Repetition& run, const Judged& validation, const Judged& test) const = 0;

  // Networks of a run, whose answers are averaged. They share the split.
  virtual int64_t num_members() const { return 1; }
  // The output of an ensemble from those of its members, and in `fitted` what predictions need to make
  // the same. REQUIRES: each has its output and was judged.
  virtual Matrix averaged(std::span<const Repetition> members, Numbers& fitted) const;
  // Whether outputs of all nodes are changed by what is known of their neighbours, and how, which may
  // be chosen on validation nodes and goes into run.fitted. REQUIRES: the run was judged.
  virtual bool smooths() const { return false; }
  virtual Matrix smoothed(Matrix output, const Targets&, Repetition&) const { return output; }
};

// Repetitions with all of their members.
std::vector<Repetition> with_members(std::vector<Repetition> runs, const Supervision& supervision);
// Every num_members() runs become one, and the best of these is chosen. REQUIRES: trained, with the
// outputs of all items.
using TargetsOfRun = std::function<Targets(const Repetition&)>;
void join_members(Result& result, const Supervision& supervision, const TargetsOfRun& targets,
                  Select select);

// Of the networks that are trained on it.
Shape node_shape(const Dataset& dataset, int64_t outputs);
Shape graph_shape(const Dataset& dataset, int64_t outputs);

// One graph, all of it in every step. Throws Error (data) if a split has nothing to train on.
Result train_nodes(const Dataset& dataset, const ModelMaker& make_model,
                   const Supervision& supervision, const RunOptions& options,
                   const TrainingCallbacks& callbacks);
// A set of graphs in batches; runs of one seed follow each other fold by fold. The epoch is
// selected by loss unless the options say otherwise.
Result train_graphs(const Dataset& dataset, const ModelMaker& make_model,
                    const Supervision& supervision, const RunOptions& options,
                    const TrainingCallbacks& callbacks);

// Outputs of a stored network for all nodes, or all graphs. Throw Error (data) if the features are
// others than those of the training, or one graph is given for a set of them or the reverse.
// Where the model is an ensemble, `average` makes one output of those of its members (and of what was
// fitted); representations stand side by side.
using Average = Matrix (*)(std::span<const Matrix> outputs, const Numbers& fitted);
Prediction predict_nodes(TrainedModel& model, const Dataset& dataset, Average average = nullptr);
Prediction predict_graphs(TrainedModel& model, const Dataset& dataset, Average average = nullptr);
// predict(weights) of every member, joined.
using PredictWith = std::function<Prediction(Parameters&)>;
Prediction predict_members(TrainedModel& model, Average average, const PredictWith& predict);

Matrix side_by_side(std::span<const Matrix> parts);

// Outputs for all or some graphs of `all`, in evaluation mode, `batch_size` at a time; rows as in
// `graphs`. A graph's output does not depend on the others.
Prediction graph_outputs(const Model& model, Parameters& weights, const Batch& all,
                         std::span<const NodeId> graphs, int64_t batch_size);

// Throw Error (usage) with the task to use instead as a hint.
void check_one_graph(const Dataset& dataset, const char* otherwise);
void check_set_of_graphs(const Dataset& dataset, const char* otherwise);
// Throws Error where no network can be trained: no features, or options out of range.
void check_run(const Dataset& dataset, const RunOptions& options);

// What helps where labels are missing.
Hint label_hint(const Dataset& dataset);

// For predictions.csv.
std::string item_name(const Dataset& dataset, int64_t item);
// "train", "validation", "test" or "" for every item; `split` may be null.
std::vector<const char*> split_parts(const Split* split, int64_t items);
// "1208 / 500 / 1000 items to train, validate, test"
std::string split_sizes(const Split& split);

}  // namespace mgnn
