#include "mgnn/explain/explainer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "mgnn/explain/picture.h"
#include "mgnn/task/metrics.h"
#include "tests/explain/trained.h"

namespace mgnn {
namespace {

using testing::trained, testing::Trained;

const Trained& roles() {
  static const Trained t = trained({"data.source=roles", "train.epochs=150"});
  return t;
}
const Trained& triads() {
  static const Trained t = trained({"data.source=triads", "train.epochs=60"});
  return t;
}

// Joined pairs that are part of a triangle: in both data, only planted arcs are.
bool is_planted(const Graph& graph, NodeId u, NodeId v) {
  const auto joined = [&](NodeId a, NodeId b) {
    return graph.has_arc(a, b) || graph.has_arc(b, a);
  };
  for (const Csr* rows : {&graph.out, &graph.in})
    for (const NodeId w : rows->row(u))
      if (w != v && joined(w, v)) return true;
  return false;
}

// AUROC of arc scores among the arcs that have one: planted triangles of the item against all others.
double auroc_of(const Explainer& explainer, const Question& question, SpreadOver over,
                NodeId of_node) {
  const Graph& graph = explainer.dataset().graph;
  std::vector<float> score;
  std::vector<uint8_t> planted;
  const auto joined = [&](NodeId a, NodeId b) {
    return a == b || graph.has_arc(a, b) || graph.has_arc(b, a);
  };
  for (const ArcShare& arc : explainer.arc_scores(question, over).arcs) {
    score.push_back(float(arc.share));
    planted.push_back(is_planted(graph, arc.from, arc.to) &&
                      (of_node < 0 || (joined(of_node, arc.from) && joined(of_node, arc.to))));
  }
  return auroc(score, planted);
}

struct Aurocs {
  double instances = 0, entries = 0, messages = 0;
  int count = 0;
};

// Means over the items that are classified right and have triangles, of those asked about.
Aurocs mean_aurocs(const Trained& trained, int items) {
  const Explainer explainer(trained.model, trained.data);
  Aurocs sum;
  for (NodeId i = 0; i < items; i++) {
    const int32_t label = trained.data.label[size_t(i)];
    if (label == 0 || best_class(explainer.outputs().row(i)) != label) continue;
    const Question question{explainer.subject(), explainer.item_name(i)};
    const NodeId node = explainer.subject() == Subject::node ? i : -1;
    sum.instances += auroc_of(explainer, question, SpreadOver::instances, node);
    sum.entries += auroc_of(explainer, question, SpreadOver::entries, node);
    sum.messages += auroc_of(explainer, question, SpreadOver::messages, node);
    sum.count++;
  }
  const double n = std::max(sum.count, 1);
  fmt::print("AUROC of planted arcs, {} items: instances {:.4f}, entries {:.4f}, messages {:.4f}\n",
             sum.count, sum.instances / n, sum.entries / n, sum.messages / n);
  return {sum.instances / n, sum.entries / n, sum.messages / n, sum.count};
}

// Triangles are planted, and only they tell the classes apart.
TEST(Explainer, FindsThePlantedArcsOfRoles) {
  const Aurocs auroc = mean_aurocs(roles(), 150);
  ASSERT_GT(auroc.count, 60);
  EXPECT_GE(auroc.instances, 0.95);
  EXPECT_GT(auroc.instances, auroc.entries);
  EXPECT_GT(auroc.instances, auroc.messages);
}

TEST(Explainer, FindsThePlantedArcsOfTriads) {
  const Aurocs auroc = mean_aurocs(triads(), 60);
  ASSERT_GT(auroc.count, 20);
  EXPECT_GE(auroc.instances, 0.95);
  EXPECT_GE(auroc.instances, auroc.entries);
  EXPECT_GT(auroc.instances, auroc.messages);
}

TEST(Explainer, IsMoreFaithfulThanRandomArcs) {
  const Explainer explainer(roles().model, roles().data);
  double plus = 0, random = 0;
  for (NodeId v = 0; v < 60; v++) {
    if (roles().data.label[size_t(v)] == 0) continue;
    const Explanation e = explainer.explain({Subject::node, explainer.item_name(v)},
                                            {.top = 4, .counterfactual = false});
    ASSERT_TRUE(e.fidelity);
    plus += e.fidelity->plus, random += e.fidelity->random_plus;
  }
  EXPECT_GT(plus, 2 * random);
}

// Asked of the data as they would be without the arcs, all of them.
TEST(Explainer, CounterfactualsFlipTheAnswerOfTheWholeNetwork) {
  const Explainer explainer(roles().model, roles().data);
  int found = 0;
  for (NodeId v = 0; v < 40; v++) {
    if (roles().data.label[size_t(v)] == 0) continue;
    const Explanation e =
        explainer.explain({Subject::node, explainer.item_name(v)}, {.fidelity = false});
    ASSERT_TRUE(e.counterfactual);
    if (!e.counterfactual->found) continue;
    found++;
    EXPECT_LE(e.counterfactual->arcs.size(), 10u);
    std::vector<NodePair> pairs;
    for (const ArcShare& arc : e.counterfactual->arcs) pairs.emplace_back(arc.from, arc.to);
    Dataset without = with_pairs(roles().data, pairs, PairUse::removed);
    without.label = roles().data.label, without.class_names = roles().data.class_names;
    const Explainer other(roles().model, without);
    const Explanation now = other.motif_shares({Subject::node, explainer.item_name(v)});
    EXPECT_NE(now.answer, e.answer);
    EXPECT_EQ(now.answer, e.counterfactual->answer);
  }
  EXPECT_GT(found, 20);
}

TEST(Explainer, PassesTheTestsOfSanity) {
  const Explainer nodes(roles().model, roles().data), graphs(triads().model, triads().data);
  for (const SanityCheck& check :
       {nodes.check({Subject::node, "3"}), graphs.check({Subject::graph, "3"})}) {
    EXPECT_TRUE(check.depends_on_weights) << check.shuffled_correlation;
    EXPECT_TRUE(check.equal_for_equal) << check.renumbered_difference;
  }
}

// Two copies of the data side by side: what is equal in all that the network sees is explained alike.
TEST(Explainer, EqualNodesHaveEqualExplanations) {
  const Dataset& one = roles().data;
  const NodeId n = one.graph.num_nodes();
  Dataset two = one;
  Array<Edge> edges = arcs(one.graph);
  for (size_t i = 0, count = edges.size(); i < count; i++)
    edges.push_back({edges[i].from + n, edges[i].to + n});
  two.graph = make_graph(2 * n, edges);
  std::vector<NodeId> rows(2 * size_t(n));
  for (NodeId v = 0; v < 2 * n; v++) rows[size_t(v)] = v % n;
  two.features = rows_of(one.features, rows);
  two.ids = {};
  two.label.clear();
  two.splits.clear();
  const Explainer explainer(roles().model, two);
  for (NodeId v = 1; v < n; v += 300) {
    const auto explained = [&](NodeId node) {
      return explainer.explain({Subject::node, explainer.item_name(node)},
                               {.counterfactual = false});
    };
    const Explanation a = explained(v), b = explained(v + n);
    EXPECT_EQ(a.answer, b.answer);
    EXPECT_NEAR(a.score, b.score, 1e-5 * std::max(1., std::abs(a.score)));
    ASSERT_EQ(a.motifs.size(), b.motifs.size());
    for (size_t k = 0; k < a.motifs.size(); k++)
      EXPECT_NEAR(a.motifs[k].share, b.motifs[k].share, 1e-5) << v;
    ASSERT_EQ(a.arcs.size(), b.arcs.size());
    for (size_t i = 0; i < a.arcs.size(); i++)
      EXPECT_NEAR(a.arcs[i].share, b.arcs[i].share, 1e-5) << v;
    ASSERT_EQ(a.instances.size(), b.instances.size());
    for (size_t i = 0; i < a.instances.size(); i++)
      EXPECT_NEAR(a.instances[i].share, b.instances[i].share, 1e-5) << v;
    ASSERT_TRUE(a.fidelity && b.fidelity);
    EXPECT_NEAR(a.fidelity->plus, b.fidelity->plus, 1e-4) << v;
  }
}

TEST(Explainer, ListsWhatChosenMotifsCarry) {
  const Explainer explainer(roles().model, roles().data);
  const Question question{Subject::node, "8"};
  const Explanation all = explainer.explain(question, {.top = 0, .fidelity = false});
  const Explanation some =
      explainer.explain(question, {.top = 0, .motifs = {5}, .fidelity = false});
  ASSERT_FALSE(some.instances.empty());
  ASSERT_LT(some.instances.size(), all.instances.size());
  for (const InstanceShare& instance : some.instances) EXPECT_EQ(instance.motif, 5);
  double in_all = 0, in_some = 0;
  for (const InstanceShare& i : all.instances) in_all += i.motif == 5 ? i.share : 0;
  for (const InstanceShare& i : some.instances) in_some += i.share;
  EXPECT_NEAR(in_some, in_all, 1e-6);
  EXPECT_EQ(some.motifs.size(), all.motifs.size());  // shares are of the whole answer
  EXPECT_NE(some.remarks.back().find("of the matrices of M5 alone"), std::string::npos);
}

TEST(Explainer, GivesTheSameForAnyNumberOfAsks) {
  const Explainer explainer(roles().model, roles().data);
  const Question question{Subject::node, "8"};
  const auto text = [&] { return json_of(explainer.explain(question), roles().data).dump(); };
  EXPECT_EQ(text(), text());
}

TEST(Explainer, WritesADocumentWithAVersion) {
  const Explainer explainer(roles().model, roles().data);
  const Explanation e = explainer.explain({Subject::node, "3"});
  const auto json = json_of(e, roles().data);
  EXPECT_EQ(json["schema"], "mgnn-explanation");
  EXPECT_EQ(json["version"], Explanation::kSchema);
  EXPECT_EQ(json["nodes"][0], "3");
  EXPECT_EQ(json["shares"]["kind"], "exact");
  double sum = json["shares"]["bias"];
  for (const auto& row : json["shares"]["motifs"]) sum += double(row["share"]);
  EXPECT_NEAR(sum, double(json["score"]), 1e-5);
  EXPECT_LE(json["instances"].size(), 10u);
  EXPECT_EQ(json["instances"][0]["nodes"].size(), 3u);
  const std::string graphml = graphml_of(e, roles().data);
  EXPECT_NE(graphml.find("<node id=\"3\"><data key=\"n0\">true</data>"), std::string::npos);
  const Figure picture = picture_of(e, roles().data, 20);
  EXPECT_LE(std::get<Network>(picture.content).nodes.size(), 20u);
  EXPECT_EQ(svg_of(picture), svg_of(picture_of(e, roles().data, 20)));
  EXPECT_NE(html_of(page_of(e, roles().data)).find("<svg"), std::string::npos);
}

std::string refusal(const Explainer& explainer, const Question& question) {
  try {
    explainer.explain(question);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Explainer, RefusesWhatIsNotThere) {
  const Explainer explainer(roles().model, roles().data);
  EXPECT_NE(refusal(explainer, {Subject::node, "9999"}).find("there is no node \"9999\""),
            std::string::npos);
  EXPECT_NE(refusal(explainer, {Subject::node, "3", "", "rellay"}).find("did you mean relay?"),
            std::string::npos);
  EXPECT_NE(refusal(explainer, {Subject::pair, "3", "4"}).find("ask it about a node, not a pair"),
            std::string::npos);
  const Trained links = trained({"data.source=toykg", "task=link", "model.layers=8"});
  const Explainer pairs(links.model, links.data);
  EXPECT_NE(refusal(pairs, {Subject::pair, "gene:0001", "gene:0001"}).find("two different nodes"),
            std::string::npos);
  EXPECT_NE(
      refusal(pairs, {Subject::pair, "gene:0001", "gene:0002", "x"}).find("predicts pairs, not"),
      std::string::npos);
  EXPECT_THROW(pairs.summary(), Error);
  const Trained vectors = trained({"data.source=roles", "task=unsupervised"});
  EXPECT_THROW(Explainer(vectors.model, vectors.data), Error);
}

}  // namespace
}  // namespace mgnn
