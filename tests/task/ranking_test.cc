#include <gtest/gtest.h>

#include <numeric>

#include "mgnn/base/parallel.h"
#include "mgnn/data/load.h"
#include "mgnn/task/config.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/task/rank_warnings.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;

Matrix random_rows(NodeId n, int64_t d, uint64_t seed, bool whole) {
  Matrix m(n, d);
  Rng rng(seed);
  for (float& x : m.data) x = whole ? float(rng.below(3)) : float(rng.normal());
  return m;
}

// All pairs, sorted.
std::vector<RankedPair> by_sorting(const Matrix& left, const Matrix& right, const RankQuestion& q,
                                   const Graph& known, int64_t top) {
  const auto has = [](const std::vector<NodeId>& all, NodeId v) {
    return std::find(all.begin(), all.end(), v) != all.end();
  };
  std::vector<RankedPair> found;
  for (const NodeId u : q.sources)
    for (const NodeId v : q.targets) {
      if (u == v || known.has_arc(u, v) || (!q.directed && known.has_arc(v, u))) continue;
      if (!q.directed && u > v && has(q.sources, v) && has(q.targets, u)) continue;
      double sum = 0;
      for (int64_t c = 0; c < left.cols; c++) sum += double(left(u, c)) * double(right(v, c));
      found.push_back({u, v, float(sum)});
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const RankedPair& a, const RankedPair& b) { return a.score > b.score; });
  if (int64_t(found.size()) > top) found.resize(size_t(top));
  return found;
}

std::vector<NodeId> some(NodeId n, double share, Rng& rng) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < n; v++)
    if (rng.chance(share)) nodes.push_back(v);
  return nodes;
}

TEST(Ranking, IsThatOfAllPairsSorted) {
  for (uint64_t seed = 0; seed < 24; seed++) {
    Rng rng(seed);
    const auto n = NodeId(2 + rng.below(seed % 3 == 0 ? 600 : 40));
    const Graph known = random_graph(n, 0.1, seed);
    const bool whole = seed % 2;  // whole numbers: exact sums, many ties
    const Matrix left = random_rows(n, 1 + int64_t(rng.below(20)), seed, whole);
    const Matrix right = seed % 4 < 2 ? left : random_rows(n, left.cols, seed + 1, whole);
    RankQuestion question{some(n, 0.7, rng), some(n, 0.7, rng), seed % 4 >= 2};
    for (const int64_t top : {1, 7, 1000}) {
      const auto expected = by_sorting(left, right, question, known, top);
      set_num_threads(int(1 + seed % 4));
      const auto found = rank_pairs(left, right, question, known, top);
      set_num_threads(0);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); i++) {
        ASSERT_NEAR(found[i].score, expected[i].score, 1e-4);
        if (whole) {
          ASSERT_EQ(found[i].from, expected[i].from);
          ASSERT_EQ(found[i].to, expected[i].to);
        }
      }
    }
  }
}

TEST(Ranking, OfNothingIsEmpty) {
  const Matrix z(4, 2);
  const Graph complete = random_graph(4, 1, 1);
  EXPECT_TRUE(rank_pairs(z, z, {{}, {0, 1}, false}, make_graph(4, {}), 5).empty());
  EXPECT_TRUE(rank_pairs(z, z, {{0, 1, 2, 3}, {0, 1, 2, 3}, false}, complete, 5).empty());
}

struct Trained {
  Dataset data;
  TrainedModel model;
};
Trained trained(const std::string& network, const std::string& decoder) {
  const TempDir dir;
  ConfigLayers layers;
  layers.flags = {
      "task=link",      "data.source=toykg",       "link.relation=treats", "train.epochs=5",
      "model.layers=4", "link.decoder=" + decoder, "model.name=" + network};
  const auto config = resolve_config(layers);
  Dataset data = load_for_training(*config);
  write_model(dir / "m", *config, data, run_task(*config, data), true);
  return {std::move(data), read_model(dir / "m")};
}

TEST(Ranking, ContributionsAddUpToScores) {
  for (const char* decoder : {"inner", "bilinear", "source-target"}) {
    Trained t = trained("mgnn", decoder);
    const LinkData data = training_data(t.model, t.data);
    Matrix out, representation;
    evaluate(*t.model.model, t.model.weights, data.batch, [&](const Output<float>& o) {
      out = copied(o.out);
      representation = copied(o.representation);
    });
    const EndMatrices ends = end_matrices(out, link_options_of(*t.model.config).decoder);
    const auto pairs =
        rank_pairs(ends.left, ends.right, rank_question(t.data, link_options_of(*t.model.config)),
                   t.data.graph, 50);
    const Contributions found = motif_contributions(t.model, representation, out, pairs);
    ASSERT_EQ(found.names.size(), 14u);
    EXPECT_EQ(found.names.front(), "M1");
    EXPECT_EQ(found.names.back(), "bias");
    for (size_t i = 0; i < pairs.size(); i++) {
      double sum = 0;
      for (const float part : found.value.row(int64_t(i))) sum += double(part);
      EXPECT_NEAR(sum, pairs[i].score, 1e-3 * std::max(1.f, std::abs(pairs[i].score))) << decoder;
    }
  }
}

TEST(Ranking, OtherNetworksHaveNoMotifs) {
  const Trained t = trained("gcn", "inner");
  const Matrix any(t.data.graph.num_nodes(), 4);
  EXPECT_TRUE(motif_contributions(t.model, any, any, {}).names.empty());
}

TEST(Ranking, QuestionsNameNodesOfBothTypes) {
  const Dataset data = load_dataset("toykg");
  const LinkOptions options{.between = "disease,gene"};
  const RankQuestion all = rank_question(data, options);
  EXPECT_EQ(data.ids.name(all.sources[0]).substr(0, 7), "disease");
  EXPECT_EQ(data.ids.name(all.targets[0]).substr(0, 4), "gene");
  EXPECT_EQ(rank_question(data, options, all.targets[2]).targets,
            std::vector<NodeId>{all.targets[2]});
  EXPECT_EQ(rank_question(data, options, all.sources[2]).sources,
            std::vector<NodeId>{all.sources[2]});
  EXPECT_EQ(error_of([&] { rank_question(data, options, 0); }),
            "compound:0000: is of type compound, not of those asked about");
}

TEST(Ranking, ListsSupportPairsAndUnknownIdsAreTold) {
  const TempDir dir;
  const Dataset data = load_dataset("toykg");
  const std::string c = data.ids.name(0), d = data.ids.name(1), e = data.ids.name(2);
  const std::string path =
      dir.file("known.tsv", d + "\t" + c + "\nnobody\t" + c + "\n" + d + "\tnoone\n");
  const std::vector<RankedPair> pairs = {{0, 1, 2.f}, {0, 2, 1.f}};
  const Support either = support_of(path, data, pairs, false);
  EXPECT_EQ(either.supported, (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(either.precision_at(1), 1);
  EXPECT_EQ(either.precision_at(2), 0.5);
  EXPECT_EQ(either.precision_at(100), 0.5);
  EXPECT_EQ(either.listed, 1);
  EXPECT_EQ(either.unknown_ids, (std::vector<std::string>{"nobody", "noone"}));
  EXPECT_EQ(support_of(path, data, pairs, true).precision_at(2), 0);
}

// AUROC of all orders of a few items, each as likely as the others.
TEST(RankWarnings, ChanceDeviatesAsAllOrdersDo) {
  for (const auto& [p, n] : {std::pair{1, 1}, {2, 2}, {3, 2}, {4, 4}}) {
    std::vector<uint8_t> positive(size_t(p + n), 0);
    std::fill(positive.end() - p, positive.end(), 1);  // the first permutation
    std::vector<float> score(positive.size());
    std::iota(score.begin(), score.end(), 0.f);
    double squares = 0, orders = 0;
    do {
      squares += std::pow(auroc(score, positive) - 0.5, 2);
      orders++;
    } while (std::next_permutation(positive.begin(), positive.end()));
    EXPECT_NEAR(auroc_deviation_by_chance(p, n), std::sqrt(squares / orders), 1e-12);
  }
  EXPECT_EQ(auroc_deviation_by_chance(0, 5), 0.5);
}

TEST(RankWarnings, SayWhatIsDoubtful) {
  const Dataset data = load_dataset("toykg");
  const LinkOptions treats{.relation = "treats"}, genes{.between = "compound,gene"},
      reversed{.between = "disease,compound"}, binds{.relation = "binds"}, all{};
  const NodePairs pairs = asked_pairs(data, treats), every = asked_pairs(data, all);
  const auto warnings = [&](const LinkOptions& trained, const LinkOptions& asked,
                            const NodePairs& training, double auroc, int64_t count, double slope) {
    return rank_warnings({.dataset = data,
                          .trained = trained,
                          .asked = asked,
                          .training_pairs = training,
                          .validation_auroc = auroc,
                          .positives = count,
                          .negatives = count,
                          .calibration = {.slope = slope}});
  };
  EXPECT_TRUE(warnings(treats, treats, pairs, 0.9, 100, 1).empty());
  EXPECT_TRUE(warnings(treats, reversed, pairs, 0.9, 100, 1).empty());  // the same pairs
  EXPECT_TRUE(warnings(all, genes, every, 0.9, 100, 1).empty());
  // 0.55 is above chance for 2,000 edges, not for 100.
  EXPECT_TRUE(warnings(treats, treats, pairs, 0.55, 2000, 1).empty());
  const auto chance = warnings(treats, treats, pairs, 0.55, 100, 1);
  ASSERT_EQ(chance.size(), 1u);
  EXPECT_EQ(chance[0],
            "the AUROC of the 100 validation edges is 0.550, where chance alone gives 0.5 ± 0.041: "
            "nothing shows that the network ranks better than chance");
  EXPECT_EQ(warnings(treats, treats, pairs, 0.1, 100, 1).size(), 1u);
  const auto types = warnings(treats, genes, pairs, 0.9, 100, 1);
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(types[0],
            "no edge between \"compound\" and \"gene\" was trained on: the network has not learned "
            "what joins these types");
  EXPECT_EQ(warnings(treats, binds, pairs, 0.9, 100, 1).size(), 2u);  // types and relation
  const auto relation = warnings(treats, binds, every, 0.9, 100, 1);
  ASSERT_EQ(relation.size(), 1u);
  EXPECT_NE(relation[0].find("trained on the relation \"treats\""), std::string::npos);
  const auto slope = warnings(treats, treats, pairs, 0.9, 100, -0.25);
  ASSERT_EQ(slope.size(), 1u);
  EXPECT_NE(slope[0].find("the slope of the calibration is -0.25"), std::string::npos);
  EXPECT_EQ(warnings(treats, treats, pairs, 0.9, 100, 0).size(), 1u);
}

}  // namespace
}  // namespace mgnn
