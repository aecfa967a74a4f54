#include "mgnn/task/link_prediction.h"

#include <fmt/format.h>

#include <cmath>

#include "mgnn/base/clock.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

// Above this size one training keeps all threads busy, and memory for several may be short.
constexpr Offset kManyArcs = 500'000;

std::span<const int32_t> types_for_negatives(const Dataset& dataset, const LinkOptions& options) {
  return options.typed ? std::span(dataset.node_type) : std::span<const int32_t>();
}

// Positives, then negatives.
struct JudgedPairs {
  NodePairs pairs;
  std::vector<uint8_t> positive;
  std::vector<float> target;  // the same as numbers

  JudgedPairs(const NodePairs& positives, const NodePairs& negatives) {
    for (const NodePairs* part : {&positives, &negatives}) {
      pairs.from.insert(pairs.from.end(), part->from.begin(), part->from.end());
      pairs.to.insert(pairs.to.end(), part->to.begin(), part->to.end());
    }
    positive.assign(pairs.size(), 0);
    std::fill_n(positive.begin(), positives.size(), uint8_t(1));
    target.assign(positive.begin(), positive.end());
  }
};

double cross_entropy_of(std::span<const float> score, std::span<const uint8_t> positive) {
  double sum = 0;
  for (size_t i = 0; i < score.size(); i++) {
    const double x = positive[i] ? -double(score[i]) : double(score[i]);
    sum += std::max(x, 0.) + std::log1p(std::exp(-std::abs(x)));
  }
  return score.empty() ? 0 : sum / double(score.size());
}

Scores scores_of(std::span<const float> score, std::span<const uint8_t> positive) {
  return {cross_entropy_of(score, positive), auroc(score, positive), int64_t(score.size())};
}

class LinkProblem : public Problem {
 public:
  LinkProblem(LinkData data, const Dataset& dataset, const LinkOptions& options, const Rng& rng)
      : data_(std::move(data)),
        decoder_(options.decoder),
        sampler_(data_.split.graph, types_for_negatives(dataset, options),
                 is_directed(options.decoder)),
        rng_(rng),
        training_(data_.split.train, data_.split.train),
        validation_(data_.split.validation, data_.validation_negatives) {}

  const LinkData& data() const { return data_; }

  int64_t start_epoch(int64_t epoch) override {
    const NodePairs drawn = sampler_.draw(data_.split.train, rng_.split(uint64_t(epoch)));
    const auto half = std::ptrdiff_t(drawn.size());
    std::copy(drawn.from.begin(), drawn.from.end(), training_.pairs.from.begin() + half);
    std::copy(drawn.to.begin(), drawn.to.end(), training_.pairs.to.begin() + half);
    return 1;
  }
  const Batch& batch(int64_t) override { return data_.batch; }
  Var<float> loss(const Output<float>& out, int64_t) override {
    return binary_cross_entropy<float>(scores(out, training_.pairs), training_.target);
  }
  int64_t num_validation_batches() override { return data_.split.validation.size() > 0 ? 1 : 0; }
  const Batch& validation_batch(int64_t) override { return data_.batch; }
  Scores validation(const Output<float>& out, int64_t) override {
    const Var<float> found = scores(out, validation_.pairs);
    return scores_of({found.value, size_t(found.rows)}, validation_.positive);
  }

 private:
  Var<float> scores(const Output<float>& out, const NodePairs& pairs) const {
    const PairEnds<float> ends = pair_ends(out.out, decoder_);
    return pair_dot<float>(ends.left, ends.right, pairs.from, pairs.to);
  }

  LinkData data_;
  Decoder decoder_;
  NegativeSampler sampler_;
  Rng rng_;
  JudgedPairs training_, validation_;
};

void check_learnable(const Dataset& data, const LinkOptions& options) {
  if (data.is_set())
    fail_usage("{} is a set of graphs; links are predicted in one graph", data.name);
  check(options.dimension > 0, "dimension is 0; use at least 1");
  check(options.validation_share > 0 && options.test_share > 0,
        "validation_share and test_share are {} and {}; hold out some edges for both",
        options.validation_share, options.test_share);
  check(options.hits > 0, "hits is 0; use at least 1");
}

Features training_features(const Dataset& dataset, const Graph& graph, const std::string& kind,
                           const Rng& rng) {
  if (num_features(dataset.features) > 0) return dataset.features;
  Features made = make_features(kind == "own" ? "identity" : kind, graph, rng);
  if (kind == "degree-profile") standardise(std::get<Matrix>(made));
  return made;
}

// All scores at the selected epoch; test is looked at here, once.
void judge(Repetition& run, const Matrix& out, const LinkOptions& options, PairScores& pairs) {
  pairs.score = pair_scores(out, options.decoder, pairs.pairs);
  const size_t first = pairs.num_validation;
  const auto scores = std::span<const float>(pairs.score);
  const auto positive = std::span<const uint8_t>(pairs.positive);
  run.validation = scores_of(scores.first(first), positive.first(first));
  run.calibration = fitted_calibration(scores.first(first), positive.first(first));
  const auto test = scores.subspan(first);
  const auto edge = positive.subspan(first);
  run.test = scores_of(test, edge);
  run.also = {{"average_precision", average_precision(test, edge)},
              {fmt::format("hits@{}", options.hits), hits_at_k(test, edge, options.hits)},
              {"mrr", mean_reciprocal_rank(test, edge)}};
}

}  // namespace

LinkData link_data(const Dataset& dataset, const Model& model, const LinkOptions& options,
                   const std::string& features, uint64_t seed) {
  check_learnable(dataset, options);
  const Rng rng(seed);
  LinkData data{link_split(dataset, options, rng.split(kSplitStream)), {}, {}, {}};
  const NegativeSampler sampler(dataset.graph, types_for_negatives(dataset, options),
                                is_directed(options.decoder));
  TakenPairs taken;
  Rng held_out = rng.split(kHeldOutStream);
  data.validation_negatives =
      sampler.draw_distinct(data.split.validation, held_out.split(0), taken);
  data.test_negatives = sampler.draw_distinct(data.split.test, held_out.split(1), taken);
  Dataset seen;
  seen.name = dataset.name;
  seen.graph = data.split.graph;
  seen.features = training_features(dataset, data.split.graph, features, rng.split(kFeatureStream));
  data.batch = whole_batch(seen, model);
  return data;
}

PairScores held_out_pairs(const LinkData& data) {
  const JudgedPairs validation(data.split.validation, data.validation_negatives);
  const JudgedPairs test(data.split.test, data.test_negatives);
  PairScores all{validation.pairs, {}, validation.positive, validation.pairs.size()};
  for (size_t i = 0; i < test.pairs.size(); i++) all.pairs.push_back(test.pairs[i]);
  all.positive.insert(all.positive.end(), test.positive.begin(), test.positive.end());
  return all;
}

std::vector<float> pair_scores(const Matrix& out, Decoder decoder, const NodePairs& pairs) {
  Tape<float> tape;
  tape.start_evaluation();
  const PairEnds<float> ends = pair_ends(tape.constant(out), decoder);
  const Var<float> score = pair_dot<float>(ends.left, ends.right, pairs.from, pairs.to);
  return {score.value, score.value + score.rows};
}

Result link_prediction(const Dataset& dataset, const ModelMaker& make_model,
                       const LinkPredictionOptions& options, const Watch& watch) {
  check(options.seeds > 0, "seeds is 0; use at least 1");
  check_learnable(dataset, options.link);
  const Stopwatch stopwatch;
  Result result{.task = "link", .metric = "auroc"};
  for (int64_t i = 0; i < options.seeds; i++)
    result.runs.push_back({.seed = options.seed + uint64_t(i)});
  std::vector<PairScores> judged(result.runs.size());
  std::vector<Matrix> outputs(result.runs.size());
  std::vector<Shape> shapes(result.runs.size());
  const auto place = [&](const Repetition& run) { return size_t(&run - result.runs.data()); };
  RepeatPlan plan{.training = options.training, .at_once = dataset.graph.num_arcs() < kManyArcs};
  plan.prepare = [&](Repetition& run) {
    Prepared made{with_decoder(make_model(), options.link.decoder), nullptr};
    LinkData data = link_data(dataset, *made.model, options.link, options.features, run.seed);
    const Rng rng(run.seed);
    Rng weights = rng.split(kWeightStream);
    const Shape& shape =
        shapes[place(run)] = {data.batch.num_features(), options.link.dimension, Level::node};
    made.model->build(shape, run.state.weights, weights);
    made.problem = std::make_unique<LinkProblem>(std::move(data), dataset, options.link,
                                                 rng.split(kNegativeStream));
    return made;
  };
  plan.finish = [&](Repetition& run, Prepared& made) {
    if (!run.state.best_weights.empty()) run.state.weights.value = run.state.best_weights;
    const LinkData& data = static_cast<const LinkProblem&>(*made.problem).data();
    evaluate(*made.model, run.state.weights, data.batch,
             [&](const Output<float>& out) { outputs[place(run)] = copied(out.out); });
    judged[place(run)] = held_out_pairs(data);
    judge(run, outputs[place(run)], options.link, judged[place(run)]);
  };
  result.model = train_all(result.runs, result.best, plan, watch);
  result.shape = shapes[result.best];
  result.pairs = std::move(judged[result.best]);
  result.logits = std::move(outputs[result.best]);
  result.parameters = result.runs[result.best].state.weights.count();
  result.seconds_total = stopwatch.seconds();
  return result;
}

}  // namespace mgnn
