#include "mgnn/task/link_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/significance.h"
#include "mgnn/task/top_pairs.h"

namespace mgnn {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kRegression = "regression";  // on heuristics alone
constexpr double kMostCandidates = 5e7;            // that are all scored for a table
constexpr size_t kTop = 1000;
constexpr size_t kNegativesPerEdge = 20, kMostFitted = 200'000;

// A method of the table, and how it scores.
struct LinkMethod {
  std::string name;
  LinkMethodKind kind;
  PairScore score;
};

// Pairs that are looked at together: every heuristic is prepared for each of their first ends, which takes
// as long for one pair as for many.
struct PairSets {
  NodePairs all;
  std::vector<size_t> first = {0};  // of each part, and the end

  void add(const NodePairs& part) {
    all.from.insert(all.from.end(), part.from.begin(), part.from.end());
    all.to.insert(all.to.end(), part.to.begin(), part.to.end());
    first.push_back(all.size());
  }
};

Matrix rows_of(const Matrix& features, const PairSets& pairs, size_t part) {
  const size_t first = pairs.first[part], count = pairs.first[part + 1] - first;
  Matrix rows(int64_t(count), features.cols);
  std::copy_n(features.data.begin() + int64_t(first) * features.cols, rows.data.size(),
              rows.data.begin());
  return rows;
}

std::vector<float> scores_of(const PairScore& score, const Matrix& features, size_t first,
                             size_t end) {
  std::vector<float> result(end - first);
  for (size_t i = first; i < end; i++)
    score.write(features.row(int64_t(i)).data(), 1, 1, &result[i - first]);
  return result;
}

// ---- regressions

std::vector<size_t> places(const PairFeatures& features,
                           std::initializer_list<PairFeatureGroup> groups) {
  std::vector<size_t> result;
  for (size_t f = 0; f < features.size(); f++)
    if (std::find(groups.begin(), groups.end(), features.all()[f].group) != groups.end())
      result.push_back(f);
  return result;
}

struct FitPairs {
  NodePairs pairs;
  std::vector<int32_t> is_edge;
};

// Validation edges, and negatives that are no edges of training or validation.
FitPairs fit_pairs(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                   const Rng& rng) {
  const NodePairs& edges = data.split.validation;
  const size_t each =
      std::clamp<size_t>(kMostFitted / std::max<size_t>(1, edges.size()), 1, kNegativesPerEdge);
  NodePairs beside;
  for (size_t k = 0; k < each; k++)
    for (size_t i = 0; i < edges.size(); i++) beside.push_back(edges[i]);
  const NodePairs drawn =
      negative_sampler(data.split.graph, dataset, options.negatives, options, edges)
          .draw(beside, rng);
  TakenPairs known;
  const auto key = [](Edge pair) {
    const auto [low, high] = std::minmax(pair.from, pair.to);
    return uint64_t(uint32_t(low)) << 32 | uint32_t(high);
  };
  FitPairs fit{edges, std::vector<int32_t>(edges.size(), 1)};
  for (size_t i = 0; i < edges.size(); i++) known.insert(key(edges[i]));
  for (size_t i = 0; i < drawn.size(); i++)
    if (!known.contains(key(drawn[i]))) {
      fit.pairs.push_back(drawn[i]);
      fit.is_edge.push_back(0);
    }
  return fit;
}

std::vector<LinkMethod> methods_of(const PairFeatures& features, const Matrix& x,
                                   std::span<const int32_t> is_edge, PairFormula& combined) {
  using enum PairFeatureGroup;
  std::vector<LinkMethod> methods;
  for (size_t f = 0; f < features.size(); f++)
    if (features.all()[f].name == "network")
      methods.push_back({"network", LinkMethodKind::network, PairScore(features, f)});
  for (const size_t f : places(features, {heuristic}))
    methods.push_back({features.all()[f].name, LinkMethodKind::heuristic, PairScore(features, f)});
  const auto add = [&](const char* name, std::initializer_list<PairFeatureGroup> groups) {
    const PairFormula formula = fitted_formula(features, places(features, groups), x, is_edge);
    methods.push_back({name, LinkMethodKind::regression, PairScore(features, formula)});
    return formula;
  };
  add(kRegression, {heuristic, degree});
  add("regression-motifs", {heuristic, degree, motif});
  add("combined-no-motifs", {heuristic, degree, PairFeatureGroup::network});
  combined = add("combined", {heuristic, degree, motif, PairFeatureGroup::network});
  return methods;
}

// ---- against negatives of each kind

// One set for each kind; empty where the graph is too dense for them.
std::array<NodePairs, 3> negatives_of_test(const Dataset& dataset, const LinkOptions& options,
                                           const LinkData& data, const Rng& rng) {
  std::array<NodePairs, 3> negatives;
  for (const auto kind : {Negatives::typed, Negatives::uniform, Negatives::degree_matched}) try {
      negatives[size_t(kind)] =
          kind == options.negatives
              ? data.test_negatives
              : negative_sampler(dataset.graph, dataset, kind, options, data.split.test)
                    .draw(data.split.test, rng.split(uint64_t(kind)));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
    }
  return negatives;
}

// Part `edges` of the pairs is the test edges, the next three are negatives of each kind.
void judge_against_negatives(const PairSets& pairs, const Matrix& features, size_t edges,
                             const std::vector<LinkMethod>& methods,
                             std::vector<LinkScores>& scores) {
  for (size_t m = 0; m < methods.size(); m++)
    for (size_t kind = 0; kind < 3; kind++) {
      const auto of_part = [&](size_t part) {
        return scores_of(methods[m].score, features, pairs.first[part], pairs.first[part + 1]);
      };
      std::vector<float> score = of_part(edges);
      const std::vector<float> others = of_part(edges + 1 + kind);
      if (others.empty()) continue;
      std::vector<uint8_t> positive(score.size(), 1);
      score.insert(score.end(), others.begin(), others.end());
      positive.resize(score.size(), 0);
      scores[m].value[kind] = auroc(score, positive);
    }
}

// ---- among all pairs

enum Measure : size_t { kBySource = 3, kHits, kMrr, kPrecision100, kPrecision1000 };

// What one source says: means over its test edges.
struct SourceFigures {
  double auroc = 0, hits = 0, mrr = 0;
};

SourceFigures figures_of(std::span<const float> score, std::span<const NodeId> candidates,
                         std::span<const NodeId> edges, int64_t k) {
  SourceFigures sum;
  for (const NodeId v : edges) {
    const float own = score[size_t(v)];
    int64_t above = 0, equal = 0;
    for (const NodeId w : candidates) {
      above += score[size_t(w)] > own;
      equal += score[size_t(w)] == own;
    }
    const double better = double(above) + double(equal) / 2;
    sum.auroc += 1 - better / double(candidates.size());
    sum.hits += better < double(k);
    sum.mrr += 1 / (1 + better);
  }
  const auto count = double(edges.size());
  return {sum.auroc / count, sum.hits / count, sum.mrr / count};
}

// The test edges of every node, and which pairs are no longer asked about.
class Candidates {
 public:
  Candidates(const Dataset& dataset, const RankQuestion& question, const NodePairs& test)
      : graph_(dataset.graph), question_(question), asked_(question, no_arcs_) {
    const NodeId n = graph_.num_nodes();
    Array<Edge> edges;
    for (size_t i = 0; i < test.size(); i++) edges.push_back(test[i]);
    const bool both = !question.directed && question.sources == question.targets;
    test_ = build_graph(n, std::move(edges), {.symmetrise = both}).graph;
  }

  // state[v]: 0 may be asked about, 1 an edge of training or validation, 2 a test edge.
  void mark(NodeId u, std::vector<uint8_t>& state) const {
    std::fill(state.begin(), state.end(), uint8_t(0));
    state[size_t(u)] = 1;
    for (const NodeId v : graph_.out.row(u)) state[size_t(v)] = 1;
    if (!question_.directed)
      for (const NodeId v : graph_.in.row(u)) state[size_t(v)] = 1;
    for (const NodeId v : test_.out.row(u)) state[size_t(v)] = 2;
  }
  std::span<const NodeId> test_edges(NodeId u) const { return test_.out.row(u); }
  bool first_time(NodeId u, NodeId v) const { return asked_(u, v); }
  bool is_test(const RankedPair& pair) const { return test_.has_arc(pair.from, pair.to); }

 private:
  const Graph& graph_;
  const RankQuestion& question_;
  Graph test_;
  Graph no_arcs_ = make_graph(graph_.num_nodes(), {});
  AskedPairs asked_;
};

// Of one source, with each method.
struct SourceJudge {
  const Candidates& candidates;
  const RankQuestion& question;
  int64_t hits;
  std::vector<uint8_t> state;
  std::vector<NodeId> unknown = {};

  void judge(NodeId u, std::span<const float> score, TopPairs& top, SourceFigures* figures) {
    for (const NodeId v : question.targets)
      if (state[size_t(v)] != 1 && score[size_t(v)] >= top.threshold() &&
          candidates.first_time(u, v))
        top.offer({u, v, score[size_t(v)]});
    if (figures) *figures = figures_of(score, unknown, candidates.test_edges(u), hits);
  }
  void start(NodeId u) {
    candidates.mark(u, state);
    unknown.clear();
    for (const NodeId v : question.targets)
      if (state[size_t(v)] == 0) unknown.push_back(v);
  }
};

double precision(const std::vector<RankedPair>& best, const Candidates& candidates, size_t k) {
  if (best.size() < k) return kNotMeasured;
  return double(std::count_if(best.begin(), best.begin() + std::ptrdiff_t(k),
                              [&](const RankedPair& p) { return candidates.is_test(p); })) /
         double(k);
}

void judge_among_all(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                     const PairFeatures& features, const std::vector<LinkMethod>& methods,
                     std::vector<LinkScores>& scores) {
  const RankQuestion question = rank_question(dataset, options);
  const Candidates candidates(dataset, question, data.split.test);
  const auto n = size_t(features.num_nodes());
  const size_t step = features.sources_at_once(), count = methods.size();
  const auto blocks = int64_t((question.sources.size() + step - 1) / step);
  std::vector<std::vector<RankedPair>> best(count);
  std::vector<SourceFigures> figures(question.sources.size() * count);
  std::vector<uint8_t> judged(question.sources.size(), 0);
  ParallelError error;
#pragma omp parallel if (worth_threads(int64_t(question.sources.size() * n)))
  {
    std::vector<TopPairs> top;
    Array<float> values, score;
    SourceJudge judge{candidates, question, options.hits, {}};
    error.run([&] {
      top.assign(count, TopPairs(kTop));
      values.resize(features.size() * step * n);
      score.resize(n);
      judge.state.resize(n);
    });
#pragma omp for schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
      error.run([&] {
        check_interrupted();
        const size_t first = size_t(b) * step;
        const size_t here = std::min(step, question.sources.size() - first);
        const std::span<const NodeId> sources = std::span(question.sources).subspan(first, here);
        features.rows(sources, values.data());
        for (size_t i = 0; i < here; i++) {
          judge.start(sources[i]);
          const bool has_edges =
              !candidates.test_edges(sources[i]).empty() && !judge.unknown.empty();
          judged[first + i] = has_edges;
          for (size_t m = 0; m < count; m++) {
            methods[m].score.write(values.data() + i * n, here * n, n, score.data());
            judge.judge(sources[i], score, top[m],
                        has_edges ? &figures[(first + i) * count + m] : nullptr);
          }
        }
      });
#pragma omp critical
    error.run([&] {
      for (size_t m = 0; m < top.size(); m++) top[m].move_to(best[m]);
    });
  }
  error.rethrow();
  const auto num_judged = double(std::count(judged.begin(), judged.end(), uint8_t(1)));
  for (size_t m = 0; m < count; m++) {
    std::sort(best[m].begin(), best[m].end(), BetterPair());
    auto& value = scores[m].value;
    for (const size_t part : {kBySource, kHits, kMrr})
      value[part] = num_judged > 0 ? 0 : kNotMeasured;
    for (size_t s = 0; s < judged.size(); s++)
      if (judged[s]) {
        value[kBySource] += figures[s * count + m].auroc / num_judged;
        value[kHits] += figures[s * count + m].hits / num_judged;
        value[kMrr] += figures[s * count + m].mrr / num_judged;
      }
    value[kPrecision100] = precision(best[m], candidates, 100);
    value[kPrecision1000] = precision(best[m], candidates, 1000);
  }
}

// ---- of all repetitions

std::vector<double> values_of(const std::vector<const LinkReport*>& runs, size_t method,
                              size_t measure) {
  std::vector<double> values;
  for (const LinkReport* run : runs) values.push_back(run->methods[method].value[measure]);
  return values;
}

MeanStd mean_of(const std::vector<const LinkReport*>& runs, size_t method, size_t measure) {
  return mean_std(values_of(runs, method, measure));
}

std::optional<size_t> place_of(const LinkReport& report, std::string_view method) {
  for (size_t m = 0; m < report.methods.size(); m++)
    if (report.methods[m].method == method) return m;
  return std::nullopt;
}

}  // namespace

PairFeatures pair_features(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                           const Matrix& out) {
  const EndMatrices ends = end_matrices(out, options.decoder);
  return PairFeatures(data.split.graph, data.split.train, is_directed(options.decoder),
                      options.heuristics, rank_question(dataset, options), &ends);
}

LinkReport link_report(const Dataset& dataset, const LinkOptions& options, const LinkData& data,
                       const Matrix& out, const Rng& rng) {
  LinkReport report;
  if (options.heuristics == HeuristicChoice::none) return report;
  const PairFeatures features = pair_features(dataset, options, data, out);
  report.left_out = features.left_out();
  const FitPairs fit = fit_pairs(dataset, options, data, rng.split(3));
  PairSets pairs;
  for (const NodePairs* part : {&fit.pairs, &data.split.test}) pairs.add(*part);
  for (const NodePairs& part : negatives_of_test(dataset, options, data, rng)) pairs.add(part);
  const Matrix x = features.of_pairs(pairs.all);
  const std::vector<LinkMethod> methods =
      methods_of(features, rows_of(x, pairs, 0), fit.is_edge, report.combined);
  for (const LinkMethod& method : methods) {
    report.methods.push_back({method.name, method.kind, {}});
    report.methods.back().value.fill(kNotMeasured);
  }
  judge_against_negatives(pairs, x, 1, methods, report.methods);
  const RankQuestion question = rank_question(dataset, options);
  if (double(question.sources.size()) * double(question.targets.size()) <= kMostCandidates)
    judge_among_all(dataset, options, data, features, methods, report.methods);
  return report;
}

void put_formula(const PairFormula& formula, Numbers& numbers) {
  if (formula.terms.empty()) return;
  numbers["combined.intercept"] = formula.intercept;
  numbers["combined.negatives_per_edge"] = formula.negatives_per_edge;
  for (const PairFormula::Term& term : formula.terms) {
    numbers["combined.weight." + term.feature] = term.weight;
    numbers["combined.scale." + term.feature] = term.scale;
  }
}

std::optional<PairFormula> formula_in(const Numbers& numbers) {
  const auto intercept = numbers.find("combined.intercept");
  if (intercept == numbers.end()) return std::nullopt;
  PairFormula formula{intercept->second, {}};
  if (const auto ratio = numbers.find("combined.negatives_per_edge"); ratio != numbers.end())
    formula.negatives_per_edge = ratio->second;
  const std::string_view weight = "combined.weight.";
  for (const auto& [name, number] : numbers) {
    if (!name.starts_with(weight)) continue;
    const std::string feature = name.substr(weight.size());
    const auto scale = numbers.find("combined.scale." + feature);
    if (scale == numbers.end()) fail_data("the model file has no scale of the feature {}", feature);
    formula.terms.push_back({feature, number, scale->second});
  }
  return formula;
}

size_t primary_measure(const LinkOptions& options) { return size_t(options.negatives); }

TextTable link_table(const std::vector<const LinkReport*>& runs, const LinkOptions& options) {
  TextTable table{.columns = {{"method"}}, .rows = {}};
  const size_t primary = primary_measure(options);
  for (size_t m = 0; m < kNumLinkMeasures; m++) {
    const LinkMeasure& measure = kLinkMeasures[m];
    const std::string title =
        m == size_t(kHits) ? fmt::format("Hits@{}", options.hits) : std::string(measure.title);
    table.columns.push_back({title, Align::decimal, m < 4 ? 4 : 3, measure.name});
    if (m == primary && runs.size() > 1)
      table.columns.push_back({"±", Align::decimal, 4, std::string(measure.name) + "_std"});
  }
  for (size_t i = 0; i < runs[0]->methods.size(); i++) {
    std::vector<Cell> row{runs[0]->methods[i].method};
    for (size_t m = 0; m < kNumLinkMeasures; m++) {
      const MeanStd score = mean_of(runs, i, m);
      row.push_back(std::isnan(score.mean) ? Cell() : Cell(score.mean));
      if (m == primary && runs.size() > 1)
        row.push_back(std::isnan(score.std) ? Cell() : Cell(score.std));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string link_verdict(const std::vector<const LinkReport*>& runs, const LinkOptions& options) {
  const size_t primary = primary_measure(options);
  std::optional<size_t> best;
  const LinkReport& first = *runs[0];
  for (size_t m = 0; m < first.methods.size(); m++)
    if ((first.methods[m].kind == LinkMethodKind::heuristic ||
         first.methods[m].method == kRegression) &&
        (!best || mean_of(runs, m, primary).mean > mean_of(runs, *best, primary).mean))
      best = m;
  if (!best) return "";
  std::string text = fmt::format("best without a network: {}", first.methods[*best].method);
  for (const char* name : {"network", "combined"}) {
    const std::optional<size_t> method = place_of(first, name);
    if (!method) continue;
    const std::vector<double> own = values_of(runs, *method, primary),
                              other = values_of(runs, *best, primary);
    std::vector<double> difference;
    for (size_t i = 0; i < own.size(); i++) difference.push_back(own[i] - other[i]);
    const MeanStd by = mean_std(difference);
    const std::optional<double> p = paired_p_value(own, other);
    text += fmt::format("; {} is {} it by {:.4f} ({})", name, by.mean > 0 ? "above" : "below",
                        std::abs(by.mean),
                        p ? fmt::format("± {:.4f} over {} seeds, p {:.2g}", by.std, own.size(), *p)
                          : std::string("one seed: no p-value"));
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<const LinkReport*>& runs,
                               const LinkOptions& options) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double x) { return std::isnan(x) ? Json(nullptr) : Json(x); };
  Json json = {{"metric", kLinkMeasures[primary_measure(options)].name},
               {"verdict", link_verdict(runs, options)},
               {"left_out", runs[0]->left_out}};
  for (size_t i = 0; i < runs[0]->methods.size(); i++) {
    constexpr const char* kKinds[] = {"network", "heuristic", "regression"};
    Json method = {{"method", runs[0]->methods[i].method},
                   {"kind", kKinds[size_t(runs[0]->methods[i].kind)]}};
    for (size_t m = 0; m < kNumLinkMeasures; m++) {
      const MeanStd score = mean_of(runs, i, m);
      Json& entry = method[kLinkMeasures[m].name] = {{"mean", number(score.mean)},
                                                     {"std", number(score.std)}};
      for (const double value : values_of(runs, i, m)) entry["runs"].push_back(number(value));
    }
    json["methods"].push_back(std::move(method));
  }
  return json;
}

}  // namespace mgnn
