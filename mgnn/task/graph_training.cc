// The operators of all graphs are made once; a batch is a slice of their union. Slices of
// validation are made once, those of training whenever batches are shuffled, which costs a few
// copies; where all training graphs fit into one batch it is the same in every epoch.

#include <numeric>

#include "mgnn/base/clock.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/parts.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

// Slices of a union, with features on the scale of the training graphs.
class Slices {
 public:
  Slices(const Batch& all, ColumnScale scale) : all_(all), scale_(std::move(scale)) {}

  void make(std::span<const NodeId> graphs, Batch& part) const {
    slice_batch(all_, graphs, part);
    if (auto* dense = std::get_if<Matrix>(&part.x)) rescale(*dense, scale_);
  }

 private:
  const Batch& all_;
  ColumnScale scale_;
};

std::vector<NodeId> numbers_below(int64_t count) {
  std::vector<NodeId> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

class GraphProblem : public Problem {
 public:
  GraphProblem(Slices slices, const Supervision& supervision, const Split& split,
               int64_t batch_size, const Rng& rng)
      : slices_(std::move(slices)),
        supervision_(supervision),
        targets_(supervision.targets(split.train)),
        rng_(rng),
        batch_size_(batch_size),
        in_order_(split.train),
        order_(split.train),
        validation_(split.validation),
        rows_(numbers_below(int64_t(split.train.size() + split.validation.size()))) {
    const Parts parts(validation_, batch_size);
    validation_batches_.resize(size_t(parts.count()));
    for (int64_t i = 0; i < parts.count(); i++) {
      slices_.make(parts[i], validation_batches_[i]);
      validation_targets_.push_back(targets_.of(parts[i]));
    }
  }

  const Targets& targets() const { return targets_; }

  Metric metric() const override { return supervision_.metric(); }

  int64_t start_epoch(int64_t epoch) override {
    const int64_t count = training().count();
    if (count > 1) {
      order_ = in_order_;
      rng_.split(uint64_t(epoch)).shuffle(std::span(order_));
    }
    return count;
  }

  const Batch& batch(int64_t step) override {
    const bool same = training().count() == 1 && batch_.num_graphs() > 0;
    if (!same) {
      slices_.make(training()[step], batch_);
      batch_targets_ = targets_.of(training()[step]);
    }
    return batch_;
  }

  Var<float> loss(const Output<float>& out, int64_t) override {
    return supervision_.loss(out.out, batch_targets_, first_rows(out.out.rows));
  }

  int64_t num_validation_batches() override { return int64_t(validation_batches_.size()); }
  const Batch& validation_batch(int64_t i) override { return validation_batches_[i]; }
  Scores validation(const Output<float>& out, int64_t i) override {
    return supervision_.scores(out.out.value, out.out.cols, validation_targets_[i],
                               first_rows(out.out.rows));
  }

 private:
  Parts training() const { return {order_, batch_size_}; }
  std::span<const NodeId> first_rows(int64_t count) const {
    return std::span(rows_).first(size_t(count));
  }

  const Slices slices_;
  const Supervision& supervision_;
  const Targets targets_;
  const Rng rng_;
  const int64_t batch_size_;
  const std::vector<NodeId>& in_order_;
  std::vector<NodeId> order_;  // of this epoch
  const std::vector<NodeId>& validation_;
  const std::vector<NodeId> rows_;  // 0, 1, 2, …
  Batch batch_;
  Targets batch_targets_;
  std::vector<Batch> validation_batches_;
  std::vector<Targets> validation_targets_;
};

void copy_rows(const Var<float>& from, int64_t first, int64_t total, Matrix& to) {
  if (to.cols == 0) to = Matrix(total, from.cols);
  std::copy_n(from.value, from.size(), to.data.begin() + first * from.cols);
}

std::vector<Repetition> repetitions(const Dataset& dataset, const Supervision& supervision,
                                    const RunOptions& options) {
  std::vector<Repetition> runs;
  const std::vector<int32_t> strata = supervision.strata();
  for (int64_t i = 0; i < options.seeds; i++) {
    const uint64_t seed = options.seed + uint64_t(i);
    const Rng rng = Rng(seed).split(kSplitStream);
    int64_t fold = 0;
    for (Split& split : select_splits(dataset, strata, options.split, rng, i))
      runs.push_back({.seed = seed, .fold = fold++, .split = std::move(split)});
  }
  return runs;
}

int64_t nodes_of_a_batch(const Batch& all, int64_t batch_size) {
  const int64_t graphs = std::max<int64_t>(all.num_graphs(), 1);
  return all.num_nodes / graphs * std::min(batch_size, graphs);
}

}  // namespace

Prediction graph_outputs(const Model& model, Parameters& weights, const Batch& all,
                         std::span<const NodeId> graphs, int64_t batch_size) {
  const Slices slices(all, scale_in(weights));
  const Parts parts(graphs, batch_size);
  Prediction result;
  Batch part;
  for (int64_t i = 0; i < parts.count(); i++) {
    slices.make(parts[i], part);
    evaluate(model, weights, part, [&](const Output<float>& out) {
      copy_rows(out.out, parts.start(i), int64_t(graphs.size()), result.output);
      copy_rows(out.representation, parts.start(i), int64_t(graphs.size()), result.representation);
    });
  }
  return result;
}

namespace {

std::vector<NodeId> nodes_of(const Batch& all, std::span<const NodeId> graphs) {
  std::vector<NodeId> nodes;
  for (const NodeId g : graphs)
    for (Offset u = all.graph_start[g]; u < all.graph_start[g + 1]; u++) nodes.push_back(NodeId(u));
  return nodes;
}

}  // namespace

Result train_graphs(const Dataset& dataset, const ModelMaker& make_model,
                    const Supervision& supervision, const RunOptions& options,
                    const TrainingCallbacks& callbacks) {
  const Stopwatch stopwatch;
  Result result{.metric = supervision.metric(),
                .runs = with_members(repetitions(dataset, supervision, options), supervision)};
  const Batch batch = whole_batch(dataset, *make_model());
  result.seconds_operators = stopwatch.seconds();
  result.shape = {.in = batch.num_features(),
                  .out = supervision.num_outputs(),
                  .level = Level::graph,
                  .relations = int64_t(dataset.relations.size())};
  const int64_t scaled = scaled_columns(dataset);
  RepeatPlan plan{.training = options.training,
                  .work = nodes_of_a_batch(batch, options.batch_size),
                  .comm = options.comm};
  if (plan.training.select == Select::automatic) plan.training.select = Select::loss;
  plan.prepare = [&](Repetition& run) {
    Prepared prepared{make_model(), nullptr};
    Rng rng = Rng(run.training_seed()).split(kWeightStream).split(uint64_t(run.fold));
    build_with_scale(*prepared.model, result.shape, scaled, run.state.weights, rng);
    if (scaled > 0)
      put_scale(scale_of(dataset, nodes_of(batch, run.split.train), options.standardise),
                run.state.weights);
    prepared.problem = std::make_unique<GraphProblem>(
        Slices(batch, scale_in(run.state.weights)), supervision, run.split, options.batch_size,
        Rng(run.training_seed()).split(kBatchStream).split(uint64_t(run.fold)));
    return prepared;
  };
  plan.finish = [&](Repetition& run, Prepared& prepared) {
    const Targets& targets = static_cast<const GraphProblem&>(*prepared.problem).targets();
    const auto outputs = [&](const std::vector<NodeId>& graphs) {
      return graph_outputs(*prepared.model, run.state.weights, batch, graphs, options.batch_size)
          .output;
    };
    run.test_set = test_set_of({run.split.test});
    const Matrix validation = outputs(run.split.validation), test = outputs(run.split.test);
    supervision.judge(
        run, {validation, targets.of(run.split.validation), numbers_below(validation.rows)},
        {test, targets.of(run.split.test), numbers_below(test.rows)});
    if (supervision.num_members() > 1) run.output = outputs(numbers_below(batch.num_graphs()));
  };
  train_all(result, plan, callbacks);
  join_members(
      result, supervision,
      [&](const Repetition& run) { return supervision.targets(run.split.train); },
      plan.training.select);
  Repetition& best = result.runs[result.best];
  const Stopwatch inference;
  result.output = std::move(best.output);
  std::vector<Matrix> representations;
  for (size_t m = 0; m <= best.others.size(); m++) {
    Parameters& weights = m == 0 ? best.state.weights : best.others[m - 1].weights;
    Prediction prediction = graph_outputs(*result.model, weights, batch,
                                          numbers_below(batch.num_graphs()), options.batch_size);
    result.seconds_inference = inference.seconds();
    if (result.output.rows == 0) result.output = std::move(prediction.output);
    representations.push_back(std::move(prediction.representation));
  }
  result.representation = side_by_side(representations);
  for (Repetition& run : result.runs) run.output = {};
  result.seconds_total = stopwatch.seconds();
  return result;
}

Prediction predict_graphs(TrainedModel& model, const Dataset& dataset, Average average) {
  if (!dataset.is_set())
    fail_data("{}: is one graph, but the model was trained on a set of graphs", dataset.name);
  const Dataset aligned = aligned_to(model, dataset);
  const Batch batch = whole_batch(aligned, *model.model);
  return predict_members(model, average, [&](Parameters& weights) {
    return graph_outputs(*model.model, weights, batch, numbers_below(batch.num_graphs()),
                         std::max<int64_t>(model.config->run.batch_size, 1));
  });
}

}  // namespace mgnn
