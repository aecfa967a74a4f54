// Nothing that a network for links is given is made of the pairs that are held out.
#include <map>

#include "mgnn/data/column_scale.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/models/methods.h"
#include "mgnn/task/link_report.h"
#include "tests/task/links.h"

namespace mgnn {
namespace {

using testing::blocks_of, testing::Pair, testing::plain, testing::toykg, testing::unordered;

std::vector<const Operator*> fixed_matrices(const Operators& operators) {
  std::vector<const Operator*> list = {&operators.adjacency, &operators.motifs.interleaved,
                                       &operators.relational};
  for (const Operator& one : operators.motifs.separate) list.push_back(&one);
  return list;
}
std::vector<const Pattern*> patterns_of(const Operators& operators) {
  return {&operators.neighbours, &operators.neighbours_and_self, &operators.motifs.pattern};
}

// Every pair (row, column) that any matrix of the batch stores.
std::set<Pair> stored_pairs(const Operators& operators) {
  std::set<Pair> found;
  const auto add = [&](const Csr& p) {
    for (NodeId r = 0; r < p.rows; r++)
      for (const NodeId c : p.row(r)) found.insert({r, c});
  };
  for (const Operator* matrix : fixed_matrices(operators)) {
    if (matrix == &operators.relational) continue;  // has several columns for every node
    add(matrix->pattern);
    add(matrix->back());
  }
  for (const Pattern* pattern : patterns_of(operators)) {
    add(pattern->rows);
    add(pattern->columns);
  }
  const Csr& typed = operators.relational.pattern;
  for (NodeId r = 0; r < typed.rows; r++)
    for (const NodeId c : typed.row(r)) found.insert({r, c / (typed.cols / typed.rows)});
  return found;
}

// The data as if the held-out pairs had never been listed.
Graph never_seen(const Graph& graph, const LinkSplit& split) {
  const std::set<Pair> held_out = unordered({&split.validation, &split.test});
  Array<Edge> left;
  for (const Edge& arc : arcs(graph))
    if (!held_out.contains(std::minmax(arc.from, arc.to))) left.push_back(arc);
  return make_graph(graph.num_nodes(), std::move(left));
}

struct ArcsLeft {
  Graph graph;
  std::vector<float> weight;
  std::vector<Relation> relations;
  GraphView view() const { return {graph, weight, relations}; }
};
ArcsLeft never_seen(const Dataset& dataset, const LinkSplit& split) {
  const std::set<Pair> held_out = unordered({&split.validation, &split.test});
  ArcsLeft left{never_seen(dataset.graph, split), {}, dataset.relations};
  for (Relation& relation : left.relations)
    std::erase_if(relation.edges,
                  [&](const Edge& e) { return held_out.contains(std::minmax(e.from, e.to)); });
  size_t at = 0;
  for (const Edge& arc : arcs(dataset.graph)) {
    const float w = dataset.arc_weight.empty() ? 1.f : dataset.arc_weight[at++];
    if (left.graph.has_arc(arc.from, arc.to)) left.weight.push_back(w);
  }
  if (dataset.arc_weight.empty()) left.weight.clear();
  return left;
}

bool same(const Csr& a, const Csr& b) { return a.start == b.start && a.index == b.index; }

void expect_same(const Operators& a, const Operators& b) {
  const auto first = fixed_matrices(a), second = fixed_matrices(b);
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); i++) {
    EXPECT_TRUE(same(first[i]->pattern, second[i]->pattern));
    EXPECT_TRUE(same(first[i]->back(), second[i]->back()));
    EXPECT_TRUE(first[i]->value == second[i]->value);
  }
  for (size_t i = 0; i < patterns_of(a).size(); i++) {
    EXPECT_TRUE(same(patterns_of(a)[i]->rows, patterns_of(b)[i]->rows));
    EXPECT_TRUE(same(patterns_of(a)[i]->columns, patterns_of(b)[i]->columns));
  }
  EXPECT_TRUE(a.motifs.value == b.motifs.value);
  EXPECT_TRUE(a.log_weight == b.log_weight);
}

Dataset weighted_toykg() {
  Dataset data = toykg();
  for (Offset e = 0; e < data.graph.num_arcs(); e++)
    data.arc_weight.push_back(float(1 + mix_bits(uint64_t(e)) % 9) / 2);
  return data;
}

// A diffusion stores pairs that are joined by paths, so a held-out pair may be among them; of no
// other network may it. Of all networks the operators are those of data without these pairs.
TEST(LinkPrediction, OperatorsKnowNothingOfHeldOutPairs) {
  for (const Method& method : methods())
    for (const LinkOptions& options : {LinkOptions{}, LinkOptions{.relation = "treats"}}) {
      if (!method.supports(Level::node)) continue;
      SCOPED_TRACE(method.name);
      const std::unique_ptr<Model> model = method.make();
      const LinkData data = link_data(toykg(), *model, options, "own", 3);
      expect_same(data.batch.operators, model->operators(never_seen(toykg(), data.split).view()));
      const LinkData weighted = link_data(weighted_toykg(), *model, options, "own", 3);
      ArcsLeft left = never_seen(weighted_toykg(), weighted.split);
      if (model->arc_weights() == ArcWeights::unused) left.weight.clear();
      expect_same(weighted.batch.operators, model->operators(left.view()));
      const std::set<Pair> stored = stored_pairs(data.batch.operators);
      EXPECT_GT(stored.size(), 100u);
      if (method.name == std::string("gdc")) continue;
      for (const auto& [u, v] : unordered({&data.split.validation, &data.split.test})) {
        EXPECT_FALSE(stored.contains({u, v}));
        EXPECT_FALSE(stored.contains({v, u}));
      }
    }
}

// The same of motif matrices of every kind. Entries for pairs reach further, as diffusions do.
TEST(LinkPrediction, MotifMatricesKnowNothingOfHeldOutPairs) {
  for (const char* setting : {"counting=subgraph", "counting=induced", "counting=published",
                              "entry=arc", "entry=edge", "entry=pair"}) {
    SCOPED_TRACE(setting);
    const std::unique_ptr<Model> model = make_mgnn();
    set_option(model->options(), setting);
    const LinkData data = link_data(toykg(), *model, {}, "own", 3);
    expect_same(data.batch.operators, model->operators(never_seen(toykg().graph, data.split)));
    const std::set<Pair> stored = stored_pairs(data.batch.operators);
    if (setting == std::string("entry=pair")) continue;
    for (const auto& [u, v] : unordered({&data.split.validation, &data.split.test}))
      EXPECT_FALSE(stored.contains({u, v}) || stored.contains({v, u}));
  }
}

// All that the encoder is given is the same whatever the held-out edges were: made from the
// training graph alone, it equals what the whole data give once those edges are gone.
TEST(LinkPrediction, FeaturesAreOfTheTrainingGraph) {
  const std::unique_ptr<Model> model = make_gcn();
  for (const char* kind : {"degree-profile", "one-hot-degree"}) {
    const LinkData data = link_data(toykg(), *model, {}, kind, 3);
    const Features made = feature_maker(kind).make(data.split.graph, Rng(0));
    if (auto expected = made; std::holds_alternative<Matrix>(expected)) {
      standardise(std::get<Matrix>(expected));
      EXPECT_TRUE(std::get<Matrix>(data.batch.x).data == std::get<Matrix>(expected).data);
    } else {
      EXPECT_EQ(data.batch.num_features(), num_features(made));
    }
  }
}

// Training may not know which of the unknown pairs are held-out edges, so it does not avoid them.
TEST(LinkPrediction, NegativesOfTrainingAvoidTheEdgesOfTrainingOnly) {
  const std::unique_ptr<Model> model = make_gcn();
  const LinkData data = link_data(toykg(), *model, {}, "own", 3);
  const std::set<Pair> held_out = unordered({&data.split.validation, &data.split.test});
  const NegativeSampler sampler(data.split.graph, toykg().node_type, false);
  int met = 0;
  for (uint64_t epoch = 0; epoch < 20; epoch++) {
    const NodePairs drawn = sampler.draw(data.split.train, Rng(epoch));
    for (const auto& [u, v] : unordered({&drawn})) {
      EXPECT_FALSE(data.split.graph.has_arc(u, v) || data.split.graph.has_arc(v, u));
      met += held_out.contains({u, v});
    }
  }
  EXPECT_GT(met, 0);
}

TEST(LinkPrediction, FixedNegativesAreOutsideAllEdges) {
  const std::unique_ptr<Model> model = make_gcn();
  const LinkData data = link_data(toykg(), *model, {}, "own", 3);
  const auto validation = unordered({&data.validation_negatives});
  const auto test = unordered({&data.test_negatives});
  EXPECT_EQ(validation.size(), data.split.validation.size());
  EXPECT_EQ(test.size(), data.split.test.size());
  for (const auto& [u, v] : unordered({&data.validation_negatives, &data.test_negatives})) {
    EXPECT_FALSE(toykg().graph.has_arc(u, v) || toykg().graph.has_arc(v, u));
    EXPECT_FALSE(validation.contains({u, v}) && test.contains({u, v}));
  }
}

// (P Pᵀ)_uv: weight of the common in-neighbours of both ends, where every node is its own.
float common_neighbours(const Operator& p, Edge pair) {
  std::map<NodeId, float> first;
  for (Offset e = p.pattern.start[pair.from]; e < p.pattern.start[pair.from + 1]; e++)
    first[p.pattern.index[size_t(e)]] = p.value[size_t(e)];
  float sum = 0;
  for (Offset e = p.pattern.start[pair.to]; e < p.pattern.start[pair.to + 1]; e++)
    if (const auto found = first.find(p.pattern.index[size_t(e)]); found != first.end())
      sum += found->second * p.value[size_t(e)];
  return sum;
}

// In a graph of chance nothing can be learned of edges that were not seen. The same graph with the
// held-out edges among the messages is what a leak looks like: then the score gives them away.
TEST(LinkPrediction, NothingIsLearnedFromChance) {
  Rng rng(4);
  Array<Edge> edges;
  for (int i = 0; i < 4000; i++) {
    const auto u = NodeId(rng.below(500)), v = NodeId(rng.below(500));
    edges.push_back({u, v});
    edges.push_back({v, u});
  }
  const Dataset chance = plain(make_graph(500, std::move(edges)));
  for (const char* name : {"gcn", "mgnn"}) {
    RunOptions options{.seeds = 3, .training = {.epochs = 40, .patience = 0}};
    options.training.weight_decay = 0;
    const Result honest = link_prediction(
        chance, [&] { return find_method(name).make(); }, {}, options);
    // 400 test edges of each kind and three seeds: three standard errors are 0.035.
    EXPECT_NEAR(honest.test().mean, 0.5, 0.035) << name;
  }
  const std::unique_ptr<Model> model = make_gcn();
  const LinkData data = link_data(chance, *model, {}, "own", 0);
  PairScores pairs = held_out_pairs(data);
  const auto auroc_of = [&](const Operators& operators) {
    pairs.score.clear();
    for (size_t i = 0; i < pairs.pairs.size(); i++)
      pairs.score.push_back(common_neighbours(operators.adjacency, pairs.pairs[i]));
    return auroc(pairs.score, pairs.positive);
  };
  EXPECT_NEAR(auroc_of(data.batch.operators), 0.5, 0.06);
  EXPECT_GT(auroc_of(model->operators(chance.graph)), 0.9);
}

// Both lists of ends in an order of their own: what is joined to what is chance.
Array<Edge> shuffled(const Array<Edge>& edges, uint64_t seed) {
  std::vector<NodeId> from, to;
  for (const Edge& e : edges) from.push_back(e.from), to.push_back(e.to);
  Rng(seed).shuffle(std::span(to));
  Array<Edge> mixed;
  for (size_t i = 0; i < from.size(); i++) mixed.push_back({from[i], to[i]});
  return mixed;
}

Result trained_on(const Dataset& dataset, const char* name, const LinkOptions& link,
                  int64_t seeds) {
  RunOptions options{.seeds = seeds, .training = {.epochs = 100, .patience = 0}};
  options.training.weight_decay = 0;
  const auto make = [&] {
    std::unique_ptr<Model> model = find_method(name).make();
    set_option(model->options(), "layers=16");
    for (const Option& one : model->options())
      if (one.name.ends_with("dropout")) one.set("0");
    return model;
  };
  return link_prediction(dataset, make, link, options);
}

// The same data with and without what there is to learn: what a network scores on the second it has
// from somewhere it should not.
TEST(LinkPrediction, ShuffledLinksCannotBeLearned) {
  const Dataset blocks = blocks_of(300, 4, 0.2, 0.01, 2);
  Array<Edge> one_way;
  for (const Edge& e : arcs(blocks.graph))
    if (e.from < e.to) one_way.push_back(e);
  const Dataset mixed = plain(build_graph(300, shuffled(one_way, 1), {.symmetrise = true}).graph);
  for (const char* name : {"gcn", "mgnn"}) {
    const Result honest = trained_on(blocks, name, {}, 3);
    EXPECT_GT(honest.test().mean, 0.75) << name;
    // Some 230 edges to test for each of three seeds: three standard errors are 0.047.
    EXPECT_NEAR(trained_on(mixed, name, {}, 3).test().mean, 0.5, 0.047) << name;
    // Scores as learned, but the answers in another order.
    const auto& scored = std::any_cast<const LinkOutcome&>(honest.best_run().own).pairs;
    std::vector<uint8_t> answers = scored.positive;
    double sum = 0;
    for (uint64_t i = 0; i < 50; i++) {
      Rng(i).shuffle(std::span(answers));
      sum += auroc(scored.score, answers) / 50;
    }
    EXPECT_NEAR(sum, 0.5, 0.02) << name;
  }
}

// One relation of a knowledge graph is shuffled among the nodes of its types, the others stay.
TEST(LinkPrediction, AShuffledRelationCannotBeLearned) {
  Dataset mixed = toykg();
  Relation& relation = mixed.relations.back();
  ASSERT_EQ(relation.name, "treats");
  const LinkEnds ends = link_ends(mixed, {.relation = "treats"});
  std::vector<NodeId> of_type[2];
  for (NodeId v = 0; v < mixed.graph.num_nodes(); v++)
    for (int side = 0; side < 2; side++)
      if (mixed.node_type[size_t(v)] == (side ? ends.to : ends.from)) of_type[side].push_back(v);
  Rng rng(5);
  for (Edge& e : relation.edges)
    e = {of_type[0][rng.below(of_type[0].size())], of_type[1][rng.below(of_type[1].size())]};
  Array<Edge> all;
  for (const Relation& r : mixed.relations) all.insert(all.end(), r.edges.begin(), r.edges.end());
  mixed.graph = make_graph(mixed.graph.num_nodes(), std::move(all));
  for (const char* name : {"gcn", "mgnn"}) {
    EXPECT_GT(trained_on(toykg(), name, {.relation = "treats"}, 5).test().mean, 0.58) << name;
    // Some 34 edges to test for each of five seeds: three standard errors are 0.095.
    EXPECT_NEAR(trained_on(mixed, name, {.relation = "treats"}, 5).test().mean, 0.5, 0.095) << name;
  }
}

}  // namespace
}  // namespace mgnn
