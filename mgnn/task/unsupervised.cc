#include "mgnn/task/unsupervised.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "mgnn/base/clock.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/autoencoder.h"
#include "mgnn/task/contrastive.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/parts.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

constexpr size_t kMinHeldOut = 10;  // fewer items are too noisy to select an epoch

bool by_contrast(const UnsupervisedOptions& settings) {
  return settings.objective == Objective::contrastive;
}

int64_t num_items(const Dataset& data) {
  return data.is_set() ? data.num_graphs() : data.graph.num_nodes();
}

void check_learnable(const Dataset& data, const UnsupervisedOptions& s, const RunOptions& run) {
  check_run(data, run);
  check(s.dimension > 0, "dimension is 0; use at least 1");
  check(s.held_out >= 0 && s.held_out < 1, "held_out is {}; it must be from 0 to below 1",
        s.held_out);
  check(s.kl_weight >= 0, "kl_weight is {}; it must not be negative", s.kl_weight);
  if (!by_contrast(s)) return;
  check_augment(s.augment);
  check(s.loss.temperature > 0, "temperature is {}; it must be above 0", s.loss.temperature);
  check(s.anchors > 1, "anchors is {}; at least 2 can be compared", s.anchors);
  check(!data.is_set() || run.batch_size > 1, "batch_size is 1; at least 2 graphs can be compared");
  if (num_items(data) < 2)
    fail_data("{}: has {} {}, but contrast needs at least two", data.name, num_items(data),
              data.is_set() ? "graphs" : "nodes");
}

// Items to learn from, and those that tell which epoch is the best: the same if they are few.
Split items_of(int64_t count, double held_out, Rng rng) {
  std::vector<NodeId> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  const auto aside = size_t(held_out * double(count));
  if (aside < kMinHeldOut) return {"", all, all, {}};
  rng.shuffle(std::span(all));
  Split split{"", {all.begin() + std::ptrdiff_t(aside), all.end()}, {}, {}};
  split.validation.assign(all.begin(), all.begin() + std::ptrdiff_t(aside));
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

// ---- vectors

Var<float> vectors_in(const Output<float>& out, Objective objective) {
  if (objective == Objective::contrastive) return out.representation;
  return latent_of(out.out, objective == Objective::vgae).z;
}

Var<float> pooled(Var<float> nodes, Pooling pooling, std::span<const Offset> start) {
  if (pooling == Pooling::sum) return segment_sum(nodes, start);
  return pooling == Pooling::mean ? segment_mean(nodes, start) : segment_max(nodes, start);
}

Matrix vectors_of_graphs(const Model& model, Parameters& weights, const Dataset& data,
                         const UnsupervisedOptions& settings, int64_t batch_size) {
  const Batch batch = whole_batch(data, model);
  std::vector<NodeId> every(size_t(batch.num_graphs()));
  std::iota(every.begin(), every.end(), 0);
  const Parts parts(every, batch_size);
  Matrix result;
  Batch part;
  for (int64_t i = 0; i < parts.count(); i++) {
    slice_batch(batch, parts[i], part);
    evaluate(model, weights, part, [&](const Output<float>& out) {
      Var<float> z = vectors_in(out, settings.objective);
      if (!by_contrast(settings)) z = pooled(z, settings.pooling, part.graph_start);
      if (i == 0) result = Matrix(batch.num_graphs(), z.cols);
      std::copy_n(z.value, z.size(), result.data.begin() + parts.start(i) * z.cols);
    });
  }
  return result;
}

Scores mean_accuracy(std::span<const double> accuracies, std::span<const Split> splits) {
  Scores scores{.metric = mean_std(accuracies).mean};
  for (const Split& split : splits) scores.count += int64_t(split.test.size());
  return scores;
}

}  // namespace

Options unsupervised_options(UnsupervisedOptions& s) {
  Options options = {
      choice("objective", s.objective,
             "gae: graph autoencoder; vgae: variational graph autoencoder; contrastive: GraphCL"),
      option("dimension", s.dimension,
             "columns of the embedding (gae, vgae) or of the projection (contrastive)"),
      option("held_out", s.held_out, "share of edges, nodes or graphs held out for validation"),
      option("kl_weight", s.kl_weight, "weight of the KL term (vgae)"),
      choice("pooling", s.pooling, "pooling from nodes to graphs (gae, vgae)"),
  };
  append(options, augment_options(s.augment));
  append(options,
         {option("temperature", s.loss.temperature, "NT-Xent temperature (contrastive)"),
          option("count_positive", s.loss.count_positive,
                 "include the positive pair in the denominator (contrastive)"),
          option("anchors", s.anchors,
                 "maximum number of nodes compared with each other in a step (contrastive)"),
          option("probe", s.probe, "evaluate the embedding by logistic regression on the labels")});
  return options;
}

Shape unsupervised_shape(const UnsupervisedOptions& s, const Dataset& dataset) {
  return {.in = num_features(dataset.features),
          .out = s.objective == Objective::vgae ? 2 * s.dimension : s.dimension,
          .level = by_contrast(s) && dataset.is_set() ? Level::graph : Level::node,
          .relations = int64_t(dataset.relations.size())};
}

Matrix unsupervised_vectors(const Model& model, Parameters& weights, const Dataset& dataset,
                            const UnsupervisedOptions& settings, int64_t batch_size) {
  const Dataset data = rescaled(dataset, scale_in(weights));
  if (data.is_set()) return vectors_of_graphs(model, weights, data, settings, batch_size);
  Matrix result;
  evaluate(model, weights, whole_batch(data, model),
           [&](const Output<float>& out) { result = copied(vectors_in(out, settings.objective)); });
  return result;
}

Result unsupervised(const Dataset& dataset, const ModelMaker& make_model,
                    const UnsupervisedOptions& options, const RunOptions& run_options,
                    const TrainingCallbacks& callbacks) {
  check_learnable(dataset, options, run_options);
  const Stopwatch stopwatch;
  Result result;
  result.validation_metric = {by_contrast(options) ? "matched" : "auroc"};
  result.shape = unsupervised_shape(options, dataset);
  std::vector<Split> splits;
  if (options.probe)
    splits = probe_splits(
        dataset,
        {.seed = run_options.seed, .seeds = run_options.seeds, .split = run_options.split});
  const bool fixed_folds = dataset.is_set() && split_name(dataset, run_options.split) != "random";
  const std::vector<Split> folds = splits;  // where they are fixed, all seeds have the same
  for (int64_t i = 1; fixed_folds && i < run_options.seeds; i++)
    splits.insert(splits.end(), folds.begin(), folds.end());
  const size_t per_seed = splits.size() / size_t(run_options.seeds);
  for (int64_t i = 0; i < run_options.seeds; i++) {
    const uint64_t seed = run_options.seed + uint64_t(i);
    result.runs.push_back(
        {.seed = seed,
         .split = items_of(num_items(dataset), options.held_out, Rng(seed).split(kSplitStream))});
  }
  const int64_t scaled = scaled_columns(dataset);
  const ColumnScale scale = scale_of(dataset, run_options.standardise);
  const Dataset data = scaled > 0 ? rescaled(dataset, scale) : dataset;

  RepeatPlan plan{.training = run_options.training,
                  .work = dataset.graph.num_nodes(),
                  .comm = run_options.comm};
  if (plan.training.select == Select::automatic) plan.training.select = Select::loss;
  plan.prepare = [&](Repetition& run) {
    Prepared prepared{make_model(), nullptr};
    Rng rng = Rng(run.seed).split(kWeightStream);
    build_with_scale(*prepared.model, result.shape, scaled, run.state.weights, rng);
    if (scaled > 0) put_scale(scale, run.state.weights);
    const auto problem = by_contrast(options) ? contrastive_problem : autoencoder_problem;
    prepared.problem = problem(data, *prepared.model, run.split, options, run_options.batch_size,
                               Rng(run.seed).split(kBatchStream));
    return prepared;
  };
  std::vector<double> accuracies(splits.size());
  plan.finish = [&](Repetition& run, Prepared& prepared) {
    run.validation = run.state.best.validation;
    if (!options.probe) return;
    const Matrix z = unsupervised_vectors(*prepared.model, run.state.weights, dataset, options,
                                          run_options.batch_size);
    const size_t first = size_t(run.seed - run_options.seed) * per_seed;
    const auto own_splits = std::span<const Split>(splits).subspan(first, per_seed);
    const Probe probed = probe(z, dataset, own_splits, {});
    std::copy(probed.accuracy.begin(), probed.accuracy.end(),
              accuracies.begin() + std::ptrdiff_t(first));
    run.test = mean_accuracy(probed.accuracy, own_splits);
    for (const Split& split : own_splits)
      run.test_set = mix_bits(run.test_set + test_set_of({split.test}));
  };
  train_all(result, plan, callbacks);
  result.own = accuracies;
  const Stopwatch inference;
  result.representation =
      unsupervised_vectors(*result.model, result.runs[result.best].state.weights, dataset, options,
                           run_options.batch_size);
  result.seconds_inference = inference.seconds();
  result.seconds_total = stopwatch.seconds();
  return result;
}

const std::vector<double>& probe_accuracies(const Result& result) {
  return std::any_cast<const std::vector<double>&>(result.own);
}

namespace {

class Unsupervised : public Task {
 public:
  Options options() override { return unsupervised_options(options_); }
  Suits suits(const Dataset&, const LoadOptions&) const override { return Suits::never; }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_learnable(dataset, options_, run);
  }
  Shape shape(const Dataset& dataset) const override {
    return unsupervised_shape(options_, dataset);
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return unsupervised(dataset, make_model, options_, options, callbacks);
  }
  // A network for graphs needs a set of them; one for nodes embeds one graph or several.
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    if (model.shape.level == Level::graph && !dataset.is_set())
      fail_data("{}: is one graph, but the model was trained on a set of graphs", dataset.name);
    return {{},
            unsupervised_vectors(*model.model, model.weights, aligned_to(model, dataset), options_,
                                 std::max<int64_t>(model.config->run.batch_size, 1))};
  }
  PredictSummary write_predictions(TrainedModel& model, const Dataset&,
                                   const PredictRequest&) const override {
    fail_usage(Hint(Hint::embed, model.path),
               "{}: was trained without labels, so it predicts no classes", model.path);
  }
  void write_predictions(const std::string&, const Dataset&, const Result&) const override {}
  std::string data_line(const Dataset&, const Result& result) const override {
    return fmt::format("an embedding of {} columns", result.representation.cols);
  }
  std::vector<Block> details(const Dataset& dataset, const Result& result) const override {
    const std::vector<double>& accuracies = probe_accuracies(result);
    if (accuracies.empty()) return {};
    const MeanStd accuracy = mean_std(accuracies);
    return {Paragraph{fmt::format(
        "logistic regression on the embedding: test accuracy {:.4f} ± {:.4f} ({} {})",
        accuracy.mean, accuracy.std, accuracies.size(), dataset.is_set() ? "folds" : "splits")}};
  }
  void add_json(const Result& result, nlohmann::ordered_json& json) const override {
    const std::vector<double>& accuracies = probe_accuracies(result);
    if (accuracies.empty()) return;
    const MeanStd probe = mean_std(accuracies);
    json["probe"] = {{"mean", probe.mean}, {"std", probe.std}, {"runs", accuracies}};
  }
  bool has_test_scores() const override { return options_.probe; }

 private:
  UnsupervisedOptions options_;
};

}  // namespace

std::unique_ptr<Task> make_unsupervised() { return std::make_unique<Unsupervised>(); }

}  // namespace mgnn
