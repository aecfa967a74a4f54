// Weights of arcs, against dense matrices that are written down here anew.
#include "mgnn/data/embedded.h"
#include "mgnn/models/batch.h"
#include "mgnn/models/operators.h"
#include "tests/models/built.h"
#include "tests/reference/motif_reference.h"

namespace mgnn {
namespace {

using testing::Built, testing::error_of, testing::expect_near, testing::make_network,
    testing::random_features, testing::random_graph;

using Dense = MatrixOf<double>;

struct Weighted {
  Graph graph;
  Array<float> weight;

  explicit Weighted(uint64_t seed, NodeId nodes = 12) : graph(random_graph(nodes, 0.25, seed)) {
    Rng rng(seed + 100);
    for (Offset e = 0; e < graph.num_arcs(); e++) weight.push_back(float(1 + rng.below(16)) / 4);
  }
  GraphView view() const { return {graph, weight}; }
  NodeId nodes() const { return graph.num_nodes(); }

  // w(i, j): the weight of j -> i.
  Dense messages(bool loops) const {
    Dense w(nodes(), nodes());
    for (NodeId j = 0; j < nodes(); j++) {
      for (Offset e = graph.out.start[j]; e < graph.out.start[j + 1]; e++)
        w(graph.out.index[e], j) = double(weight[e]);
      if (loops) w(j, j) = 1;
    }
    return w;
  }
};

Dense dense_of(const Operator& op) {
  Dense m(op.pattern.rows, op.pattern.cols);
  for (NodeId r = 0; r < op.pattern.rows; r++)
    for (Offset e = op.pattern.start[r]; e < op.pattern.start[r + 1]; e++)
      m(r, op.pattern.index[e]) = double(op.value[e]);
  return m;
}

double row_sum_of(const Dense& w, int64_t i) {
  double sum = 0;
  for (int64_t j = 0; j < w.cols; j++) sum += w(i, j);
  return sum;
}
double column_sum_of(const Dense& w, int64_t j) {
  double sum = 0;
  for (int64_t i = 0; i < w.rows; i++) sum += w(i, j);
  return sum;
}

// w(i, j) left(i) right(j)
template <class Left, class Right>
Dense scaled(Dense w, Left left, Right right) {
  const Dense given = w;
  for (int64_t i = 0; i < w.rows; i++)
    for (int64_t j = 0; j < w.cols; j++)
      w(i, j) = given(i, j) == 0 ? 0 : given(i, j) * left(given, i) * right(given, j);
  return w;
}
double one(const Dense&, int64_t) { return 1; }
double root_row(const Dense& w, int64_t i) {
  const double sum = row_sum_of(w, i);
  return sum > 0 ? 1 / std::sqrt(sum) : 0;
}
double root_column(const Dense& w, int64_t j) { return 1 / std::sqrt(column_sum_of(w, j)); }
double inverse_row(const Dense& w, int64_t i) { return 1 / row_sum_of(w, i); }
double inverse_column(const Dense& w, int64_t j) { return 1 / column_sum_of(w, j); }

TEST(ArcWeights, NormaliseMessages) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Weighted g(seed);
    for (const bool loops : {false, true}) {
      const Dense w = g.messages(loops);
      const auto found = [&](MessageNorm norm) {
        return dense_of(
            message_operator(g.view(), norm, loops ? SelfLoops::added : SelfLoops::none));
      };
      expect_near(found(MessageNorm::none), w, 1e-6, "none");
      expect_near(found(MessageNorm::row), scaled(w, inverse_row, one), 1e-6, "row");
      expect_near(found(MessageNorm::col), scaled(w, one, inverse_column), 1e-6, "col");
      expect_near(found(MessageNorm::sym_in), scaled(w, root_row, root_row), 1e-6, "sym-in");
      expect_near(found(MessageNorm::both), scaled(w, root_row, root_column), 1e-6, "both");
    }
  }
}

TEST(ArcWeights, NormaliseTheBaseOfMgnn) {
  const Weighted g(5);
  const Dense w = g.messages(false);
  const auto found = [&](Normalisation kind) {
    return dense_of(normalised_adjacency(g.view(), kind));
  };
  expect_near(found(Normalisation::none), w, 1e-6, "none");
  expect_near(found(Normalisation::row), scaled(w, inverse_row, one), 1e-6, "row");
  expect_near(found(Normalisation::symmetric), scaled(w, root_row, root_row), 1e-6, "symmetric");
  // -Âᵀ of A itself, whose rows are the columns of w.
  Dense published = scaled(
      w,
      [](const Dense& m, int64_t i) {
        const double s = column_sum_of(m, i);
        return s > 0 ? 1 / std::sqrt(s) : 0.;
      },
      root_column);
  for (double& v : published.data) v = -v;
  expect_near(found(Normalisation::published), published, 1e-6, "published");
}

// Networks whose one operator is known.
TEST(ArcWeights, ReachTheOperatorsOfNetworks) {
  const Weighted g(6);
  const Dense loops = g.messages(true), bare = g.messages(false);
  const auto operators = [&](const char* method, const std::vector<std::string>& settings = {}) {
    return dense_of(make_network(method, settings)->operators(g.view()).adjacency);
  };
  expect_near(operators("gcn"), scaled(loops, root_row, root_row), 1e-6, "gcn");
  expect_near(operators("mixhop"), scaled(loops, root_row, root_row), 1e-6, "mixhop");
  expect_near(operators("gin"), bare, 1e-6, "gin");
  expect_near(operators("sage", {"aggregate=mean"}), scaled(bare, inverse_row, one), 1e-6, "sage");
  expect_near(operators("mgnn"), scaled(bare, root_row, root_row), 1e-6, "mgnn");
  expect_near(operators("mgnn", {"base=sage"}), scaled(bare, inverse_row, one), 1e-6, "base=sage");
  expect_near(operators("mgnn", {"base=gin"}), loops, 1e-6, "base=gin");
}

// S = a Σ_k (1 - a)^k T^k, columns scaled to 1.
TEST(ArcWeights, ReachTheDiffusionOfGdc) {
  const Weighted g(7);
  const Dense t = scaled(g.messages(true), root_row, root_row);
  const NodeId n = g.nodes();
  Dense power(n, n), s(n, n);
  for (NodeId i = 0; i < n; i++) power(i, i) = 1;
  double factor = 0.2;
  for (int k = 0; k < 200; k++, factor *= 0.8) {
    for (size_t e = 0; e < s.data.size(); e++) s.data[e] += factor * power.data[e];
    Dense next(n, n);
    for (NodeId i = 0; i < n; i++)
      for (NodeId j = 0; j < n; j++)
        for (NodeId m = 0; m < n; m++) next(i, j) += t(i, m) * power(m, j);
    power = next;
  }
  const Dense expected = scaled(s, one, inverse_column);
  for (const char* solver : {"solver=exact", "solver=push"}) {
    const auto gdc = make_network(
        "gdc", {"alpha=0.2", "top=100", solver, "push_eps=1e-12", "push_arcs=100000000"});
    expect_near(dense_of(gdc->operators(g.view()).adjacency), expected, 1e-5, solver);
  }
}

// α_ij proportional to w_ij exp(e_ij), of one head, with e_ij known: features are one-hot, W the
// identity.
TEST(ArcWeights, ScaleAttention) {
  const Weighted g(8);
  const NodeId n = g.nodes();
  Matrix x(n, n);
  for (NodeId i = 0; i < n; i++) x(i, i) = 1;
  const std::string width = fmt::format("layers=[{}]", n);
  std::vector<float> source, target;
  Rng rng(3);
  for (NodeId i = 0; i < n; i++) {
    source.push_back(float(rng.normal()));
    target.push_back(float(rng.normal()));
  }
  const Dense w = g.messages(true);
  Dense expected(n, n);
  for (NodeId i = 0; i < n; i++) {
    double sum = 0;
    for (NodeId j = 0; j < n; j++) {
      const double score = double(target[i]) + double(source[j]);
      expected(i, j) = w(i, j) * std::exp(score > 0 ? score : 0.2 * score);
      sum += expected(i, j);
    }
    for (NodeId j = 0; j < n; j++) expected(i, j) /= sum;
  }
  Built net("gat", {n, 2}, {"heads=1", width});
  net.set_identity("layer1.weight");
  net.set("layer1.attention.source", source);
  net.set("layer1.attention.target", target);
  Batch batch = net.batch(g.graph, x);
  batch.operators = net.model->operators(g.view());
  expect_near(net.representation(batch), expected, 1e-6, "gat");  // elu of what is positive

  Built mgnn("mgnn", {n, 2}, {"base=gat", "motifs=none", width});
  mgnn.set_identity("layer1.weight");
  mgnn.set("layer1.attention.source", source);
  mgnn.set("layer1.attention.target", target);
  batch.operators = mgnn.model->operators(g.view());
  expect_near(mgnn.representation(batch), expected, 1e-6, "mgnn");
}

// GATv2: two parallel arcs from j are two copies of j, each with an arc of its own.
TEST(ArcWeights, OfTwoAreTwoCopiesOfTheSender) {
  const Graph twice = make_graph(3, Array<Edge>{{0, 2}, {1, 2}});
  const Graph copies = make_graph(4, Array<Edge>{{0, 2}, {1, 2}, {3, 2}});
  const std::vector<float> weight = {1, 2};  // 0 -> 2, 1 -> 2
  Matrix x = random_features(3, 5, 1), y(4, 5);
  std::copy(x.data.begin(), x.data.end(), y.data.begin());
  std::copy_n(x.row(1).begin(), 5, y.row(3).begin());
  for (const auto& [method, setting] :
       std::vector<std::pair<std::string, std::string>>{{"gat", "v2=true"},
                                                        {"gat", "v2=false"},
                                                        {"sage", "aggregate=mean"},
                                                        {"gin", "batch_norm=false"},
                                                        {"gcn", "norm=row"},
                                                        {"mgnn", "base=gat"},
                                                        {"mgnn", "base=sage"}}) {
    std::vector<std::string> settings = {setting};
    if (method == "mgnn") settings.push_back("motifs=none");  // a copy has motifs of its own
    const Built net(method, {5, 3}, settings);
    Batch batch = net.batch(twice, x);
    const Dense unweighted = net.out(batch);
    batch.operators = net.model->operators({twice, weight});
    const Dense found = net.out(batch), expected = net.out(net.batch(copies, y));
    double change = 0;
    for (int64_t c = 0; c < 3; c++) {
      EXPECT_NEAR(found(2, c), expected(2, c), 1e-5) << method << " " << setting;
      change += std::abs(found(2, c) - unweighted(2, c));
    }
    EXPECT_GT(change, 1e-4) << method << " " << setting;
  }
}

// Operators of weights that are all 1 have the bits of those without weights.
TEST(ArcWeights, OfOneChangeNothing) {
  const Graph graph = random_graph(15, 0.2, 3);
  const std::vector<float> ones(size_t(graph.num_arcs()), 1.f);
  for (const Method& method : methods()) {
    const auto model = method.make();
    const Operators a = model->operators(graph), b = model->operators({graph, ones});
    EXPECT_EQ(a.adjacency.value, b.adjacency.value) << method.name;
    EXPECT_EQ(a.adjacency.transposed_value, b.adjacency.transposed_value) << method.name;
    for (const float w : b.log_weight) EXPECT_EQ(w, 0.f);
  }
}

// Motif matrices of MGNN: those of the definition, normalised, with the bits of counts where all weights are 1.
TEST(ArcWeights, WeighMotifsWhereAsked) {
  const Weighted g(9);
  const auto n = size_t(g.nodes());
  for (const MotifWeights weights : {MotifWeights::mean, MotifWeights::product}) {
    const auto model = make_network("mgnn", {fmt::format("motif_weights={}", name_of(weights)),
                                             "normalisation=row", "fused=false"});
    EXPECT_EQ(model->motif_weights(), weights);
    const Operators operators = model->operators(g.view());
    for (int k = 1; k <= kNumMotifs; k++) {
      const std::vector<double> expected = reference::weighted_motif_matrix(
          g.graph, g.weight, weights, k, Counting::subgraph, Entry::edge);
      const Dense found = dense_of(operators.motifs.separate[size_t(k) - 1]);
      for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += expected[i * n + j];
        for (size_t j = 0; j < n; j++)
          EXPECT_NEAR(found(int64_t(i), int64_t(j)), sum > 0 ? expected[i * n + j] / sum : 0, 1e-6);
      }
    }
    const std::vector<float> ones(g.weight.size(), 1.f);
    const Operators counted = model->operators(g.graph),
                    weighted = model->operators({g.graph, ones});
    for (size_t k = 0; k < kNumMotifs; k++)
      EXPECT_EQ(counted.motifs.separate[k].value, weighted.motifs.separate[k].value);
  }
  const auto none = make_network("mgnn", {"base=none", "motif_weights=mean"});
  EXPECT_EQ(none->arc_weights(), ArcWeights::non_negative);
  EXPECT_EQ(make_network("mgnn", {"motifs=none"})->motif_weights(), std::nullopt);
}

// ---- weights that a network cannot use

Dataset with_weight(float weight) {
  Dataset data = karate_dataset();
  data.features = random_features(data.graph.num_nodes(), 3, 1);
  data.arc_weight.assign(size_t(data.graph.num_arcs()), 1.f);
  data.arc_weight[17] = weight;
  return data;
}

TEST(ArcWeights, ThatCannotBeUsedAreRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  struct Case {
    const char *method, *setting;
    std::vector<float> refused, taken;
  };
  for (const Case& c : std::vector<Case>{
           {"gcn", "loops=true", {-1, nan, inf, -inf}, {0, 2}},
           {"gcn", "norm=none", {nan, inf}, {-1, 0, 2}},
           {"gin", "eps=0", {nan, -inf}, {-1, 0, 2}},
           {"sage", "aggregate=mean", {-1, nan, inf}, {0, 2}},
           {"sage", "aggregate=max", {}, {-1, nan, inf}},
           {"gat", "heads=2", {0, -1, nan, inf}, {0.5, 2}},
           {"mgnn", "base=gcn", {-1, nan}, {0, 2}},
           {"mgnn", "base=gat", {0, -1}, {2}},
           {"mgnn", "base=none", {}, {-1, nan}},
           {"gdc", "top=4", {-1, inf}, {0, 2}},
           {"mixhop", "norm=row", {-1, nan}, {0, 2}},
       }) {
    SCOPED_TRACE(fmt::format("{} {}", c.method, c.setting));
    const auto model = make_network(c.method, {c.setting});
    for (const float w : c.taken) EXPECT_NO_THROW(whole_batch(with_weight(w), *model)) << w;
    for (const float w : c.refused) {
      try {
        whole_batch(with_weight(w), *model);
        ADD_FAILURE() << w << " is taken";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        EXPECT_NE(std::string(error.what()).find(fmt::format("has weight {},", w)),
                  std::string::npos)
            << error.what();
        EXPECT_EQ(error.hint(), Hint(Hint::setting, "data.weighted=false"));
      }
    }
  }
  const auto gcn = make_network("gcn");
  const Dataset data = with_weight(-1);
  EXPECT_EQ(error_of([&] { check_arc_weights(data, *gcn); }),
            ("karate: the arc 2 -> 3 has weight -1, but the network needs finite, "
             "non-negative weights"));
}

// whole_batch gives weights only to networks that use them, and then those of the dataset.
TEST(ArcWeights, AreThoseOfTheDataset) {
  const Dataset data = with_weight(5);
  const auto gcn = make_network("gcn");
  EXPECT_EQ(whole_batch(data, *gcn).operators.adjacency.value,
            gcn->operators({data.graph, data.arc_weight}).adjacency.value);
  EXPECT_NE(whole_batch(data, *gcn).operators.adjacency.value,
            gcn->operators(data.graph).adjacency.value);
}

}  // namespace
}  // namespace mgnn
