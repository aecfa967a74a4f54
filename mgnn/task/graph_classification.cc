// The operators of all graphs are made once; a batch is a slice of their union. Slices of
// validation are made once, those of training whenever batches are shuffled, which costs a few
// copies; where all training graphs fit into one batch it is the same in every epoch.

#include "mgnn/task/graph_classification.h"

#include <fmt/ranges.h>

#include <charconv>
#include <numeric>

#include "mgnn/base/clock.h"
#include "mgnn/data/splits.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/parts.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

// Batches above this size keep all threads busy.
constexpr int64_t kManyNodes = 200'000;

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

class GraphProblem : public Problem {
 public:
  GraphProblem(Slices slices, const std::vector<int32_t>& label, const Split& split,
               int64_t batch_size, Rng rng)
      : slices_(std::move(slices)),
        label_(label),
        rng_(rng),
        batch_size_(batch_size),
        in_order_(split.train),
        order_(split.train),
        validation_(split.validation),
        rows_(split.train.size() + split.validation.size()) {
    std::iota(rows_.begin(), rows_.end(), 0);
    const Parts parts(validation_, batch_size);
    validation_batches_.resize(size_t(parts.count()));
    for (int64_t i = 0; i < parts.count(); i++)
      slices_.make(parts[i], validation_batches_[size_t(i)]);
  }

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
      set_labels(training()[step], batch_label_);
    }
    return batch_;
  }

  Var<float> loss(const Output<float>& out, int64_t) override {
    return cross_entropy<float>(out.out, batch_label_, first_rows(out.out.rows));
  }

  int64_t num_validation_batches() override { return int64_t(validation_batches_.size()); }
  const Batch& validation_batch(int64_t i) override { return validation_batches_[size_t(i)]; }
  Scores validation(const Output<float>& out, int64_t i) override {
    set_labels(Parts(validation_, batch_size_)[i], validation_label_);
    const LossAccuracy found =
        loss_accuracy(out.out.value, out.out.cols, validation_label_, first_rows(out.out.rows));
    return {found.loss, found.accuracy, out.out.rows};
  }

 private:
  Parts training() const { return {order_, batch_size_}; }
  std::span<const NodeId> first_rows(int64_t count) const {
    return std::span(rows_).first(size_t(count));
  }
  void set_labels(std::span<const NodeId> graphs, std::vector<int32_t>& to) const {
    to.clear();
    for (const NodeId g : graphs) to.push_back(label_[size_t(g)]);
  }

  const Slices slices_;
  const std::vector<int32_t>& label_;
  const Rng rng_;
  const int64_t batch_size_;
  const std::vector<NodeId>& in_order_;
  std::vector<NodeId> order_;  // of this epoch
  const std::vector<NodeId>& validation_;
  std::vector<NodeId> rows_;  // 0, 1, 2, …
  Batch batch_;
  std::vector<int32_t> batch_label_, validation_label_;
  std::vector<Batch> validation_batches_;
};

void check_learnable(const Dataset& data) {
  if (!data.is_set())
    fail_usage("{} is one graph, not a set of graphs; use --task node", data.name);
  if (data.label.empty()) fail_data("{}: graphs have no labels", data.name);
  if (data.num_classes() < 2)
    fail_data("{}: {} class of graphs; at least two are needed", data.name, data.num_classes());
  if (num_features(data.features) == 0)
    fail_data("{}: nodes have no features; make some with --features degree-profile", data.name);
}

// Outputs for some graphs, beside what they should be.
struct JudgedGraphs {
  Matrix logits;               // (graphs, classes)
  std::vector<int32_t> label;  // (graphs)
  std::vector<NodeId> rows;    // 0 .. graphs - 1

  Scores scores() const {
    const LossAccuracy found = loss_accuracy(logits, label, rows);
    return {found.loss, found.accuracy, int64_t(rows.size())};
  }
  MatrixOf<int64_t> confusion(int classes) const {
    if (rows.empty()) return MatrixOf<int64_t>(classes, classes);
    return confusion_matrix(logits, label, rows);
  }
};

void copy_rows(const Var<float>& from, int64_t first, int64_t total, Matrix& to) {
  if (to.cols == 0) to = Matrix(total, from.cols);
  std::copy_n(from.value, from.size(), to.data.begin() + first * from.cols);
}

std::vector<Repetition> repetitions(const Dataset& dataset,
                                    const GraphClassificationOptions& options) {
  std::vector<Repetition> runs;
  for (int64_t i = 0; i < options.seeds; i++) {
    const uint64_t seed = options.seed + uint64_t(i);
    int64_t fold = 0;
    for (Split& split : splits_of(dataset, options, seed)) {
      if (split.train.empty())
        fail_data("{}: the split {} has no graphs to train on", dataset.name,
                  in_quotes(split.name));
      check_labelled(split, dataset.label, dataset);
      runs.push_back({.seed = seed, .fold = fold++, .split = std::move(split)});
    }
  }
  return runs;
}

uint32_t random_state(std::string_view text) {
  uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  check(problem == std::errc() && end == text.data() + text.size(),
        "the split sklearn:{} has no random_state; give an integer of 0 to {}, as in sklearn:0",
        text, UINT32_MAX);
  return value;
}

}  // namespace

std::vector<Split> splits_of(const Dataset& dataset, const GraphClassificationOptions& options,
                             uint64_t seed) {
  std::vector<Split> splits;
  constexpr std::string_view kSklearn = "sklearn:";
  const bool sklearn = options.split.starts_with(kSklearn);
  if (sklearn || options.split == "random") {
    check(options.folds >= 3,
          "folds is {}; one is for test and one for validation, so use at least 3", options.folds);
    const int count = int(std::min<int64_t>(options.folds, INT32_MAX));
    const std::vector<int> fold =
        sklearn
            ? sklearn_folds(dataset.label, count,
                            random_state(std::string_view(options.split).substr(kSklearn.size())))
            : stratified_folds(dataset.label, count, Rng(seed).split(kSplitStream));
    for (int f = 0; f < count; f++) splits.push_back(fold_split(fold, count, f));
    return splits;
  }
  std::vector<std::string> known = {"random", "sklearn:0"};
  for (const Split& split : dataset.splits) {
    if (split.name.starts_with(options.split)) splits.push_back(split);
    known.push_back(split.name);
  }
  if (splits.empty())
    fail_usage(
        "{}: there is no split {}; {}", dataset.name, in_quotes(options.split),
        did_you_mean(options.split, known, fmt::format("there are {}", fmt::join(known, ", "))));
  return splits;
}

GraphOutputs graph_outputs(const Model& model, Parameters& weights, const Batch& all,
                           std::span<const NodeId> graphs, int64_t batch_size) {
  const Slices slices(all, scale_in(weights));
  const Parts parts(graphs, batch_size);
  GraphOutputs result;
  Batch part;
  for (int64_t i = 0; i < parts.count(); i++) {
    slices.make(parts[i], part);
    evaluate(model, weights, part, [&](const Output<float>& out) {
      copy_rows(out.out, parts.start(i), int64_t(graphs.size()), result.logits);
      copy_rows(out.representation, parts.start(i), int64_t(graphs.size()), result.representation);
    });
  }
  return result;
}

Result graph_classification(const Dataset& dataset, const ModelMaker& make_model,
                            const GraphClassificationOptions& options, const Watch& watch) {
  check_learnable(dataset);
  check(options.seeds > 0, "seeds is 0; use at least 1");
  check(options.batch_size > 0, "batch_size is 0; use at least 1");
  const Stopwatch stopwatch;
  Result result{.task = "graph"};
  result.runs = repetitions(dataset, options);
  const Batch all = whole_batch(dataset, *make_model());
  result.seconds_operators = stopwatch.seconds();
  const Shape shape{all.num_features(), dataset.num_classes(), Level::graph};
  const auto* dense = std::get_if<Matrix>(&all.x);
  const int64_t scaled = scaled_columns(dataset, options.standardise);
  const int64_t graphs = std::max<int64_t>(all.num_graphs(), 1);
  const int64_t batch_nodes = all.num_nodes / graphs * std::min(options.batch_size, graphs);
  RepeatPlan plan{.training = options.training, .at_once = batch_nodes < kManyNodes};
  if (plan.training.select == Select::automatic) plan.training.select = Select::loss;
  plan.prepare = [&](Repetition& run) {
    Prepared made{make_model(), nullptr};
    Rng rng = Rng(run.seed).split(kWeightStream).split(uint64_t(run.fold));
    build_with_scale(*made.model, shape, scaled, run.state.weights, rng);
    if (scaled > 0)
      put_scale(column_scale(*dense, scaled, all.graph_start, run.split.train), run.state.weights);
    made.problem = std::make_unique<GraphProblem>(
        Slices(all, scale_in(run.state.weights)), dataset.label, run.split, options.batch_size,
        Rng(run.seed).split(kBatchStream).split(uint64_t(run.fold)));
    return made;
  };
  const auto judged = [&](const Model& model, Parameters& weights, const std::vector<NodeId>& of) {
    JudgedGraphs part{graph_outputs(model, weights, all, of, options.batch_size).logits, {}, {}};
    for (const NodeId g : of) {
      part.rows.push_back(NodeId(part.label.size()));
      part.label.push_back(dataset.label[size_t(g)]);
    }
    return part;
  };
  plan.finish = [&](Repetition& run, Prepared& made) {
    Parameters& weights = run.state.weights;
    if (!run.state.best_weights.empty()) weights.value = run.state.best_weights;
    const JudgedGraphs validation = judged(*made.model, weights, run.split.validation);
    run.validation = validation.scores();
    run.temperature = fitted_temperature(validation.logits, validation.label, validation.rows);
    const JudgedGraphs test = judged(*made.model, weights, run.split.test);
    run.test = test.scores();
    run.confusion = test.confusion(dataset.num_classes());
  };
  result.model = train_all(result.runs, result.best, plan, watch);
  std::vector<NodeId> every(size_t(all.num_graphs()));
  std::iota(every.begin(), every.end(), 0);
  Repetition& best = result.runs[result.best];
  const Stopwatch inference;
  GraphOutputs found =
      graph_outputs(*result.model, best.state.weights, all, every, options.batch_size);
  result.seconds_inference = inference.seconds();
  result.logits = std::move(found.logits);
  result.representation = std::move(found.representation);
  result.shape = shape;
  result.parameters = best.state.weights.count();
  result.seconds_total = stopwatch.seconds();
  return result;
}

}  // namespace mgnn
