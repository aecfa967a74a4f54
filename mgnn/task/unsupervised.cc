#include "mgnn/task/unsupervised.h"

#include <algorithm>
#include <numeric>

#include "mgnn/base/clock.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/autoencoder.h"
#include "mgnn/task/contrastive.h"
#include "mgnn/task/graph_classification.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/parts.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

// Batches above this size keep all threads busy.
constexpr int64_t kManyNodes = 200'000;
// Fewer held-out items say nothing.
constexpr size_t kFewest = 10;

bool by_contrast(const UnsupervisedSettings& settings) {
  return settings.objective == Objective::contrastive;
}

int64_t num_items(const Dataset& data) {
  return data.is_set() ? data.num_graphs() : data.graph.num_nodes();
}

void check_learnable(const Dataset& data, const UnsupervisedOptions& o) {
  const UnsupervisedSettings& s = o.settings;
  check(o.seeds > 0, "seeds is 0; use at least 1");
  check(o.batch_size > 0, "batch_size is 0; use at least 1");
  check(s.dimension > 0, "dimension is 0; use at least 1");
  check(s.held_out >= 0 && s.held_out < 1, "held_out is {}; it must be from 0 to below 1",
        s.held_out);
  check(s.kl_weight >= 0, "kl_weight is {}; it must not be negative", s.kl_weight);
  if (num_features(data.features) == 0)
    fail_data("{}: nodes have no features; make some with --features degree-profile", data.name);
  if (!by_contrast(s)) return;
  check_augment(s.augment);
  check(s.loss.temperature > 0, "temperature is {}; it must be above 0", s.loss.temperature);
  check(s.anchors > 1, "anchors is {}; at least 2 can be compared", s.anchors);
  check(!data.is_set() || o.batch_size > 1, "batch_size is 1; at least 2 graphs can be compared");
  if (num_items(data) < 2)
    fail_data("{}: has {} {}, but contrast needs at least two", data.name, num_items(data),
              data.is_set() ? "graphs" : "nodes");
}

// Items to learn from, and those that tell which epoch is the best: the same if they are few.
Split items_of(int64_t count, double held_out, Rng rng) {
  std::vector<NodeId> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  const auto aside = size_t(held_out * double(count));
  if (aside < kFewest) return {"", all, all, {}};
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
                         const UnsupervisedSettings& settings, int64_t batch_size) {
  const Batch all = whole_batch(data, model);
  std::vector<NodeId> every(size_t(all.num_graphs()));
  std::iota(every.begin(), every.end(), 0);
  const Parts parts(every, batch_size);
  Matrix result;
  Batch part;
  for (int64_t i = 0; i < parts.count(); i++) {
    slice_batch(all, parts[i], part);
    evaluate(model, weights, part, [&](const Output<float>& out) {
      Var<float> z = vectors_in(out, settings.objective);
      if (!by_contrast(settings)) z = pooled(z, settings.pooling, part.graph_start);
      if (i == 0) result = Matrix(all.num_graphs(), z.cols);
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

Options unsupervised_options(UnsupervisedSettings& s) {
  Options all = {
      choice<Objective>("objective", s.objective,
                        {{"gae", Objective::gae},
                         {"vgae", Objective::vgae},
                         {"contrastive", Objective::contrastive}},
                        "which nodes are joined, the same with distributions, or which views are "
                        "of the same node or graph"),
      option("dimension", s.dimension,
             "columns of the vectors (gae, vgae), or of what contrast compares"),
      option("held_out", s.held_out, "share of edges, nodes or graphs that tell the best epoch"),
      option("kl_weight", s.kl_weight, "vgae: of the divergence"),
      choice<Pooling>("pooling", s.pooling,
                      {{"sum", Pooling::sum}, {"mean", Pooling::mean}, {"max", Pooling::max}},
                      "gae, vgae: from nodes to graphs"),
  };
  append(all, augment_options(s.augment));
  append(all, {option("temperature", s.loss.temperature, "of contrast"),
               option("count_positive", s.loss.count_positive,
                      "the twin is also in the denominator of contrast"),
               option("anchors", s.anchors, "nodes compared with each other in a step, at most"),
               option("probe", s.probe, "judge the vectors by logistic regression on the labels")});
  return all;
}

Shape unsupervised_shape(const UnsupervisedSettings& s, const Dataset& dataset) {
  return {num_features(dataset.features),
          s.objective == Objective::vgae ? 2 * s.dimension : s.dimension,
          by_contrast(s) && dataset.is_set() ? Level::graph : Level::node};
}

Matrix unsupervised_vectors(const Model& model, Parameters& weights, const Dataset& dataset,
                            const UnsupervisedSettings& settings, int64_t batch_size) {
  const Dataset data = rescaled(dataset, scale_in(weights));
  if (data.is_set()) return vectors_of_graphs(model, weights, data, settings, batch_size);
  Matrix result;
  evaluate(model, weights, whole_batch(data, model),
           [&](const Output<float>& out) { result = copied(vectors_in(out, settings.objective)); });
  return result;
}

Result unsupervised(const Dataset& dataset, const ModelMaker& make_model,
                    const UnsupervisedOptions& options, const Watch& watch) {
  check_learnable(dataset, options);
  const UnsupervisedSettings& settings = options.settings;
  const Stopwatch stopwatch;
  Result result{.task = "unsupervised"};
  result.validation_metric = by_contrast(settings) ? "matched" : "auroc";
  result.shape = unsupervised_shape(settings, dataset);
  std::vector<Split> splits;
  if (settings.probe)
    splits = probe_splits(dataset, {.seed = options.seed,
                                    .seeds = options.seeds,
                                    .folds = options.folds,
                                    .split = options.split,
                                    .num_validation = options.num_validation,
                                    .num_test = options.num_test});
  const size_t per_seed = splits.size() / size_t(options.seeds);
  for (int64_t i = 0; i < options.seeds; i++) {
    const uint64_t seed = options.seed + uint64_t(i);
    result.runs.push_back(
        {.seed = seed,
         .split = items_of(num_items(dataset), settings.held_out, Rng(seed).split(kSplitStream))});
  }
  const int64_t scaled = scaled_columns(dataset, options.standardise);
  const ColumnScale scale = scaled > 0 ? scale_of(dataset, scaled) : ColumnScale{};
  const Dataset data = scaled > 0 ? rescaled(dataset, scale) : dataset;

  RepeatPlan plan{.training = options.training, .at_once = dataset.graph.num_nodes() < kManyNodes};
  if (plan.training.select == Select::automatic) plan.training.select = Select::loss;
  plan.prepare = [&](Repetition& run) {
    Prepared made{make_model(), nullptr};
    Rng rng = Rng(run.seed).split(kWeightStream);
    build_with_scale(*made.model, result.shape, scaled, run.state.weights, rng);
    if (scaled > 0) put_scale(scale, run.state.weights);
    const auto problem = by_contrast(settings) ? contrastive_problem : autoencoder_problem;
    made.problem = problem(data, *made.model, run.split, settings, options.batch_size,
                           Rng(run.seed).split(kBatchStream));
    return made;
  };
  result.probe.resize(splits.size());
  plan.finish = [&](Repetition& run, Prepared& made) {
    Parameters& weights = run.state.weights;
    if (!run.state.best_weights.empty()) weights.value = run.state.best_weights;
    run.validation = run.state.best.validation;
    if (!settings.probe) return;
    const Matrix z =
        unsupervised_vectors(*made.model, weights, dataset, settings, options.batch_size);
    const size_t first = size_t(run.seed - options.seed) * per_seed;
    const auto mine = std::span<const Split>(splits).subspan(first, per_seed);
    const Probe found = probe(z, dataset, mine, {});
    std::copy(found.accuracy.begin(), found.accuracy.end(),
              result.probe.begin() + std::ptrdiff_t(first));
    run.test = mean_accuracy(found.accuracy, mine);
  };
  result.model = train_all(result.runs, result.best, plan, watch);
  Repetition& best = result.runs[result.best];
  const Stopwatch inference;
  result.representation = unsupervised_vectors(*result.model, best.state.weights, dataset, settings,
                                               options.batch_size);
  result.seconds_inference = inference.seconds();
  result.parameters = best.state.weights.count();
  result.seconds_total = stopwatch.seconds();
  return result;
}

}  // namespace mgnn
