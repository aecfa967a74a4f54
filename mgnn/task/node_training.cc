#include "mgnn/base/clock.h"
#include "mgnn/cluster/divided_batch.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

class NodeProblem : public Problem {
 public:
  NodeProblem(std::shared_ptr<const Batch> batch, const Supervision& supervision, Repetition& run,
              Model& model)
      : batch_(std::move(batch)),
        supervision_(supervision),
        targets_(supervision.targets(run.split.train)),
        split_(run.split),
        weights_(run.state.weights),
        model_(model) {}

  const Targets& targets() const { return targets_; }
  const Batch& batch() const { return *batch_; }

  Metric metric() const override { return supervision_.metric(); }
  int64_t start_epoch(int64_t epoch) override {
    model_.before_epoch({.epoch = epoch,
                         .batch = *batch_,
                         .label = targets_.label,
                         .train = split_.train,
                         .weights = weights_});
    return 1;
  }
  const Batch& batch(int64_t) override { return *batch_; }
  Var<float> loss(const Output<float>& out, int64_t) override {
    return supervision_.loss(out.out, targets_, split_.train);
  }
  int64_t num_validation_batches() override { return split_.validation.empty() ? 0 : 1; }
  const Batch& validation_batch(int64_t) override { return *batch_; }
  Scores validation(const Output<float>& out, int64_t) override {
    return supervision_.scores(out.out.value, out.out.cols, targets_, split_.validation);
  }

 private:
  std::shared_ptr<const Batch> batch_;
  const Supervision& supervision_;
  const Targets targets_;
  const Split& split_;
  Parameters& weights_;
  Model& model_;
};

}  // namespace

Result train_nodes(const Dataset& dataset, const ModelMaker& make_model,
                   const Supervision& supervision, const RunOptions& options,
                   const TrainingCallbacks& callbacks) {
  const Stopwatch stopwatch;
  Result result{.metric = supervision.metric()};
  const int64_t scaled = scaled_columns(dataset);
  const auto whole = std::make_shared<Batch>(whole_batch(dataset, *make_model()));
  const NodeId nodes = whole->num_nodes;
  if (options.comm) divide_batch(*options.comm, *whole);
  // Splits differ from seed to seed, the scale is that of the training nodes, and runs may be at work
  // at the same time.
  const auto rescaled_for = [&](const Repetition& run) -> std::shared_ptr<const Batch> {
    if (scaled == 0) return whole;
    auto batch = std::make_shared<Batch>(*whole);
    rescale(std::get<Matrix>(batch->x), scale_in(run.state.weights));
    return batch;
  };
  result.seconds_operators = stopwatch.seconds();
  result.shape = {.in = whole->num_features(),
                  .out = supervision.num_outputs(),
                  .level = Level::node,
                  .nodes = nodes,
                  .relations = int64_t(dataset.relations.size())};
  const std::vector<int32_t> strata = supervision.strata();
  for (int64_t i = 0; i < options.seeds; i++) {
    const uint64_t seed = options.seed + uint64_t(i);
    const Rng rng = Rng(seed).split(kSplitStream);
    result.runs.push_back(
        {.seed = seed, .split = select_splits(dataset, strata, options.split, rng, i)[0]});
  }
  result.runs = with_members(std::move(result.runs), supervision);
  RepeatPlan plan{.training = options.training,
                  .work = nodes,
                  .comm = options.comm,
                  .together = bool(whole->share)};
  plan.prepare = [&](Repetition& run) {
    Prepared prepared{make_model(), nullptr};
    Rng rng = Rng(run.training_seed()).split(kWeightStream);
    build_with_scale(*prepared.model, result.shape, scaled, run.state.weights, rng);
    if (scaled > 0)
      put_scale(scale_of(dataset, run.split.train, options.standardise), run.state.weights);
    prepared.problem =
        std::make_unique<NodeProblem>(rescaled_for(run), supervision, run, *prepared.model);
    return prepared;
  };
  plan.finish = [&](Repetition& run, Prepared& prepared) {
    const auto& problem = static_cast<const NodeProblem&>(*prepared.problem);
    const Targets& targets = problem.targets();
    run.test_set = test_set_of({run.split.test});
    const auto judge = [&](const Matrix& output) {
      supervision.judge(run, {output, targets, run.split.validation},
                        {output, targets, run.split.test});
    };
    Matrix output;
    evaluate(*prepared.model, run.state.weights, problem.batch(),
             [&](const Output<float>& out) { output = copied(out.out); });
    judge(output);
    if (supervision.num_members() == 1 && supervision.smooths()) {
      output = supervision.smoothed(std::move(output), targets, run);
      judge(output);
    }
    if (supervision.num_members() > 1 || supervision.smooths()) run.output = std::move(output);
  };
  train_all(result, plan, callbacks);
  join_members(
      result, supervision,
      [&](const Repetition& run) { return supervision.targets(run.split.train); },
      options.training.select);
  Repetition& best = result.runs[result.best];
  const std::shared_ptr<const Batch> batch = rescaled_for(best);
  const Stopwatch inference;
  result.output = std::move(best.output);
  std::vector<Matrix> representations;
  for (size_t m = 0; m <= best.others.size(); m++) {
    Parameters& weights = m == 0 ? best.state.weights : best.others[m - 1].weights;
    evaluate(*result.model, weights, *batch, [&](const Output<float>& out) {
      result.seconds_inference = inference.seconds();
      if (result.output.rows == 0) result.output = copied(out.out);
      representations.push_back(copied(out.representation));
    });
  }
  result.representation = side_by_side(representations);
  for (Repetition& run : result.runs) run.output = {};
  result.seconds_total = stopwatch.seconds();
  return result;
}

Prediction predict_nodes(TrainedModel& model, const Dataset& dataset, Average average) {
  if (dataset.is_set())
    fail_data("{}: is a set of graphs, but the model was trained on nodes", dataset.name);
  const Dataset aligned = rescaled(aligned_to(model, dataset), scale_in(model.weights));
  Batch batch = whole_batch(aligned, *model.model);
  if (Comm* const comm = model.config->run.comm) divide_batch(*comm, batch);
  return predict_members(model, average, [&](Parameters& weights) {
    Prediction result;
    evaluate(*model.model, weights, batch, [&](const Output<float>& out) {
      result = {copied(out.out), copied(out.representation)};
    });
    return result;
  });
}

}  // namespace mgnn
