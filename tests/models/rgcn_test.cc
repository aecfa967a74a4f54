#include "mgnn/models/batch.h"
#include "mgnn/models/relational.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::Built, testing::expect_near, testing::make_network, testing::random_features,
    testing::random_graph;

using Dense = MatrixOf<double>;
using Relations = std::vector<Relation>;

constexpr NodeId kNodes = 10;

// Every arc is in one relation, some in two; one relation lists an edge twice and a loop.
Relations relations_of(const Graph& graph) {
  Relations all = {{"a", {}}, {"b", {}}, {"c", {}}};
  int i = 0;
  for (const Edge& e : arcs(graph)) {
    all[size_t(i % 3)].edges.push_back(e);
    if (i % 4 == 0) all[size_t((i + 1) % 3)].edges.push_back(e);
    i++;
  }
  all[1].edges.push_back(all[1].edges[0]);
  all[1].edges.push_back({3, 3});
  return all;
}

bool listed(const Relation& relation, NodeId u, NodeId v) {
  return u != v && std::any_of(relation.edges.begin(), relation.edges.end(),
                               [&](const Edge& e) { return e.from == u && e.to == v; });
}

// relu(Σ_r mean_{j in N_r(i)} W_r h_j + W_root h_i + b) for W_r as a function.
template <class Weight>
Dense formula(const Relations& relations, const Matrix& x, int64_t width, Weight weight) {
  Dense h(x.rows, width);
  const auto add = [&](int64_t i, int64_t j, int64_t block, double factor) {
    for (int64_t c = 0; c < width; c++)
      for (int64_t k = 0; k < x.cols; k++)
        h(i, c) += factor * double(x(j, k)) * weight(block, k, c);
  };
  for (NodeId i = 0; i < x.rows; i++) {
    for (size_t r = 0; r < relations.size(); r++)
      for (const bool against : {false, true}) {
        std::vector<NodeId> senders;
        for (NodeId j = 0; j < x.rows; j++)
          if (against ? listed(relations[r], i, j) : listed(relations[r], j, i))
            senders.push_back(j);
        for (const NodeId j : senders)
          add(i, j, int64_t(2 * r + against), 1. / double(senders.size()));
      }
    add(i, i, int64_t(2 * relations.size()), 1);
  }
  for (double& v : h.data) v = std::max(v, 0.);
  return h;
}

double element(const Built& net, const char* name, int64_t row, int64_t column) {
  const NamedParameter& p = net.parameter(name);
  return double(net.weights.value_of(p)[row * p.cols + column]);
}

Batch typed_batch(const Built& net, const Graph& graph, const Relations& relations,
                  const Matrix& x) {
  Batch batch = net.batch(graph, x);
  batch.operators = net.model->operators({graph, {}, relations});
  return batch;
}

TEST(Rgcn, IsItsFormula) {
  const Graph graph = random_graph(kNodes, 0.3, 1);
  const Relations relations = relations_of(graph);
  const Matrix x = random_features(kNodes, 4, 2);
  for (const char* method : {"rgcn", "mgnn"}) {
    std::vector<std::string> settings = {"layers=[5]"};
    if (method == std::string("mgnn"))
      settings.insert(settings.end(), {"base=rgcn", "motifs=none"});
    const Built net(method, {4, 2, Level::node, 0, 3}, settings);
    const auto weight = [&](int64_t block, int64_t k, int64_t c) {
      return element(net, "layer1.weight", k, block * 5 + c);
    };
    expect_near(net.representation(typed_batch(net, graph, relations, x)),
                formula(relations, x, 5, weight), 1e-6, method);
  }
}

TEST(Rgcn, BasesAreCombined) {
  const Graph graph = random_graph(kNodes, 0.3, 1);
  const Relations relations = relations_of(graph);
  const Matrix x = random_features(kNodes, 4, 2);
  for (const int64_t bases : {1, 2, 9}) {
    const Built net("rgcn", {4, 2, Level::node, 0, 3},
                    {"layers=[5]", fmt::format("bases={}", bases)});
    const auto weight = [&](int64_t block, int64_t k, int64_t c) {
      if (block == 6) return element(net, "layer1.root.weight", k, c);
      double sum = 0;
      for (int64_t b = 0; b < bases; b++)
        sum += element(net, "layer1.coefficients", block, b) *
               element(net, "layer1.basis", b, k * 5 + c);
      return sum;
    };
    expect_near(net.representation(typed_batch(net, graph, relations, x)),
                formula(relations, x, 5, weight), 1e-6, fmt::format("{} bases", bases));
  }
}

TEST(Rgcn, AllArcsAreOneRelationIfDataHaveNone) {
  const Graph graph = random_graph(kNodes, 0.3, 3);
  const Matrix x = random_features(kNodes, 4, 2);
  const Built net("rgcn", {4, 2});
  const Relations one = {{"any", arcs(graph)}};
  const Dense untyped = net.out(net.batch(graph, x)),
              typed = net.out(typed_batch(net, graph, one, x));
  EXPECT_EQ(untyped.data, typed.data);
}

// What a relation says matters: the same arcs with other relations give other results.
TEST(Rgcn, RelationsMatter) {
  const Graph graph = random_graph(kNodes, 0.3, 4);
  const Matrix x = random_features(kNodes, 4, 2);
  const Built net("rgcn", {4, 2, Level::node, 0, 3});
  Relations relations = relations_of(graph);
  const Dense before = net.out(typed_batch(net, graph, relations, x));
  std::swap(relations[0], relations[1]);
  const Dense after = net.out(typed_batch(net, graph, relations, x));
  double change = 0;
  for (size_t i = 0; i < before.data.size(); i++)
    change += std::abs(before.data[i] - after.data[i]);
  EXPECT_GT(change, 0.01);
}

TEST(Rgcn, RefusesTooManyRelations) {
  const Graph graph = make_graph(2'000'000, Array<Edge>{{0, 1}});
  const Relations many(600, Relation{"r", {}});
  EXPECT_EQ(testing::error_of([&] {
              relational_operator({graph, {}, many});
            }),
            "2000000 nodes with 600 relations are too many for one matrix");
}

// Graphs of a set, with weights and relations of arcs: the same alone and in any batch.
TEST(Rgcn, SlicesOfASetAreGraphsAlone) {
  const NodeId size[] = {4, 1, 6, 5};
  Dataset set;
  set.graph_start = {0};
  Array<Edge> edges;
  for (size_t g = 0; g < 4; g++) {
    for (const Edge& e : arcs(random_graph(size[g], 0.5, g)))
      edges.push_back({set.graph_start[g] + e.from, set.graph_start[g] + e.to});
    set.graph_start.push_back(set.graph_start[g] + size[g]);
  }
  set.graph = make_graph(16, edges);
  set.relations = relations_of(set.graph);
  set.features = random_features(16, 3, 1);
  Rng rng(2);
  for (Offset e = 0; e < set.graph.num_arcs(); e++)
    set.arc_weight.push_back(float(1 + rng.below(8)) / 2);
  for (const char* setting : {"rgcn", "rgcn bases=2", "gat heads=2", "gcn", "mgnn base=rgcn",
                              "mgnn base=gat", "sage aggregate=mean"}) {
    SCOPED_TRACE(setting);
    const std::string text = setting;
    const size_t space = text.find(' ');
    std::vector<std::string> settings;
    if (space != std::string::npos) settings.push_back(text.substr(space + 1));
    const Built net(text.substr(0, space), {3, 2, Level::graph, 0, 3}, settings);
    const Batch all = whole_batch(set, *net.model);
    const Dense together = net.out(all);
    const std::vector<NodeId> order = {2, 0, 3, 1, 2};
    const Batch part = slice_batch(all, order);
    const Dense sliced = net.out(part);
    for (size_t i = 0; i < order.size(); i++)
      for (int64_t c = 0; c < 2; c++)
        EXPECT_NEAR(sliced(int64_t(i), c), together(order[i], c), 1e-6);
    // The transposes are those of the slices.
    for (const Operator* op : {&part.operators.relational, &part.operators.adjacency}) {
      if (op->pattern.rows == 0) continue;
      const Operator made = make_operator(op->pattern, op->value);
      EXPECT_EQ(made.back().start, op->back().start);
      EXPECT_EQ(made.back().index, op->back().index);
      EXPECT_EQ(made.back_value(), op->back_value());
    }
  }
}

}  // namespace
}  // namespace mgnn
