#include "mgnn/task/link_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "mgnn/base/parallel.h"
#include "mgnn/models/methods.h"
#include "tests/task/links.h"

namespace mgnn {
namespace {

using testing::link_config, testing::Pair, testing::toykg, testing::trained;

struct Case {
  LinkOptions options;
  LinkData data;
  Matrix out;
};

// Vectors by chance: what is tested does not depend on training.
Case random_case(const Settings& settings) {
  Case c;
  for (const Setting& setting : settings) set_option(link_options(c.options), setting);
  const auto model = with_decoder(make_gcn(), c.options.decoder);
  c.data = link_data(toykg(), *model, c.options, "own", 3);
  c.out = Matrix(toykg().graph.num_nodes(), is_directed(c.options.decoder) ? 8 : 4);
  Rng rng(8);
  for (float& x : c.out.data) x = float(rng.normal());
  return c;
}

const std::vector<Settings> kQuestions = {
    {"relation=treats"}, {}, {"relation=treats", "decoder=source-target"}, {"decoder=bilinear"}};

TEST(PairFeatures, RowsAndPairsAreTheSame) {
  for (const Settings& settings : kQuestions) {
    const Case c = random_case(settings);
    const PairFeatures features = pair_features(toykg(), c.options, c.data, c.out);
    const auto n = size_t(features.num_nodes());
    const NodePairs& pairs = c.data.split.test;
    const Matrix of_pairs = features.of_pairs(pairs);
    ASSERT_EQ(size_t(of_pairs.cols), features.size());
    for (size_t i = 0; i < pairs.size(); i += 7) {
      const NodeId sources[] = {pairs.to[i], pairs.from[i]};
      Array<float> rows(features.size() * 2 * n);
      features.rows(sources, rows.data());
      for (size_t f = 0; f < features.size(); f++)
        ASSERT_FLOAT_EQ(rows[(f * 2 + 1) * n + size_t(pairs.to[i])],
                        of_pairs(int64_t(i), int64_t(f)))
            << features.all()[f].name;
    }
  }
}

// The network's feature is the score that it is trained with.
TEST(PairFeatures, NetworkIsTheDecodersScore) {
  for (const Settings& settings : kQuestions) {
    const Case c = random_case(settings);
    const PairFeatures features = pair_features(toykg(), c.options, c.data, c.out);
    const std::vector<float> score = pair_scores(c.out, c.options.decoder, c.data.split.test);
    const Matrix of_pairs = features.of_pairs(c.data.split.test);
    for (size_t f = 0; f < features.size(); f++)
      for (size_t i = 0; i < score.size() && features.all()[f].name == "network"; i++)
        ASSERT_NEAR(of_pairs(int64_t(i), int64_t(f)), score[i], 1e-5);
  }
}

// What heuristics and motif counts say is of edges of training: held-out edges may be any.
TEST(PairFeatures, HeldOutEdgesChangeNothing) {
  const Case c = random_case({"relation=treats"});
  Dataset without = toykg();
  without.graph = c.data.split.graph;
  const Matrix honest =
      pair_features(toykg(), c.options, c.data, c.out).of_pairs(c.data.split.test);
  const EndMatrices ends = end_matrices(c.out, c.options.decoder);
  const PairFeatures others(without.graph, c.data.split.train, false, HeuristicChoice::automatic,
                            rank_question(toykg(), c.options), &ends);
  EXPECT_TRUE(others.of_pairs(c.data.split.test).data == honest.data);
}

TEST(PairFeatures, RankingIsThatOfAllPairsSorted) {
  for (const Settings& settings : kQuestions) {
    const Case c = random_case(settings);
    const PairFeatures features = pair_features(toykg(), c.options, c.data, c.out);
    const PairFormula formula{0.5, {{"katz", 1.5, 0.01}, {"M5", -0.3, 2}, {"network", 0.2, 0}}};
    const PairScore score(features, formula);
    const RankQuestion question = rank_question(toykg(), c.options);
    const auto best = rank_pairs_by(features, score, question, toykg().graph, 40);
    set_num_threads(4);
    const auto again = rank_pairs_by(features, score, question, toykg().graph, 40);
    set_num_threads(0);
    const AskedPairs asked(question, toykg().graph);
    NodePairs all;
    for (const NodeId u : question.sources)
      for (const NodeId v : question.targets)
        if (asked(u, v)) all.push_back({u, v});
    if (all.size() > 100'000) continue;
    const Matrix x = features.of_pairs(all);
    std::vector<double> expected;
    for (int64_t i = 0; i < x.rows; i++) {
      float one = 0;
      score.write(x.row(i).data(), 1, 1, &one);
      double sum = formula.intercept;
      for (const double term : score.terms(x.row(i))) sum += term;
      ASSERT_NEAR(one, sum, 1e-4);
      expected.push_back(double(one));
    }
    std::sort(expected.begin(), expected.end(), std::greater<>());
    ASSERT_EQ(best.size(), 40u);
    for (size_t i = 0; i < best.size(); i++) {
      ASSERT_NEAR(best[i].score, expected[i], 1e-5);
      ASSERT_EQ(best[i].from, again[i].from);
      ASSERT_EQ(best[i].to, again[i].to);
    }
  }
}

TEST(PairFormula, FindsWhatTellsEdges) {
  const Case c = random_case({"relation=treats"});
  const PairFeatures features = pair_features(toykg(), c.options, c.data, c.out);
  // Edges are where the product of both degrees of chance is large.
  Matrix x(400, int64_t(features.size()));
  std::vector<int32_t> is_edge;
  Rng rng(2);
  for (int64_t i = 0; i < x.rows; i++) {
    for (float& value : x.row(i)) value = float(rng.below(20));
    is_edge.push_back(std::log1p(double(x(i, 0)) / 10) + 0.1 * rng.normal() > 0.7);
  }
  const PairFormula formula = fitted_formula(features, {0, 1, 2}, x, is_edge);
  EXPECT_GT(formula.terms[0].weight, 5);
  EXPECT_LT(std::abs(formula.terms[1].weight), 1);
  EXPECT_NEAR(formula.terms[0].scale, 10, 1);
  Numbers numbers = {{"slope", 1}};
  put_formula(formula, numbers);
  const std::optional<PairFormula> read = formula_in(numbers);
  ASSERT_TRUE(read);
  const PairScore one(features, formula), other(features, *read);
  for (int64_t i = 0; i < 20; i++) {
    float a = 0, b = 0;
    one.write(x.row(i).data(), 1, 1, &a);
    other.write(x.row(i).data(), 1, 1, &b);
    EXPECT_NEAR(a, b, 1e-5);
  }
  EXPECT_FALSE(formula_in({{"slope", 1}}));
}

double value_of(const LinkReport& report, const std::string& method, const std::string& measure) {
  for (const LinkScores& scores : report.methods)
    for (size_t m = 0; m < kNumLinkMeasures; m++)
      if (scores.method == method && kLinkMeasures[m].name == measure) return scores.value[m];
  ADD_FAILURE() << method << " " << measure;
  return 0;
}

// Everything that is measured among all pairs, by sorting them.
TEST(LinkReport, FiguresAreWhatTheirDefinitionsSay) {
  for (const Settings& settings : std::vector<Settings>{
           {"relation=treats", "hits=3"}, {"relation=treats", "hits=3", "decoder=source-target"}}) {
    const Case c = random_case(settings);
    const LinkReport report = link_report(toykg(), c.options, c.data, c.out, Rng(1));
    const RankQuestion question = rank_question(toykg(), c.options);
    const Graph& known = toykg().graph;
    std::map<NodeId, std::vector<NodeId>> test;
    std::set<Pair> is_test;
    for (size_t i = 0; i < c.data.split.test.size(); i++) {
      test[c.data.split.test.from[i]].push_back(c.data.split.test.to[i]);
      is_test.emplace(c.data.split.test.from[i], c.data.split.test.to[i]);
    }
    const auto joined = [&](NodeId u, NodeId v) {
      return known.has_arc(u, v) || (!question.directed && known.has_arc(v, u));
    };
    const auto score = [&](NodeId u, NodeId v) {
      return pair_scores(c.out, c.options.decoder, {{u}, {v}})[0];
    };
    double auroc_sum = 0, hits = 0, mrr = 0;
    for (const auto& [u, targets] : test) {
      double of_u = 0, hits_of_u = 0, mrr_of_u = 0;
      for (const NodeId v : targets) {
        double better = 0, candidates = 0;
        for (const NodeId w : question.targets)
          if (w != u && !joined(u, w)) {
            candidates++;
            better += score(u, w) > score(u, v);
          }
        of_u += 1 - better / candidates;
        hits_of_u += better < 3;
        mrr_of_u += 1 / (1 + better);
      }
      auroc_sum += of_u / double(targets.size());
      hits += hits_of_u / double(targets.size());
      mrr += mrr_of_u / double(targets.size());
    }
    const auto count = double(test.size());
    EXPECT_NEAR(value_of(report, "network", "auroc_by_source"), auroc_sum / count, 2e-3);
    EXPECT_NEAR(value_of(report, "network", "hits_by_source"), hits / count, 1e-9);
    EXPECT_NEAR(value_of(report, "network", "mrr_by_source"), mrr / count, 1e-3);
    std::vector<std::pair<float, int>> ranked;
    for (const NodeId u : question.sources)
      for (const NodeId v : question.targets)
        if (u != v && (!joined(u, v) || is_test.contains({u, v})))
          ranked.emplace_back(-score(u, v), is_test.contains({u, v}));
    std::sort(ranked.begin(), ranked.end());
    double found = 0;
    for (size_t i = 0; i < 1000; i++) found += ranked[i].second;
    EXPECT_NEAR(value_of(report, "network", "precision_at_1000"), found / 1000, 1.1e-3);
    // Against the run's own negatives it is the run's metric.
    std::vector<float> scores = pair_scores(c.out, c.options.decoder, c.data.split.test);
    const auto others = pair_scores(c.out, c.options.decoder, c.data.test_negatives);
    std::vector<uint8_t> positive(scores.size(), 1);
    scores.insert(scores.end(), others.begin(), others.end());
    positive.resize(scores.size(), 0);
    EXPECT_NEAR(value_of(report, "network", "auroc_typed"), auroc(scores, positive), 1e-6);
  }
}

TEST(LinkReport, IsInTheResultAndItsJson) {
  const auto config =
      link_config({"train.epochs=2", "model.name=gcn", "link.relation=treats", "seeds=2"});
  const Result result = trained(*config);
  nlohmann::ordered_json json;
  config->task().add_json(result, json);
  EXPECT_EQ(json["links"]["methods"][0]["method"], "network");
  EXPECT_NEAR(json["links"]["methods"][0]["auroc_typed"]["mean"].get<double>(), result.test().mean,
              1e-6);
  EXPECT_NE(json["links"]["verdict"].get<std::string>().find("best without a network: "),
            std::string::npos);
  EXPECT_GT(result.runs[0].fitted.count("combined.weight.M1"), 0u);
  const auto none = link_config(
      {"train.epochs=2", "model.name=gcn", "link.relation=treats", "link.heuristics=none"});
  const Result alone = trained(*none);
  nlohmann::ordered_json nothing;
  none->task().add_json(alone, nothing);
  EXPECT_FALSE(nothing.contains("links"));
  EXPECT_EQ(alone.runs[0].fitted.size(), 2u);
}

TEST(LinkReport, SameForAnyThreads) {
  const Case c = random_case({"relation=treats"});
  set_num_threads(1);
  const LinkReport one = link_report(toykg(), c.options, c.data, c.out, Rng(1));
  set_num_threads(4);
  const LinkReport four = link_report(toykg(), c.options, c.data, c.out, Rng(1));
  set_num_threads(0);
  ASSERT_EQ(one.methods.size(), four.methods.size());
  for (size_t m = 0; m < one.methods.size(); m++)
    EXPECT_EQ(one.methods[m].value, four.methods[m].value) << one.methods[m].method;
}

}  // namespace
}  // namespace mgnn
