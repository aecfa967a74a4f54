#include "mgnn/task/node_classification.h"

#include "mgnn/base/clock.h"
#include "mgnn/data/splits.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

// Above this size one training keeps all threads busy, and memory for several may be short.
constexpr NodeId kManyNodes = 200'000;

class NodeProblem : public Problem {
 public:
  NodeProblem(const Batch& batch, const std::vector<int32_t>& label, Repetition& run, Model& model)
      : batch_(batch),
        label_(label),
        split_(run.split),
        weights_(run.state.weights),
        model_(model) {}

  int64_t start_epoch(int64_t epoch) override {
    model_.before_epoch({.epoch = epoch,
                         .batch = batch_,
                         .label = label_,
                         .train = split_.train,
                         .weights = weights_});
    return 1;
  }
  const Batch& batch(int64_t) override { return batch_; }
  Var<float> loss(const Output<float>& out, int64_t) override {
    return cross_entropy<float>(out.out, label_, split_.train);
  }
  int64_t num_validation_batches() override { return split_.validation.empty() ? 0 : 1; }
  const Batch& validation_batch(int64_t) override { return batch_; }
  Scores validation(const Output<float>& out, int64_t) override {
    const LossAccuracy found =
        loss_accuracy(out.out.value, out.out.cols, label_, split_.validation);
    return {found.loss, found.accuracy, int64_t(split_.validation.size())};
  }

 private:
  const Batch& batch_;
  const std::vector<int32_t>& label_;
  const Split& split_;
  Parameters& weights_;
  Model& model_;
};

void check_learnable(const Dataset& data) {
  if (data.is_set()) fail_usage("{} is a set of graphs; use --task graph", data.name);
  if (data.label.empty())
    fail_data("{}: nodes have no labels; give a table with --nodes FILE --label-column NAME",
              data.name);
  if (data.num_classes() < 2)
    fail_data("{}: {} class of nodes; at least two are needed", data.name, data.num_classes());
  if (num_features(data.features) == 0)
    fail_data("{}: nodes have no features; make some with --features degree-profile", data.name);
}

Scores scores_of(const Matrix& logits, const std::vector<int32_t>& label,
                 const std::vector<NodeId>& rows) {
  const LossAccuracy found = loss_accuracy(logits, label, rows);
  return {found.loss, found.accuracy, int64_t(rows.size())};
}

}  // namespace

Split split_of(const Dataset& dataset, const NodeClassificationOptions& options, uint64_t seed) {
  if (options.split == "random") {
    const Rng rng = Rng(seed).split(kSplitStream);
    if (options.num_validation == 0 && options.num_test == 0)
      return default_split(dataset.label, rng);
    return random_split(dataset.label, NodeId(options.num_validation), NodeId(options.num_test),
                        rng);
  }
  std::vector<const Split*> fitting;
  std::vector<std::string> known = {"random"};
  for (const Split& split : dataset.splits) {
    if (split.name == "public") {
      known.push_back("public-test");
      if (options.split == known.back()) {
        check_labelled(split, dataset.label, dataset);
        return halved_test_split(split, dataset.label, Rng(seed).split(kSplitStream));
      }
    }
    if (split.name.starts_with(options.split)) fitting.push_back(&split);
    known.push_back(split.name);
  }
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  if (fitting.empty())
    fail_usage("{}: there is no split {}; {}", dataset.name, in_quotes(options.split),
               did_you_mean(options.split, known, "there are " + list));
  const Split& split = *fitting[(seed - options.seed) % fitting.size()];
  check_labelled(split, dataset.label, dataset);
  return split;
}

Result node_classification(const Dataset& dataset, const ModelMaker& make_model,
                           const NodeClassificationOptions& options, const Watch& watch) {
  check_learnable(dataset);
  check(options.seeds > 0, "seeds is 0; use at least 1");
  const Stopwatch stopwatch;
  Result result{.task = "node"};
  const int64_t scaled = scaled_columns(dataset, options.standardise);
  const ColumnScale scale = scaled > 0 ? scale_of(dataset, scaled) : ColumnScale{};
  Batch batch = whole_batch(dataset, *make_model());
  if (auto* dense = std::get_if<Matrix>(&batch.x)) rescale(*dense, scale);
  result.seconds_operators = stopwatch.seconds();
  const Shape shape{batch.num_features(), dataset.num_classes(), Level::node, batch.num_nodes};
  for (int64_t i = 0; i < options.seeds; i++) {
    const uint64_t seed = options.seed + uint64_t(i);
    result.runs.push_back({.seed = seed, .split = split_of(dataset, options, seed)});
    if (result.runs.back().split.train.empty())
      fail_data("{}: the split {} has no nodes to train on", dataset.name,
                in_quotes(result.runs.back().split.name));
  }
  RepeatPlan plan{.training = options.training, .at_once = batch.num_nodes < kManyNodes};
  plan.prepare = [&](Repetition& run) {
    Prepared made{make_model(), nullptr};
    made.problem = std::make_unique<NodeProblem>(batch, dataset.label, run, *made.model);
    Rng rng = Rng(run.seed).split(kWeightStream);
    build_with_scale(*made.model, shape, scaled, run.state.weights, rng);
    if (scaled > 0) put_scale(scale, run.state.weights);
    return made;
  };
  plan.finish = [&](Repetition& run, Prepared& made) {
    if (!run.state.best_weights.empty()) run.state.weights.value = run.state.best_weights;
    evaluate(*made.model, run.state.weights, batch, [&](const Output<float>& out) {
      const Matrix logits = copied(out.out);
      run.validation = scores_of(logits, dataset.label, run.split.validation);
      run.test = scores_of(logits, dataset.label, run.split.test);
      run.confusion = confusion_matrix(logits, dataset.label, run.split.test);
      run.temperature = fitted_temperature(logits, dataset.label, run.split.validation);
    });
  };
  result.model = train_all(result.runs, result.best, plan, watch);
  Repetition& best = result.runs[result.best];
  const Stopwatch inference;
  evaluate(*result.model, best.state.weights, batch, [&](const Output<float>& out) {
    result.seconds_inference = inference.seconds();
    result.logits = copied(out.out);
    result.representation = copied(out.representation);
  });
  result.shape = shape;
  result.parameters = best.state.weights.count();
  result.seconds_total = stopwatch.seconds();
  return result;
}

}  // namespace mgnn
