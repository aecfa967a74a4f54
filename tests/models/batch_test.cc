#include "mgnn/models/batch.h"

#include <numeric>

#include "mgnn/data/features.h"
#include "mgnn/graph/components.h"
#include "mgnn/models/methods.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::random_graph;

// A union of random directed graphs, among them empty ones and ones of one node.
struct Set {
  Graph graph;
  Array<Offset> start = {0};
};

Set random_set(int graphs, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  Set set;
  for (int g = 0; g < graphs; g++) {
    const auto nodes = NodeId(g == 1 ? 0 : g == 2 ? 1 : 1 + rng.below(12));
    const NodeId first = NodeId(set.start.back());
    if (g % 4 != 3)  // every fourth has no edges
      for (const Edge& e : arcs(random_graph(nodes, 0.3, seed * 1000 + uint64_t(g))))
        edges.push_back({first + e.from, first + e.to});
    set.start.push_back(first + nodes);
  }
  set.graph = make_graph(NodeId(set.start.back()), std::move(edges));
  return set;
}

Array<NodeId> nodes_of(const Set& set, const std::vector<NodeId>& graphs) {
  Array<NodeId> nodes;
  for (const NodeId g : graphs)
    for (Offset u = set.start[g]; u < set.start[g + 1]; u++) nodes.push_back(NodeId(u));
  return nodes;
}

Array<float> random_values(size_t size, uint64_t seed) {
  Array<float> values(size);
  Rng rng(seed);
  for (float& v : values) v = float(rng.normal());
  return values;
}

void expect_same(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.index, b.index);
}

// Values of chosen rows, `count` for every non-zero.
Array<float> values_of_rows(const Csr& p, const Array<float>& value, int64_t count,
                            const Array<NodeId>& rows) {
  Array<float> picked;
  for (const NodeId r : rows)
    for (Offset i = p.start[r] * count; i < p.start[r + 1] * count; i++) picked.push_back(value[i]);
  return picked;
}

void expect_same(const Operator& a, const Operator& b) {
  expect_same(a.pattern, b.pattern);
  EXPECT_EQ(a.value, b.value);
  expect_same(a.back(), b.back());
  EXPECT_EQ(a.back_value(), b.back_value());
}

void expect_same(const Pattern& a, const Pattern& b) {
  expect_same(a.rows, b.rows);
  expect_same(a.columns, b.columns);
  EXPECT_EQ(a.place, b.place);
}

TEST(SliceBatch, IsWhatTheGraphsByThemselvesGive) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    const Set set = random_set(12, seed);
    const Csr& p = set.graph.in;
    const auto nnz = size_t(p.nnz());
    Batch all;
    all.num_nodes = set.graph.num_nodes();
    all.graph_start = set.start;
    const SparseMatrix x = one_hot_degree(set.graph);
    all.x = make_sparse_features(x);
    const Array<float> three = random_values(3 * nnz, seed),
                       two = random_values(2 * nnz, seed + 99);
    all.operators = {.adjacency = make_operator(p, Array<float>(nnz, 1.f)),
                     .neighbours = make_pattern(p),
                     .motifs = {.set = MotifSet::closed(),
                                .map = {2, {0, 1, 0}, {1.f, 2.f, 3.f}},
                                .interleaved = make_operator(p, three, 3),
                                .separate = {Operator{}, make_operator(p, three, 3)},
                                .pattern = make_pattern(p),
                                .value = two}};

    std::vector<NodeId> chosen(12);
    std::iota(chosen.begin(), chosen.end(), 0);
    Rng(seed).shuffle(std::span(chosen));
    chosen.resize(1 + seed % 9);
    std::sort(chosen.begin(), chosen.end());  // for induced_subgraph
    const Array<NodeId> nodes = nodes_of(set, chosen);
    const Csr own = induced_subgraph(set.graph, nodes).in;
    const Batch part = slice_batch(all, chosen);

    EXPECT_EQ(part.num_nodes, NodeId(nodes.size()));
    EXPECT_EQ(part.num_graphs(), int64_t(chosen.size()));
    const MotifOperators& motifs = part.operators.motifs;
    expect_same(part.operators.adjacency, make_operator(own, Array<float>(own.index.size(), 1.f)));
    expect_same(part.operators.neighbours, make_pattern(own));
    EXPECT_EQ(part.operators.neighbours_and_self.rows.rows, 0);
    EXPECT_EQ(motifs.set, MotifSet::closed());
    EXPECT_EQ(motifs.map.index, (std::vector<int32_t>{0, 1, 0}));
    const Operator interleaved = make_operator(own, values_of_rows(p, three, 3, nodes), 3);
    expect_same(motifs.interleaved, interleaved);
    ASSERT_EQ(motifs.separate.size(), 2u);
    EXPECT_EQ(motifs.separate[0].pattern.rows, 0);
    expect_same(motifs.separate[1], interleaved);
    expect_same(motifs.pattern, make_pattern(own));
    EXPECT_EQ(motifs.value, values_of_rows(p, two, 2, nodes));

    SparseMatrix rows{{NodeId(nodes.size()), x.pattern.cols, {0}, {}}, {}};
    for (const NodeId u : nodes) {
      for (const NodeId c : x.pattern.row(u)) rows.pattern.index.push_back(c);
      rows.pattern.start.push_back(Offset(rows.pattern.index.size()));
    }
    rows.value = Array<float>(rows.pattern.index.size(), 1.f);
    const SparseFeatures features = make_sparse_features(rows);
    const auto& sliced = std::get<SparseFeatures>(part.x);
    expect_same(sliced.pattern, features.pattern);
    expect_same(sliced.transposed, features.transposed);
    EXPECT_EQ(sliced.value, features.value);
    EXPECT_EQ(sliced.transposed_value, features.transposed_value);
    EXPECT_EQ(sliced.place, features.place);
  }
}

// Slicing again into the same batch leaves nothing of the slice before.
TEST(SliceBatch, ReusesMemory) {
  const Set set = random_set(10, 5);
  Batch all;
  all.num_nodes = set.graph.num_nodes();
  all.graph_start = set.start;
  all.x = degree_profile(set.graph);
  const auto gcn = make_gcn();
  all.operators = gcn->operators(set.graph);
  Batch part;
  for (const std::vector<NodeId>& graphs :
       {std::vector<NodeId>{0, 4, 5, 6, 8}, std::vector<NodeId>{2}, std::vector<NodeId>{9, 0, 9},
        std::vector<NodeId>{}}) {
    slice_batch(all, graphs, part);
    const Batch fresh = slice_batch(all, graphs);
    EXPECT_EQ(part.graph_start, fresh.graph_start);
    EXPECT_EQ(std::get<Matrix>(part.x).data, std::get<Matrix>(fresh.x).data);
    expect_same(part.operators.adjacency, fresh.operators.adjacency);
  }
}

// Every network that is made for graphs: a graph's output in any batch is the one it has alone,
// with operators made for it alone.
TEST(SliceBatch, OutputsDoNotDependOnTheBatch) {
  const std::vector<std::vector<std::string>> variants = {
      {}, {"readout=mean"}, {"readout=max"}, {"readout=attention"}};
  for (const Method& method : methods()) {
    if (!method.supports(Level::graph)) continue;
    for (const std::vector<std::string>& settings : variants) {
      const Set set = random_set(9, 3);
      const std::unique_ptr<Model> model = method.make();
      for (const std::string& one : settings) set_option(model->options(), one);
      Batch all;
      all.num_nodes = set.graph.num_nodes();
      all.graph_start = set.start;
      all.x = degree_profile(set.graph);
      all.operators = model->operators(set.graph);
      Parameters weights;
      Rng rng(1);
      model->build({5, 3, Level::graph}, weights, rng);

      const auto output = [&](const Batch& batch) {
        Tape<float> tape;
        tape.start_evaluation();
        Step<float> step(tape, weights, batch);
        const Var<float> out = model->forward(step).out;
        return std::vector<float>(out.value, out.value + out.size());
      };
      const std::vector<NodeId> mixed = {7, 1, 3, 0, 2, 8};
      const std::vector<float> together = output(slice_batch(all, mixed));
      for (size_t i = 0; i < mixed.size(); i++) {
        const std::vector<NodeId> one = {mixed[i]};
        const Array<NodeId> nodes = nodes_of(set, one);
        Batch alone = slice_batch(all, one);
        alone.operators = model->operators(induced_subgraph(set.graph, nodes));
        const std::vector<float> by_itself = output(alone);
        for (size_t c = 0; c < 3; c++) {
          EXPECT_TRUE(std::isfinite(by_itself[c]));
          EXPECT_NEAR(together[3 * i + c], by_itself[c], 1e-4 * (1 + std::abs(by_itself[c])))
              << method.name << " graph " << mixed[i];
        }
      }
    }
  }
}

}  // namespace
}  // namespace mgnn
