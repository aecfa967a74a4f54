#include "mgnn/task/link_prediction.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "mgnn/base/clock.h"
#include "mgnn/base/human.h"
#include "mgnn/cluster/divided_batch.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/io/edge_list.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/link_report.h"
#include "mgnn/task/prediction_file.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

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
        sampler_(negative_sampler(data_.split.graph, dataset, options.negatives, options,
                                  data_.split.train)),
        rng_(rng),
        training_(data_.split.train, data_.split.train),
        validation_(data_.split.validation, data_.validation_negatives) {}

  const LinkData& data() const { return data_; }

  Metric metric() const override { return {"auroc"}; }

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
    const Var<float> score = scores(out, validation_.pairs);
    return scores_of({score.value, size_t(score.rows)}, validation_.positive);
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
                           const ColumnScale& scale, const Rng& rng) {
  if (num_features(dataset.features) > 0) {
    Features own = dataset.features;
    if (auto* dense = std::get_if<Matrix>(&own)) rescale(*dense, scale);
    return own;
  }
  const FeatureMaker& maker = feature_maker(kind == "own" ? "identity" : kind);
  Features features = maker.make(graph, rng);
  if (maker.measured) standardise(std::get<Matrix>(features));
  return features;
}

// All scores at the selected epoch; test is looked at here, once.
void judge(Repetition& run, const Matrix& out, const LinkOptions& options, PairScores& pairs) {
  pairs.score = pair_scores(out, options.decoder, pairs.pairs);
  const size_t first = pairs.num_validation;
  const auto scores = std::span<const float>(pairs.score);
  const auto positive = std::span<const uint8_t>(pairs.positive);
  run.validation = scores_of(scores.first(first), positive.first(first));
  const Calibration calibration = fitted_calibration(scores.first(first), positive.first(first));
  run.fitted = {{"slope", calibration.slope}, {"offset", calibration.offset}};
  const auto test = scores.subspan(first);
  const auto edge = positive.subspan(first);
  run.test = scores_of(test, edge);
  run.extra_metrics = {{"average_precision", average_precision(test, edge)},
                       {fmt::format("hits@{}", options.hits), hits_at_k(test, edge, options.hits)},
                       {"mrr", mean_reciprocal_rank(test, edge)}};
}

// One line per pair: its ends, score, calibrated probability, whether it is an edge, and its part in
// the split.
const std::vector<std::string> kPairColumns = {"from",        "to",   "score",
                                               "probability", "edge", "split"};

void write_pairs(RecordWriter& file, const Dataset& dataset, const PairScores& pairs,
                 const Calibration& calibration) {
  for (size_t i = 0; i < pairs.pairs.size(); i++) {
    const Edge pair = pairs.pairs[i];
    file.text(dataset.ids.name(pair.from));
    file.text(dataset.ids.name(pair.to));
    file.number(pairs.score[i]);
    file.number(float(calibration.probability(double(pairs.score[i]))));
    file.text(pairs.positive[i] ? "yes" : "no");
    if (!pairs.part.empty())
      file.text(pairs.part[i]);
    else
      file.text(i < pairs.num_validation ? "validation" : "test");
  }
  file.commit();
}

// Where each pair is used: an edge trained on, held out for validation or test, or "" for none.
std::vector<const char*> parts_of(const NodePairs& pairs, const LinkSplit& split, bool directed) {
  const auto key = [&](NodeId u, NodeId v) {
    if (!directed && u > v) std::swap(u, v);
    return uint64_t(uint32_t(u)) << 32 | uint32_t(v);
  };
  std::unordered_map<uint64_t, const char*> held_out;
  for (size_t i = 0; i < split.validation.size(); i++)
    held_out.emplace(key(split.validation.from[i], split.validation.to[i]), "validation");
  for (size_t i = 0; i < split.test.size(); i++)
    held_out.emplace(key(split.test.from[i], split.test.to[i]), "test");
  std::vector<const char*> parts;
  for (size_t i = 0; i < pairs.size(); i++) {
    const NodeId u = pairs.from[i], v = pairs.to[i];
    const bool trained = split.graph.has_arc(u, v) || (!directed && split.graph.has_arc(v, u));
    const auto found = held_out.find(key(u, v));
    parts.push_back(found != held_out.end() ? found->second : trained ? "train" : "");
  }
  return parts;
}

// The pairs of an edge list; `positive` says whether the data have an edge there.
PairScores listed_pairs(const std::string& path, const Dataset& dataset, Decoder decoder,
                        std::vector<std::string>& unknown_ids) {
  PairScores listed{.pairs = read_pairs(path, dataset, unknown_ids)};
  for (size_t i = 0; i < listed.pairs.size(); i++) {
    const auto [u, v] = listed.pairs[i];
    const bool reverse = !is_directed(decoder) && dataset.graph.has_arc(v, u);
    listed.positive.push_back(dataset.graph.has_arc(u, v) || reverse);
  }
  return listed;
}

const LinkOutcome& outcome_of(const Repetition& run) {
  return std::any_cast<const LinkOutcome&>(run.own);
}

// Of every repetition; empty where the network was compared with nothing.
std::vector<const LinkReport*> reports_of(const Result& result) {
  std::vector<const LinkReport*> reports;
  for (const Repetition& run : result.runs)
    if (run.own.has_value() && !outcome_of(run).report.methods.empty())
      reports.push_back(&outcome_of(run).report);
  return reports.size() == result.runs.size() ? reports : std::vector<const LinkReport*>();
}

class LinkPrediction : public Task {
 public:
  const LinkOptions& link() const { return link_; }

  Options options() override { return link_options(link_); }
  Suits suits(const Dataset& dataset, const LoadOptions&) const override {
    if (!link_.relation.empty() || !link_.between.empty()) return Suits::asked;
    const bool answers =
        !dataset.label.empty() || !dataset.label_set.empty() || !dataset.target.empty();
    return dataset.is_set() || answers ? Suits::never : Suits::otherwise;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_learnable(dataset, link_);
    mgnn::check(run.seeds > 0, "seeds is 0; use at least 1");
  }
  bool makes_features() const override { return true; }
  bool predicts_pairs() const override { return true; }
  Shape shape(const Dataset& dataset) const override {
    return {.in = num_features(dataset.features),
            .out = link_.dimension,
            .level = Level::node,
            .relations = int64_t(dataset.relations.size())};
  }
  std::unique_ptr<Model> adapted(std::unique_ptr<Model> network) const override {
    return with_decoder(std::move(network), link_.decoder);
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return link_prediction(dataset, make_model, link_, options, callbacks);
  }
  void check_fitted(const Numbers& fitted, const std::string& path) const override {
    require_numbers(fitted, {"slope", "offset"}, path);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    const LinkData data = training_data(model, dataset);
    Prediction result;
    evaluate(*model.model, model.weights, data.batch, [&](const Output<float>& out) {
      result = {copied(out.out), copied(out.out)};
    });
    return result;
  }
  PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                   const PredictRequest& request) const override {
    PredictSummary summary{.unit = "pairs"};
    const LinkData data = training_data(model, dataset);
    PairScores pairs = request.pairs.empty() ? held_out_pairs(data)
                                             : listed_pairs(request.pairs, dataset, link_.decoder,
                                                            summary.unknown_ids);
    evaluate(*model.model, model.weights, data.batch, [&](const Output<float>& out) {
      pairs.score = pair_scores(copied(out.out), link_.decoder, pairs.pairs);
    });
    if (!request.pairs.empty())
      pairs.part = parts_of(pairs.pairs, data.split, is_directed(link_.decoder));
    for_each_output(request, kPairColumns, [&](RecordWriter& file) {
      write_pairs(file, dataset, pairs, calibration_of(model));
    });
    summary.count = int64_t(pairs.pairs.size());
    return summary;
  }
  void write_predictions(const std::string& path, const Dataset& dataset,
                         const Result& result) const override {
    const Repetition& best = result.best_run();
    RecordWriter file(path, kPairColumns);
    write_pairs(file, dataset, outcome_of(best).pairs,
                {best.fitted.at("slope"), best.fitted.at("offset")});
  }
  std::string data_line(const Dataset& dataset, const Result& result) const override {
    const Repetition& best = result.best_run();
    const std::string question = !link_.relation.empty()  ? "relation " + link_.relation
                                 : !link_.between.empty() ? "edges between " + link_.between
                                                          : "all edges";
    return fmt::format(
        "asked about {}; {} negatives; {} / {} pairs to validate, test, half of them edges",
        question,
        name_of(link_.negatives == Negatives::typed && dataset.node_type.empty()
                    ? Negatives::uniform
                    : link_.negatives),
        best.validation.count, best.test.count);
  }
  std::vector<Block> details(const Dataset&, const Result& result) const override {
    const std::vector<const LinkReport*> reports = reports_of(result);
    if (reports.empty()) return {};
    std::string text = link_verdict(reports, link_) + ".";
    if (!reports[0]->left_out.empty())
      text += fmt::format(" Not compared with {}, which would take long: use heuristics=all.",
                          human_list(reports[0]->left_out));
    return {TableBlock{"Test edges: AUROC against negatives of each kind, means over sources, "
                       "precision of a ranking",
                       link_table(reports, link_)},
            Paragraph{text}};
  }
  std::vector<Section> sections(const Dataset& dataset, const Result& result) const override {
    std::vector<Block> blocks = details(dataset, result);
    if (blocks.empty()) return {};
    return {{"Heuristics", std::move(blocks)}};
  }
  void add_json(const Result& result, nlohmann::ordered_json& json) const override {
    const std::vector<const LinkReport*> reports = reports_of(result);
    if (!reports.empty()) json["links"] = json_of(reports, link_);
  }

 private:
  LinkOptions link_;
};

}  // namespace

NegativeSampler negative_sampler(const Graph& known, const Dataset& dataset, Negatives kind,
                                 const LinkOptions& options, const NodePairs& edges) {
  const auto types =
      kind == Negatives::uniform ? std::span<const int32_t>() : std::span(dataset.node_type);
  return {known, types, is_directed(options.decoder),
          kind == Negatives::degree_matched ? &edges : nullptr};
}

LinkData link_data(const Dataset& dataset, const Model& model, const LinkOptions& options,
                   const std::string& features, uint64_t seed, const ColumnScale& scale) {
  check_learnable(dataset, options);
  const Rng rng(seed);
  LinkData data{.split = link_split(dataset, options, rng.split(kSplitStream))};
  TakenPairs taken;
  Rng held_out = rng.split(kHeldOutStream);
  const auto negatives_of = [&](const NodePairs& edges, uint64_t stream) {
    return negative_sampler(dataset.graph, dataset, options.negatives, options, edges)
        .draw_distinct(edges, held_out.split(stream), taken);
  };
  data.validation_negatives = negatives_of(data.split.validation, 0);
  data.test_negatives = negatives_of(data.split.test, 1);
  Dataset seen = arcs_of_part(dataset, data.split.graph);
  seen.features =
      training_features(dataset, data.split.graph, features, scale, rng.split(kFeatureStream));
  data.batch = whole_batch(seen, model);
  return data;
}

PairScores held_out_pairs(const LinkData& data) {
  const JudgedPairs validation(data.split.validation, data.validation_negatives);
  const JudgedPairs test(data.split.test, data.test_negatives);
  PairScores scores{.pairs = validation.pairs,
                    .positive = validation.positive,
                    .num_validation = validation.pairs.size()};
  for (size_t i = 0; i < test.pairs.size(); i++) scores.pairs.push_back(test.pairs[i]);
  scores.positive.insert(scores.positive.end(), test.positive.begin(), test.positive.end());
  return scores;
}

std::vector<float> pair_scores(const Matrix& out, Decoder decoder, const NodePairs& pairs) {
  Tape<float> tape;
  tape.start_evaluation();
  const PairEnds<float> ends = pair_ends(tape.constant(out), decoder);
  const Var<float> score = pair_dot<float>(ends.left, ends.right, pairs.from, pairs.to);
  return {score.value, score.value + score.rows};
}

Result link_prediction(const Dataset& dataset, const ModelMaker& make_model,
                       const LinkOptions& link, const RunOptions& options,
                       const TrainingCallbacks& callbacks) {
  check(options.seeds > 0, "seeds is 0; use at least 1");
  check_learnable(dataset, link);
  const Stopwatch stopwatch;
  Result result{.metric = {"auroc"}};
  for (int64_t i = 0; i < options.seeds; i++)
    result.runs.push_back({.seed = options.seed + uint64_t(i)});
  std::vector<Matrix> outputs(result.runs.size());
  std::vector<Shape> shapes(result.runs.size());
  const auto place = [&](const Repetition& run) { return size_t(&run - result.runs.data()); };
  const int64_t scaled = scaled_columns(dataset);
  const ColumnScale scale = scale_of(dataset, options.standardise);
  RepeatPlan plan{.training = options.training,
                  .work = dataset.graph.num_arcs() * 2 / 5,
                  .comm = options.comm,
                  .together = is_divided(options.comm, dataset.graph.num_nodes())};
  plan.prepare = [&](Repetition& run) {
    Prepared prepared{with_decoder(make_model(), link.decoder), nullptr};
    LinkData data = link_data(dataset, *prepared.model, link, options.features, run.seed, scale);
    if (plan.together) divide_batch(*options.comm, data.batch);
    const Rng rng(run.seed);
    Rng weights = rng.split(kWeightStream);
    const Shape& shape = shapes[place(run)] = {.in = data.batch.num_features(),
                                               .out = link.dimension,
                                               .level = Level::node,
                                               .relations = int64_t(dataset.relations.size())};
    build_with_scale(*prepared.model, shape, scaled, run.state.weights, weights);
    if (scaled > 0) put_scale(scale, run.state.weights);
    prepared.problem =
        std::make_unique<LinkProblem>(std::move(data), dataset, link, rng.split(kNegativeStream));
    return prepared;
  };
  plan.finish = [&](Repetition& run, Prepared& prepared) {
    const LinkData& data = static_cast<const LinkProblem&>(*prepared.problem).data();
    evaluate(*prepared.model, run.state.weights, data.batch,
             [&](const Output<float>& out) { outputs[place(run)] = copied(out.out); });
    PairScores pairs = held_out_pairs(data);
    run.test_set = test_set_of({data.split.test.from, data.split.test.to, data.test_negatives.from,
                                data.test_negatives.to});
    judge(run, outputs[place(run)], link, pairs);
    LinkOutcome outcome{std::move(pairs), link_report(dataset, link, data, outputs[place(run)],
                                                      Rng(run.seed).split(kReportStream))};
    put_formula(outcome.report.combined, run.fitted);
    run.own = std::move(outcome);
  };
  train_all(result, plan, callbacks);
  result.shape = shapes[result.best];
  result.output = std::move(outputs[result.best]);
  result.seconds_total = stopwatch.seconds();
  return result;
}

const LinkOptions& link_options_of(const Config& config) {
  return dynamic_cast<const LinkPrediction&>(config.task()).link();
}

Calibration calibration_of(const TrainedModel& model) {
  return {model.fitted.at("slope"), model.fitted.at("offset")};
}

LinkData training_data(const TrainedModel& model, const Dataset& dataset) {
  const auto differs = [&](const char* fact, const std::string& now) {
    const auto stored = model.facts.find(fact);
    return stored != model.facts.end() && !stored->second.empty() && stored->second != now;
  };
  if (fingerprint(dataset) != model.facts.at("dataset_sha256") ||
      differs("arc_weight_sha256", fingerprint_of_weights(dataset)) ||
      differs("relations_sha256", fingerprint_of_relations(dataset)))
    fail_data(
        "{}: is not the data that the model was trained on; a link model only applies to the graph "
        "it was trained on",
        dataset.name);
  return link_data(with_trained_arcs(model, dataset), *model.model, link_options_of(*model.config),
                   model.config->run.features, std::stoull(model.facts.at("seed")),
                   scale_in(model.weights));
}

namespace {

// Settings of the data do not apply to it: hints that name some would mislead.
EdgeList read_pair_list(const std::string& path, const Dataset& dataset) {
  try {
    return read_edge_list(path,
                          {.ids = dataset.ids.are_strings() ? IdKind::string : IdKind::automatic});
  } catch (const Error& error) {
    if (error.hint() == Hint::none) throw;
    throw Error(
        error.kind(),
        fmt::format("{}; a list of pairs has two columns of ids as in the data, or a header "
                    "with source and target",
                    error.what()));
  }
}

}  // namespace

NodePairs read_pairs(const std::string& path, const Dataset& dataset,
                     std::vector<std::string>& unknown_ids) {
  const EdgeList list = read_pair_list(path, dataset);
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  std::vector<NodeId> node_of;
  for (NodeId v = 0; v < list.num_nodes; v++) {
    node_of.push_back(nodes.find(list.ids.name(v)));
    if (node_of.back() < 0) unknown_ids.push_back(list.ids.name(v));
  }
  NodePairs pairs;
  for (const Edge& e : list.edges)
    if (node_of[e.from] >= 0 && node_of[e.to] >= 0)
      pairs.push_back({node_of[e.from], node_of[e.to]});
  return pairs;
}

std::unique_ptr<Task> make_link_prediction() { return std::make_unique<LinkPrediction>(); }

}  // namespace mgnn
