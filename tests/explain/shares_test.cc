// Shares and biases are taken from gradients and weights alone; that they add up to the score is not built in.

#include <gtest/gtest.h>

#include "mgnn/data/embedded.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/rank_pairs.h"
#include "tests/explain/trained.h"

namespace mgnn {
namespace {

using testing::expect_sum, testing::trained, testing::Trained, testing::trained_on;

const std::vector<std::vector<std::string>> kOptions = {
    {},
    {"model.combine=sum"},
    {"model.combine=mean"},
    {"model.combine=max"},
    {"model.fused=false"},
    {"model.delta=false"},
    {"model.delta=false", "model.combine=max"},
    {"model.base=sage"},
    {"model.base=gin"},
    {"model.base=gat"},
    {"model.base=none"},
    {"model.attention=true"},
    {"model.aggregate=mean"},
    {"model.aggregate=max"},
    {"model.rectify=false", "model.gate=tanh"},
    {"model.layers=8,4"},
    {"model.layers=8,4", "model.combine=sum", "model.fused=false"},
    {"model.normalisation=none"},
    {"model.normalisation=centred"},
    {"model.counting=induced", "model.entry=pair"},
    {"model.entry=arc"},
    {"model.counting=published"},
    {"model.motifs=1,5,9"},
    {"data.undirected=true"},
    {"train.direction=in"},
    {"model.bias=false", "model.root=false"},
};

std::string text_of(const std::vector<std::string>& settings) {
  return fmt::format("{}", fmt::join(settings, " "));
}

Settings with(const std::vector<std::string>& settings, const std::string& data) {
  Settings all = {"data.source=" + data, "model.layers=8"};
  for (const std::string& setting : settings) all.push_back(setting);
  return all;
}

TEST(Shares, AddUpToTheLogitOfEveryNodeAndClass) {
  for (const auto& settings : kOptions) {
    const Trained t = trained(with(settings, "roles"));
    const Explainer explainer(t.model, t.data);
    for (const char* node : {"0", "17", "1044"})
      for (const std::string& name : t.model.class_names) {
        const Explanation e = explainer.motif_shares({Subject::node, node, "", name});
        EXPECT_EQ(e.kind, ShareKind::exact) << text_of(settings);
        EXPECT_FALSE(e.motifs.empty());
        EXPECT_EQ(e.explained, name);
        expect_sum(e, text_of(settings));
      }
  }
}

TEST(Shares, AddUpToTheScoreOfPairs) {
  for (const auto& decoder : {"inner", "bilinear", "source-target"})
    for (const auto& more : {"model.combine=concat", "model.combine=mean", "model.base=rgcn"}) {
      const Trained t = trained({"data.source=toykg", "task=link", "model.layers=8",
                                 std::string("link.decoder=") + decoder, more});
      const Explainer explainer(t.model, t.data);
      for (const auto& [u, v] :
           {std::pair("compound:0003", "disease:0007"), std::pair("gene:0011", "gene:0200")}) {
        const Explanation e = explainer.motif_shares({Subject::pair, u, v});
        EXPECT_EQ(e.kind, ShareKind::exact);
        expect_sum(e, std::string(decoder) + " " + more);
      }
    }
}

// By another way: those of `rank`, which are products of stored vectors and weights.
TEST(Shares, OfPairsAreThoseOfRankings) {
  Trained t = trained({"data.source=toykg", "task=link", "model.layers=8"});
  const Ranking ranking = rank_links(t.model, t.data, {.top = 5});
  const Explainer explainer(t.model, t.data);
  for (size_t i = 0; i < ranking.pairs.size(); i++) {
    const auto& pair = ranking.pairs[i];
    const Explanation e = explainer.motif_shares(
        {Subject::pair, t.data.ids.name(pair.from), t.data.ids.name(pair.to)});
    EXPECT_NEAR(e.score, double(pair.score), 1e-4);
    for (const MotifShare& share : e.motifs)
      for (size_t k = 0; k < share.motifs.size(); k++)
        EXPECT_NEAR(share.part[k], double(ranking.motifs.value(int64_t(i), share.motifs[k] - 1)),
                    1e-4);
    EXPECT_NEAR(e.bias, double(ranking.motifs.value(int64_t(i), 13)), 1e-4);
  }
}

TEST(Shares, AddUpToTheLogitOfGraphs) {
  for (const auto& settings :
       std::vector<std::vector<std::string>>{{},
                                             {"model.readout=mean"},
                                             {"model.readout=max"},
                                             {"model.combine=sum"},
                                             {"model.combine=max", "model.fused=false"},
                                             {"model.delta=false"},
                                             {"model.layers=8,4"},
                                             {"data.undirected=true"}}) {
    const Trained t = trained(with(settings, "triads"));
    const Explainer explainer(t.model, t.data);
    for (const char* graph : {"0", "5", "123"}) {
      const Explanation e = explainer.motif_shares({Subject::graph, graph});
      EXPECT_EQ(e.kind, ShareKind::piecewise) << text_of(settings);
      expect_sum(e, text_of(settings));
    }
  }
}

// The same data with other answers: a number, or a set of labels, for each item.
Dataset with_other_answers(const std::string& name, bool numbers) {
  Dataset data = embedded_dataset(name, 3);
  const size_t items = data.label.size();
  data.label.clear();
  data.splits.clear();
  Rng rng(5);
  for (size_t i = 0; i < items; i++) {
    if (numbers) {
      data.target.push_back(1000 + 50 * rng.normal());
    } else {
      data.label_set.push_back({int32_t(rng.below(2))});
      data.label_set.back().push_back(2);
    }
  }
  data.class_names = numbers ? std::vector<std::string>() : std::vector<std::string>{"a", "b", "c"};
  return data;
}

TEST(Shares, AddUpForEveryTask) {
  for (const std::string task :
       {"node-regression", "node-multilabel", "graph-regression", "graph-multilabel"}) {
    const bool graphs = task.starts_with("graph"), numbers = task.ends_with("regression");
    const Trained t = trained_on(with_other_answers(graphs ? "triads" : "roles", numbers),
                                 {"task=" + task, "model.layers=8"});
    const Explainer explainer(t.model, t.data);
    for (const int64_t item : {0, 7, 150}) {
      const Explanation e = explainer.motif_shares(
          {graphs ? Subject::graph : Subject::node, explainer.item_name(item)});
      EXPECT_EQ(e.kind, graphs ? ShareKind::piecewise : ShareKind::exact) << task;
      EXPECT_EQ(e.explained == "value", numbers) << task;
      expect_sum(e, task);
    }
  }
}

// Attention is neither linear nor nearly so: what is left is said.
TEST(Shares, OfAReadoutByAttentionAreOfFirstOrder) {
  const Trained t = trained(with({"model.readout=attention"}, "triads"));
  const Explanation e = Explainer(t.model, t.data).motif_shares({Subject::graph, "3"});
  EXPECT_EQ(e.kind, ShareKind::first_order);
  EXPECT_NEAR(testing::sum_of_shares(e) + e.rest, e.score, 1e-9);
}

TEST(Shares, OfMotifsWithEqualMatricesAreOneRow) {
  const Trained t = trained(with({"data.undirected=true"}, "roles"));
  const Explanation e = Explainer(t.model, t.data).motif_shares({Subject::node, "0"});
  ASSERT_EQ(e.motifs.size(), 2u);
  EXPECT_EQ(e.motifs[0].motifs, (std::vector{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(e.motifs[1].motifs, (std::vector{8, 9, 10, 11, 12, 13}));
}

TEST(Shares, AreNotClaimedForNetworksWithoutMotifs) {
  for (const char* network : {"gcn", "sage", "gin", "gat", "mixhop"}) {
    const Trained t = trained({"data.source=roles", std::string("model.name=") + network});
    const Explanation e = Explainer(t.model, t.data).explain({Subject::node, "4"});
    EXPECT_EQ(e.kind, ShareKind::none) << network;
    EXPECT_TRUE(e.motifs.empty());
    EXPECT_FALSE(e.features.empty()) << network;
    const bool has_matrices = network != std::string("gat") && network != std::string("sage");
    EXPECT_EQ(!e.neighbours.empty(), has_matrices) << network;
    EXPECT_EQ(e.remarks.empty(), has_matrices) << network;
  }
}

// One backward pass for all items says what one for each does. Rows may be others: a graph of a set may have
// no instance of a motif that others have.
TEST(Shares, OfASummaryAreMeansOfThoseOfItems) {
  const Trained t = trained({"data.source=triads", "model.layers=8"});
  const Explainer explainer(t.model, t.data);
  const Summary summary = explainer.summary();
  const size_t groups = summary.groups.size();
  std::vector<double> own(summary.classes.size());
  for (int64_t i = 0; i < explainer.num_items(); i++) {
    const Explanation e = explainer.motif_shares({Subject::graph, explainer.item_name(i)});
    for (size_t c = 0; c < own.size(); c++)
      if (summary.classes[c] == e.answer)
        for (const MotifShare& share : e.motifs) own[c] += share.share;
  }
  int64_t items = 0;
  for (size_t c = 0; c < own.size(); c++) {
    double total = 0;
    for (size_t g = 0; g < groups; g++)
      total += double(summary.items[c]) * summary.share[c * groups + g];
    EXPECT_NEAR(total, own[c], 1e-3 * std::max(1., std::abs(own[c])));
    items += summary.items[c];
  }
  EXPECT_EQ(items, explainer.num_items());
}

}  // namespace
}  // namespace mgnn
