// What holds for every network of the table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "mgnn/base/parallel.h"
#include "mgnn/base/threads.h"
#include "mgnn/graph/generators.h"
#include "mgnn/models/model.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::error_of, testing::expect_near, testing::Built, testing::random_features,
    testing::random_graph, testing::sparse_of, testing::undirected;

struct Variant {
  std::string method;
  std::vector<std::string> settings = {};
  std::string name() const { return fmt::format("{} {}", method, fmt::join(settings, " ")); }
};

// Every method as it is, and what its options make of it.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Method& method : methods()) all.push_back({method.name});
  for (Variant more : std::initializer_list<Variant>{
           {"sage", {"aggregate=mean"}},
           {"sage", {"aggregate=pool", "normalise=true"}},
           {"gat", {"v2=true", "heads=2"}},
           {"gin", {"learn_eps=true", "eps=0.3"}},
           {"gin", {"batch_norm=false"}},
           {"gcn", {"norm=both", "loops=false"}},
           {"mixhop", {"powers=1,3"}},
           {"motifnet", {"scaled=false", "attention=sigmoid"}},
           {"gdc", {"spread=heat", "keep=threshold", "renormalise=true"}},
           {"gdc", {"solver=push", "push_eps=1e-9", "alpha=0.2", "top=3"}},
           {"cadnet", {"steps=1", "loops=false"}},
           {"mgnn", {"delta=false", "combine=sum"}},
           {"mgnn", {"motifs=none"}},
           {"mgnn", {"fused=false", "base=sage"}},
           {"mgnn", {"base=gat"}},
           {"mgnn", {"base=rgcn", "bases=2"}},
           {"rgcn", {"bases=3"}},
           {"graclus", {"normalised_cut=true"}},
           {"asap", {"readout=attention"}},
           {"topkpool", {"readout=mean", "layers=[6, 6, 6, 6, 6]"}},
           {"asap", {"layers=[6, 6, 6, 6, 6]"}},
       })
    all.push_back(std::move(more));
  return all;
}

std::vector<Level> levels_of(const Variant& v) {
  const Method& method = find_method(v.method);
  std::vector<Level> levels;
  if (method.supports(Level::node)) levels.push_back(Level::node);
  if (method.supports(Level::graph)) levels.push_back(Level::graph);
  return levels;
}

template <class Check>
void for_networks(Check check) {
  for (const Variant& v : variants())
    for (const Level level : levels_of(v)) {
      SCOPED_TRACE(v.name() + (level == Level::node ? " (nodes)" : " (graphs)"));
      check(v, level);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

// Seven nodes: 5 is isolated, 6 a sink, 0 a source; a triangle, an edge both ways.
Graph small_graph() {
  return make_graph(7, Array<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 2}, {0, 4}, {4, 6}, {2, 6}});
}

// ---- gradients

double loss_of(const Built& net, ParametersOf<double>& weights, const Batch& batch, bool backward) {
  Tape<double> tape(3);
  tape.start_training(2);
  Step<double> step(tape, weights, batch);
  const Output<double> out = net.model->forward(step);
  Var<double> loss = testing::weighed(tape, out.out);
  if (out.penalty.tape) loss = add(loss, out.penalty);
  if (backward) {
    weights.zero_grad();
    tape.backward(loss);
  }
  return *loss.value;
}

// Central differences of the loss by some of every weight's elements. Dropout masks are fixed, and
// running means are put back.
TEST(Methods, GradientsAreSlopes) {
  constexpr double h = 1e-5;
  const Graph graph = small_graph();
  const std::vector<float> weight = {1, 2, 0.5, 3, 1.5, 0.25, 2, 1};
  const std::vector<Relation> relations = {{"a", {{0, 1}, {1, 2}, {3, 1}, {0, 4}}},
                                           {"b", {{2, 3}, {3, 2}, {4, 6}, {2, 6}, {0, 1}}}};
  for_networks([&](const Variant& v, Level level) {
    for (const auto& [sparse, arcs_carry] :
         {std::pair(false, false), {true, false}, {false, true}}) {
      // cadnet's confidence is detached, so differences must not depend on it either.
      std::vector<std::string> settings = v.settings;
      if (v.method == "cadnet") settings.push_back("beta=1");
      Built net(v.method, {4, 3, level, 7, arcs_carry ? 2 : 0}, settings);
      const Matrix x = random_features(7, 4, 5);
      Batch batch = sparse ? net.batch(small_graph(), sparse_of(x), {0, 4, 7})
                           : net.batch(small_graph(), x, {0, 4, 7});
      if (arcs_carry) batch.operators = net.model->operators({graph, weight, relations});
      ParametersOf<double> weights = converted<double>(net.weights);
      Rng rng(9);  // away from zero biases, where relu has a corner
      for (const NamedParameter& p : weights.all)
        if (p.learns)
          for (int64_t i = 0; i < p.size(); i++) weights.value[p.at + i] += 0.1 * rng.normal();
      const Array<double> before = weights.value;
      loss_of(net, weights, batch, true);
      const Array<double> grad = weights.grad;
      for (const NamedParameter& p : weights.all) {
        if (!p.learns) continue;
        for (int64_t i = 0; i < p.size(); i += std::max<int64_t>(1, p.size() / 9)) {
          const auto at = size_t(p.at + i);
          double side[2];
          for (int s = 0; s < 2; s++) {
            weights.value = before;
            weights.value[at] += s == 0 ? h : -h;
            side[s] = loss_of(net, weights, batch, false);
          }
          const double slope = (side[0] - side[1]) / (2 * h);
          ASSERT_NEAR(grad[at], slope, 2e-6 * std::max({1., std::abs(slope)}))
              << p.name << " " << i
              << (sparse       ? ", sparse"
                  : arcs_carry ? ", weighted"
                               : ", dense");
        }
      }
    }
  });
}

// ---- memory

// The bytes of one step's arrays.
int64_t memory_of_step(const Built& net, const Batch& batch) {
  Parameters weights = net.weights;
  Tape<float> tape(3);
  tape.start_training(0);
  Step<float> step(tape, weights, batch);
  const Output<float> out = net.model->forward(step);
  Var<float> loss = sum(out.out);
  if (out.penalty.tape) loss = add(loss, out.penalty);
  tape.backward(loss);
  return tape.arena().used();
}

// Where scores choose nodes or edges, the graph that is left, and so its memory, is not known before.
bool chooses_by_score(const Variant& v) {
  return v.method == "asap" || v.method == "edgepool" || v.method == "topkpool";
}

// With one thread: with more, buffers depend on whether cores are contested.
TEST(Methods, MemoryOfAStepIsKnownBeforeIt) {
  const ThreadScope one(1);
  const NodeId n = 600;
  const Graph graph = random_graph(n, 0.01, 4);
  Matrix x = random_features(n, 40, 6);
  for (size_t i = 0; i < x.data.size(); i++)
    if (i % 8) x.data[i] = 0;
  Array<Offset> start;
  for (NodeId v = 0; v <= n; v += 20) start.push_back(v);
  Array<Edge> within;
  for (const Edge& e : arcs(random_graph(n, 0.1, 5)))
    if (e.from / 20 == e.to / 20) within.push_back(e);
  const Graph set = make_graph(n, std::move(within));
  for_networks([&](const Variant& v, Level level) {
    Built net(v.method, {40, 3, level, n}, v.settings);
    for (const bool sparse : {false, true}) {
      const bool nodes = level == Level::node;
      const auto features = sparse ? std::variant<Matrix, SparseFeatures>(sparse_of(x)) : x;
      const Batch batch = nodes ? net.batch(graph, features) : net.batch(set, features, start);
      int64_t known = 0;
      {
        const MetaScope meta;
        known = memory_of_step(net, batch);
      }
      const int64_t taken = memory_of_step(net, batch);
      ASSERT_GT(known, 0);
      if (chooses_by_score(v))
        EXPECT_NEAR(double(known) / double(taken), 1, 0.1);
      else
        EXPECT_EQ(known, taken) << (sparse ? "sparse" : "dense");
    }
  });
}

// ---- invariances

Graph relabelled(const Graph& graph, const std::vector<NodeId>& to) {
  Array<Edge> edges;
  for (const Edge& e : arcs(graph)) edges.push_back({to[e.from], to[e.to]});
  return make_graph(graph.num_nodes(), std::move(edges));
}

TEST(Methods, NumbersOfNodesDoNotMatter) {
  for_networks([](const Variant& v, Level level) {
    if (v.method == "graclus") return;  // matches in an order of node numbers
    if (v.method == "bgnn") return;     // has weights of each node; see bgnn_test.cc
    const NodeId n = 14;
    const Built net(v.method, {5, 3, level}, v.settings);
    const Graph graph = random_graph(n, 0.2, 4);
    const Matrix x = random_features(n, 5, 6);
    const MatrixOf<double> out = net.out(net.batch(graph, x));
    for (uint64_t seed = 0; seed < 3; seed++) {
      std::vector<NodeId> to(size_t(n), 0);
      std::iota(to.begin(), to.end(), 0);
      Rng(seed).shuffle(std::span<NodeId>(to));
      Matrix moved(n, 5);
      for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c < 5; c++) moved(to[r], c) = x(r, c);
      MatrixOf<double> expected = out;
      if (level == Level::node)
        for (int64_t r = 0; r < n; r++)
          for (int64_t c = 0; c < 3; c++) expected(to[r], c) = out(r, c);
      expect_near(net.out(net.batch(relabelled(graph, to), moved)), expected, 1e-5, "relabelled");
    }
  });
}

TEST(Methods, BatchesDoNotMatter) {
  for_networks([](const Variant& v, Level level) {
    if (v.method == "bgnn") return;  // learns one graph
    const Built net(v.method, {4, 2, level}, v.settings);
    const Graph parts[] = {random_graph(6, 0.3, 1), random_graph(1, 0, 2),
                           random_graph(9, 0.25, 3)};
    Array<Edge> edges;
    Array<Offset> start = {0};
    const Matrix x = random_features(16, 4, 8);
    MatrixOf<double> expected(level == Level::node ? 16 : 3, 2);
    int64_t row = 0;
    for (const Graph& part : parts) {
      const auto first = NodeId(start.back());
      for (const Edge& e : arcs(part)) edges.push_back({first + e.from, first + e.to});
      start.push_back(first + part.num_nodes());
      Matrix own(part.num_nodes(), 4);
      std::copy_n(x.data.begin() + first * 4, own.data.size(), own.data.begin());
      const MatrixOf<double> out = net.out(net.batch(part, own));
      for (int64_t r = 0; r < out.rows; r++, row++)
        for (int64_t c = 0; c < 2; c++) expected(row, c) = out(r, c);
    }
    // The union has motifs of its own only within the parts. `centred` and the like aside, matrices
    // of different parts do not meet.
    const Graph whole = make_graph(16, std::move(edges));
    expect_near(net.out(net.batch(whole, x, start)), expected, 1e-5, "batch");
  });
}

TEST(Methods, SparseFeaturesAreDenseOnes) {
  for_networks([](const Variant& v, Level level) {
    const Built net(v.method, {6, 3, level, 12}, v.settings);
    const Graph graph = random_graph(12, 0.25, 5);
    Matrix x = random_features(12, 6, 2);
    for (size_t i = 0; i < x.data.size(); i++)
      if (i % 3) x.data[i] = 0;
    expect_near(net.out(net.batch(graph, sparse_of(x))), net.out(net.batch(graph, x)), 1e-10,
                "sparse");
  });
}

// One arc 0 -> 1: node 1 depends on node 0, and not vice versa. Motif matrices have no entries then,
// and those of motifnet are symmetric anyway.
TEST(Methods, MessagesFollowArcs) {
  for_networks([](const Variant& v, Level level) {
    if (level == Level::graph || v.method == "motifnet") return;
    if (v.method == "bgnn") return;  // sees features only when trees are fitted
    // Has weights for both directions, of which rgcn_test.cc tests each.
    if (v.method == "rgcn" || v.settings == std::vector<std::string>{"base=rgcn", "bases=2"})
      return;
    const bool mgnn_only_motifs =
        v.method == "mgnn" && v.settings == std::vector<std::string>{"delta=false", "combine=sum"};
    if (mgnn_only_motifs) return;
    std::vector<std::string> settings = v.settings;
    // Degrees of mgnn's symmetric normalisation do not count self loops: node 0, which has no
    // in-neighbour, has degree 0 and its message weight 0.
    if (v.method == "mgnn") settings.push_back("normalisation=row");
    const Built net(v.method, {3, 2, level}, settings, 4);
    const Graph graph = make_graph(2, Array<Edge>{{0, 1}});
    const Matrix x = random_features(2, 3, 1);
    const MatrixOf<double> out = net.out(net.batch(graph, x));
    bool depends = false;
    for (const int64_t changed : {0, 1}) {
      for (uint64_t seed = 0; seed < 5; seed++) {
        Matrix y = x;
        const Matrix other = random_features(1, 3, 50 + seed);
        std::copy(other.data.begin(), other.data.end(), y.row(changed).begin());
        const MatrixOf<double> now = net.out(net.batch(graph, y));
        for (int64_t c = 0; c < 2; c++) {
          if (changed == 1) {
            ASSERT_NEAR(now(0, c), out(0, c), 1e-12);
          }
          if (changed == 0) depends |= std::abs(now(1, c) - out(1, c)) > 1e-9;
        }
      }
    }
    ASSERT_TRUE(depends);
  });
}

// ---- training

// Weights after some steps of Adam, and the last output.
struct Trained {
  Array<float> weights;
  size_t right = 0;  // items whose label the network gives
};
Trained trained(const Variant& v, Level level, const Graph& graph, const Matrix& x,
                const Array<Offset>& start, const std::vector<int32_t>& label, int64_t steps,
                bool sparse = false) {
  Built net(v.method, {x.cols, 3, level, graph.num_nodes()}, v.settings, 7);
  const Batch batch = sparse ? net.batch(graph, sparse_of(x), start) : net.batch(graph, x, start);
  std::vector<NodeId> rows(label.size());
  std::iota(rows.begin(), rows.end(), 0);
  Tape<float> tape(11);
  Adam adam(net.weights, {.learning_rate = 0.01});
  Trained result;
  for (int64_t s = 0; s < steps; s++) {
    tape.start_training(uint64_t(s));
    Step<float> step(tape, net.weights, batch);
    const Output<float> out = net.model->forward(step);
    Var<float> loss = cross_entropy<float>(out.out, label, rows);
    if (out.penalty.tape) loss = add(loss, out.penalty);
    tape.backward(loss);
    adam.step(net.weights);
  }
  const MatrixOf<double> out = net.out(batch);
  for (size_t r = 0; r < label.size(); r++) {
    const auto row = out.row(int64_t(r));
    result.right += std::max_element(row.begin(), row.end()) - row.begin() == label[r];
  }
  result.weights = net.weights.value;
  return result;
}

TEST(Methods, ThreadsDoNotMatter) {
  const NodeId n = 3000;  // enough for several threads
  const Graph graph = make_graph(n, er_edges_exactly(n, 20'000, Rng(3)).edges);
  Matrix x = random_features(n, 20, 1);
  for (size_t i = 0; i < x.data.size(); i++)
    if (i % 4) x.data[i] = 0;
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.name);
    std::vector<int32_t> label(method.supports(Level::node) ? size_t(n) : 3);
    for (size_t i = 0; i < label.size(); i++) label[i] = int32_t(mix_bits(i) % 3);
    std::vector<std::string> settings;
    if (std::string_view(method.name) == "gdc") settings = {"solver=push", "push_eps=1e-3"};
    Array<float> expected;
    for (const int threads : {1, 2}) {
      set_num_threads(threads);
      const Array<float> found = trained({method.name, settings},
                                         method.supports(Level::node) ? Level::node : Level::graph,
                                         graph, x, {0, 1000, 1500, n}, label, 2, true)
                                     .weights;
      set_num_threads(0);
      if (expected.empty()) expected = found;
      ASSERT_EQ(found, expected) << threads << " threads";
    }
  }
}

TEST(Methods, OverfitASmallGraph) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.name);
    const Level level = method.supports(Level::node) ? Level::node : Level::graph;
    Variant v{method.name, {"dropout=0", "input_dropout=0"}};
    for (const char* setting : {"motif_dropout=0", "attention_dropout=0", "entropy=0"}) try {
        set_option(method.make()->options(), setting);
        v.settings.push_back(setting);
      } catch (const Error&) {  // not one of this method's
      }
    const NodeId n = 20;
    const Graph graph = random_graph(n, 0.1, 12);
    const Matrix x = random_features(n, 16, 3);
    Rng rng(2);
    std::vector<int32_t> label;
    for (NodeId i = 0; i < (level == Level::node ? n : 5); i++)
      label.push_back(int32_t(rng.below(3)));
    EXPECT_EQ(trained(v, level, graph, x, {0, 4, 8, 12, 16, 20}, label, 400).right, label.size());
  }
}

// ---- inputs that are hardly any

TEST(Methods, TakeGraphsWithoutArcsOrWithOneNode) {
  for_networks([](const Variant& v, Level level) {
    for (const NodeId n : {1, 5}) {
      const Built net(v.method, {3, 2, level, n}, v.settings);
      const Graph graph = make_graph(n, Array<Edge>{});
      for (const bool zero : {false, true}) {
        const Matrix x = zero ? Matrix(n, 3) : random_features(n, 3, 1);
        const MatrixOf<double> out = net.out(net.batch(graph, x));
        ASSERT_EQ(out.rows, level == Level::node ? n : 1);
        for (const double value : out.data) ASSERT_TRUE(std::isfinite(value));
      }
      Variant once = v;
      trained(once, level, graph, random_features(n, 3, 1), {0, n},
              std::vector<int32_t>(level == Level::node ? size_t(n) : 1, 1), 2);
    }
  });
}

TEST(Methods, RepeatedArcsCountOnce) {
  for (const Method& method : methods()) {
    const Built net(method.name,
                    {3, 2, method.supports(Level::graph) ? Level::graph : Level::node, 3});
    const Matrix x = random_features(3, 3, 1);
    const Graph once = make_graph(3, Array<Edge>{{0, 1}, {1, 2}, {2, 0}});
    const Graph twice = make_graph(3, Array<Edge>{{0, 1}, {1, 2}, {0, 1}, {2, 0}, {1, 1}});
    expect_near(net.out(net.batch(once, x)), net.out(net.batch(twice, x)), 0, method.name);
  }
}

TEST(Methods, ZeroWeightsGiveTheSameForAll) {
  for_networks([](const Variant& v, Level level) {
    Built net(v.method, {3, 2, level, 7}, v.settings);
    for (const NamedParameter& p : net.weights.all)
      if (p.learns) net.set_all(p.name, 0);
    const MatrixOf<double> out = net.out(net.batch(small_graph(), random_features(7, 3, 1)));
    for (const double value : out.data) ASSERT_EQ(value, 0);
  });
}

TEST(Methods, UnknownNamesAreReported) {
  EXPECT_EQ(error_of([] { find_method("gta"); }), "there is no model \"gta\"; did you mean gat?");
}

TEST(Methods, RefuseInvalidOptions) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"gcn", "layers=[]", "layers is empty; use at least one, as in layers=[16]"},
      {"gcn", "dropout=1", "dropout is 1; use 0 <= p < 1"},
      {"sage", "input_dropout=1.5", "input_dropout is 1.5; use 0 <= p < 1"},
      {"gat", "heads=0", "heads is 0; use at least 1"},
      {"gat", "attention_dropout=2", "attention_dropout is 2; use 0 <= p < 1"},
      {"mixhop", "powers=[]", "powers is empty; use at least one, as in powers=[0, 1, 2]"},
      {"mixhop", "powers=x",
       "powers is \"x\", which is not a whole number up to 9223372036854775807"},
      {"mixhop", "powers=100", "powers has 100; use at most 64"},
      {"motifnet", "motifs=none", "motifnet needs at least one motif"},
      {"cadnet", "beta=2", "beta is 2; use 0 to 1"},
      {"egat", "gats=0", "an ensemble needs at least one module"},
      {"topkpool", "ratio=0", "ratio is 0; use 0 < ratio <= 1"},
  };
  for (const auto& [method, setting, message] : cases)
    EXPECT_EQ(error_of([&] { Built(method, {3, 2, Level::graph}, {setting}); }), message);
  EXPECT_EQ(error_of([] {
              Built("asap", {3, 2, Level::node});
            }),
            "pooling has an output for each graph, none for nodes");
}

}  // namespace
}  // namespace mgnn
