#include "mgnn/task/link_prediction.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/data/column_scale.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/data/load.h"
#include "mgnn/models/methods.h"
#include "mgnn/task/config.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;
using Pair = std::pair<NodeId, NodeId>;

const Dataset& toykg() {
  static const Dataset dataset = load_dataset("toykg");
  return dataset;
}

Dataset plain(const Graph& graph) {
  Dataset dataset;
  dataset.name = "plain";
  dataset.graph = graph;
  return dataset;
}

std::set<Pair> unordered(std::initializer_list<const NodePairs*> parts) {
  std::set<Pair> found;
  for (const NodePairs* pairs : parts)
    for (size_t i = 0; i < pairs->size(); i++)
      found.insert(std::minmax(pairs->from[i], pairs->to[i]));
  return found;
}

std::unique_ptr<Config> config_with(Settings settings) {
  ConfigLayers layers;
  layers.flags = {"task=link", "data.source=toykg"};
  layers.sets = std::move(settings);
  return resolve_config(layers);
}

Result trained(Config& config) { return run_task(config, load_for_training(config)); }

// ---- split

TEST(LinkSplit, PartsCoverWhatIsAskedAbout) {
  const std::vector<LinkOptions> questions = {
      {}, {.relation = "treats"}, {.between = "disease,gene"}, {.decoder = Decoder::bilinear}};
  for (const LinkOptions& options : questions) {
    const NodePairs asked = asked_pairs(toykg(), options);
    const LinkSplit split = link_split(toykg(), options, Rng(1));
    EXPECT_EQ(split.train.size() + split.validation.size() + split.test.size(), asked.size());
    EXPECT_NEAR(double(split.test.size()) / double(asked.size()), 0.1, 0.02);
    EXPECT_NEAR(double(split.validation.size()) / double(asked.size()), 0.05, 0.02);
    const auto train = unordered({&split.train});
    for (const Pair& pair : unordered({&split.validation, &split.test}))
      EXPECT_FALSE(train.contains(pair));
    for (size_t i = 0; i < split.train.size(); i++)
      EXPECT_TRUE(split.graph.has_arc(split.train.from[i], split.train.to[i]) ||
                  split.graph.has_arc(split.train.to[i], split.train.from[i]));
  }
}

TEST(LinkSplit, ReciprocalArcsStayTogether) {
  for (uint64_t seed = 0; seed < 5; seed++)
    for (const Decoder decoder : {Decoder::inner, Decoder::source_target}) {
      const Graph graph = random_graph(40, 0.3, seed);  // a third of the pairs are reciprocal
      const LinkSplit split = link_split(plain(graph), {.decoder = decoder}, Rng(seed));
      const auto held_out = unordered({&split.validation, &split.test});
      for (const Edge& arc : arcs(graph))
        EXPECT_EQ(split.graph.has_arc(arc.from, arc.to),
                  !held_out.contains(std::minmax(arc.from, arc.to)));
      for (const Edge& arc : arcs(split.graph)) EXPECT_TRUE(graph.has_arc(arc.from, arc.to));
    }
}

TEST(LinkSplit, PairsOfTypesBeginWithTheFirst) {
  const NodePairs asked = asked_pairs(toykg(), {.between = "gene,disease"});
  ASSERT_GT(asked.size(), 0u);
  for (size_t i = 0; i < asked.size(); i++) {
    EXPECT_EQ(toykg().node_type_names[size_t(toykg().node_type[size_t(asked.from[i])])], "gene");
    EXPECT_EQ(toykg().node_type_names[size_t(toykg().node_type[size_t(asked.to[i])])], "disease");
  }
  EXPECT_EQ(asked.size(), asked_pairs(toykg(), {.relation = "associates"}).size());
}

TEST(LinkSplit, MistakesAreTold) {
  const auto told = [](const Dataset& dataset, const LinkOptions& options) {
    return error_of([&] { link_split(dataset, options, Rng(0)); });
  };
  EXPECT_EQ(told(toykg(), {.relation = "treat"}),
            "toykg: there is no relation \"treat\"; there are binds, associates, participates, "
            "interacts, treats");
  EXPECT_EQ(told(toykg(), {.between = "gene,protein"}),
            "toykg: there is no node type \"protein\"; there are compound, gene, disease, pathway");
  EXPECT_EQ(told(toykg(), {.between = "gene"}),
            "between is \"gene\"; name two node types, as in Disease,Gene");
  EXPECT_EQ(told(toykg(), {.relation = "treats", .between = "gene,disease"}),
            "relation and between exclude each other; use one of them");
  EXPECT_EQ(told(plain(random_graph(5, 0.5, 1)), {.relation = "x"}),
            "plain: there are no relations");
  Dataset few = toykg();
  few.relations.push_back({"rare", {{0, 1}, {1, 2}, {2, 0}}});
  EXPECT_EQ(told(few, {.relation = "rare"}),
            "toykg: relation \"rare\" has 3 edges, too few to learn from some and be tested on "
            "others; at least 20 are needed");
}

// ---- no leakage

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
    const Features made = make_features(kind, data.split.graph, Rng(0));
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

// Groups, dense within and sparse between.
Dataset blocks_of(NodeId nodes, int groups, double within, double between, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < u; v++)
      if (rng.chance(u % groups == v % groups ? within : between)) edges.push_back({v, u});
  return plain(build_graph(nodes, std::move(edges), {.symmetrise = true}).graph);
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
    const auto& scored = std::any_cast<const PairScores&>(honest.best_run().own);
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

// ---- training

TEST(LinkPrediction, FindsBlocks) {
  const Dataset blocks = blocks_of(120, 2, 0.2, 0.01, 1);
  const ModelMaker make = [] {
    std::unique_ptr<Model> model = make_gcn();
    set_option(model->options(), "dropout=0");
    set_option(model->options(), "input_dropout=0");
    return model;
  };
  for (const char* decoder : {"inner", "bilinear", "source-target"}) {
    RunOptions options{.training = {.epochs = 200, .patience = 0}};
    LinkOptions link;
    options.training.weight_decay = 0;
    set_option(link_options(link), std::string("decoder=") + decoder);
    const Result result = link_prediction(blocks, make, link, options);
    EXPECT_GT(result.test().mean, 0.65) << decoder;  // chance is 0.5, the blocks' best about 0.75
  }
}

TEST(LinkPrediction, SameSeedSameWeightsForAnyThreads) {
  const auto config = config_with({"train.epochs=5", "model.layers=4", "seeds=2"});
  set_num_threads(1);
  const Result one = trained(*config);
  set_num_threads(4);
  const Result four = trained(*config);
  set_num_threads(0);
  for (size_t r = 0; r < 2; r++) {
    EXPECT_TRUE(one.runs[r].state.best_weights == four.runs[r].state.best_weights);
    EXPECT_EQ(one.runs[r].test.metric, four.runs[r].test.metric);
  }
  EXPECT_TRUE(one.runs[0].state.best_weights != one.runs[1].state.best_weights);
}

TEST(LinkPrediction, InterruptedRunsGoOn) {
  const TempDir dir;
  const auto config = config_with({"train.epochs=6", "model.layers=4"});
  const Dataset data = load_for_training(*config);
  const Result whole = run_task(*config, data);
  const RunFolder folder = RunFolder::create(dir / "run", *config, false);
  const auto half = config_with({"train.epochs=3", "model.layers=4"});
  run_task(*half, data, folder.callbacks(3, false));
  // The checkpoint says that the shorter run is done; as if it had been stopped there:
  TrainingCallbacks watch = folder.callbacks(0, true);
  const auto restore = watch.restore;
  watch.restore = [&](size_t run, Repetition& state) {
    restore(run, state);
    state.state.done = false;
  };
  const Result resumed = run_task(*config, data, watch);
  EXPECT_TRUE(whole.runs[0].state.weights.value == resumed.runs[0].state.weights.value);
}

TEST(LinkPrediction, ModelFilesGiveTheSameScores) {
  const TempDir dir;
  for (const char* decoder : {"inner", "bilinear", "source-target"}) {
    const auto config = config_with({"train.epochs=4", "model.layers=4", "link.relation=treats",
                                     std::string("link.decoder=") + decoder});
    const Dataset data = load_for_training(*config);
    const Result result = run_task(*config, data);
    write_model(dir / "m", *config, data, result, true);
    TrainedModel model = read_model(dir / "m");
    EXPECT_TRUE(predict(model, data).output.data == result.output.data) << decoder;
    EXPECT_EQ(model.fitted, result.runs[0].fitted);
    Dataset other = data;
    other.graph = random_graph(data.graph.num_nodes(), 0.01, 1);
    EXPECT_TRUE(error_of([&] {
                  predict(model, other);
                }).starts_with("toykg: is not the data that the model was trained on"));
  }
}

TEST(LinkPrediction, AutoMeansLinksWhereThereAreNoLabels) {
  const auto task_for = [](const Dataset& dataset, Settings settings) {
    const std::unique_ptr<Config> config = resolve_config({.sets = std::move(settings)});
    choose_task(*config, dataset);
    return config->task_name;
  };
  EXPECT_EQ(task_for(plain(random_graph(9, 0.4, 1)), {}), "link");
  EXPECT_EQ(task_for(load_dataset("roles"), {}), "node");
  EXPECT_EQ(task_for(load_dataset("triads"), {}), "graph");
  EXPECT_EQ(task_for(toykg(), {"relation=treats"}), "link");
  const auto config = resolve_config({.sets = {"task=link"}});
  EXPECT_EQ(error_of([&] { run_task(*config, load_dataset("triads")); }),
            "triads is a set of graphs; links are predicted in one graph");
}

}  // namespace
}  // namespace mgnn
