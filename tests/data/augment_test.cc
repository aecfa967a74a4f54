#include "mgnn/data/augment.h"

#include <algorithm>
#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

constexpr NodeId kWhole[] = {0};

Dataset with_features(Graph graph, bool sparse, int columns = 10) {
  Dataset d;
  d.name = "random";
  const NodeId n = graph.num_nodes();
  d.graph = std::move(graph);
  Matrix x(n, columns);
  for (float& v : x.data) v = 1 + float(&v - x.data.data());  // no zeros, all different
  if (!sparse) {
    d.features = x;
    return d;
  }
  SparseMatrix s;
  s.pattern.rows = n, s.pattern.cols = columns;
  for (NodeId r = 0; r < n; r++) {
    for (NodeId c = 0; c < columns; c++) s.pattern.index.push_back(c), s.value.push_back(x(r, c));
    s.pattern.start.push_back(Offset(s.pattern.index.size()));
  }
  d.features = s;
  return d;
}

Matrix dense(const Features& features) {
  if (const auto* matrix = std::get_if<Matrix>(&features)) return *matrix;
  const auto& s = std::get<SparseMatrix>(features);
  Matrix x(s.pattern.rows, s.pattern.cols);
  for (NodeId r = 0; r < s.pattern.rows; r++)
    for (Offset e = s.pattern.start[size_t(r)]; e < s.pattern.start[size_t(r) + 1]; e++)
      x(r, s.pattern.index[size_t(e)]) = s.value[size_t(e)];
  return x;
}

size_t joined_pairs(const Graph& graph) {
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (const Edge& e : arcs(graph)) pairs.insert(std::minmax(e.from, e.to));
  return pairs.size();
}

// The view has arcs of the graph only, and u -> v with v -> u or neither.
void expect_part(const Dataset& d, const Views& v) {
  for (const Edge& e : arcs(v.data.graph)) {
    const NodeId from = v.node[size_t(e.from)], to = v.node[size_t(e.to)];
    EXPECT_TRUE(d.graph.has_arc(from, to));
    EXPECT_EQ(d.graph.has_arc(to, from), v.data.graph.has_arc(e.to, e.from));
  }
  EXPECT_NO_THROW(validate(v.data));
}

TEST(Augment, LeavesOutExactlyTheShare) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    const Dataset d = with_features(random_graph(NodeId(1 + seed * 3), 0.2, seed), seed % 2);
    const auto n = size_t(d.graph.num_nodes());
    const size_t pairs = joined_pairs(d.graph);
    for (const double ratio : {0., 0.1, 0.3, 0.95}) {
      const auto view = [&](Augmentation kind) {
        return make_views(d, kWhole, 1, {.kinds = {kind}, .ratio = ratio}, Rng(seed));
      };
      const auto share = [&](size_t of) { return size_t(ratio * double(of) + 1e-9); };
      const size_t left = n - std::min(share(n), n - 1);
      for (const Augmentation kind : {Augmentation::drop_nodes, Augmentation::subgraph}) {
        const Views v = view(kind);
        EXPECT_EQ(v.node.size(), left);
        EXPECT_TRUE(std::is_sorted(v.node.begin(), v.node.end()));
        expect_part(d, v);
        // All arcs among the nodes that stay are there.
        EXPECT_TRUE(v.data.graph.out.index == induced_subgraph(d.graph, v.node).out.index);
      }
      const Views edges = view(Augmentation::drop_edges);
      EXPECT_EQ(edges.node.size(), n);
      EXPECT_EQ(joined_pairs(edges.data.graph), pairs - share(pairs));
      expect_part(d, edges);
      const Matrix nodes = dense(view(Augmentation::mask_nodes).data.features);
      const Matrix columns = dense(view(Augmentation::mask_columns).data.features);
      const Matrix whole = dense(d.features);
      size_t zero_rows = 0, zero_columns = 0;
      for (size_t r = 0; r < n; r++) zero_rows += nodes(int64_t(r), 0) == 0;
      for (int64_t c = 0; c < 10; c++) zero_columns += columns(0, c) == 0;
      EXPECT_EQ(zero_rows, n - left);
      EXPECT_EQ(zero_columns, share(10));
      for (int64_t r = 0; r < int64_t(n); r++)
        for (int64_t c = 0; c < 10; c++) {
          EXPECT_EQ(nodes(r, c), nodes(r, 0) == 0 ? 0 : whole(r, c));
          EXPECT_EQ(columns(r, c), columns(0, c) == 0 ? 0 : whole(r, c));
        }
    }
  }
}

// On a path what grows from one node stays in one piece.
TEST(Augment, SubgraphsGrowAlongEdges) {
  Array<Edge> edges;
  for (NodeId u = 0; u + 1 < 30; u++) edges.push_back({u, u + 1});
  const Dataset d = with_features(make_graph(30, std::move(edges)), false);
  for (uint64_t seed = 0; seed < 30; seed++) {
    const Views v =
        make_views(d, kWhole, 1, {.kinds = {Augmentation::subgraph}, .ratio = 0.5}, Rng(seed));
    ASSERT_EQ(v.node.size(), 15u);
    EXPECT_EQ(v.node.back() - v.node.front(), 14);
  }
}

TEST(Augment, ViewsFollowFromTheSeedAndTheGraphAlone) {
  const Dataset d = triads_dataset({.graphs = 12}, 0);
  const AugmentOptions options = {.kinds = {Augmentation::drop_nodes, Augmentation::drop_edges},
                                  .ratio = 0.3};
  const auto arcs_of = [&](const Views& v, NodeId graph) {
    std::vector<Edge> found;
    const NodeId first = v.data.graph_start[size_t(graph)],
                 last = v.data.graph_start[size_t(graph) + 1];
    for (const Edge& e : arcs(v.data.graph))
      if (e.from >= first && e.from < last)
        found.push_back({v.node[size_t(e.from)], v.node[size_t(e.to)]});
    return found;
  };
  const NodeId some[] = {7, 2, 9}, other[] = {2};
  set_num_threads(3);
  const Views many = make_views(d, some, 2, options, Rng(5));
  set_num_threads(1);
  const Views single = make_views(d, other, 2, options, Rng(5));
  set_num_threads(0);
  ASSERT_EQ(many.data.num_graphs(), 6);
  EXPECT_TRUE(arcs_of(many, 1) == arcs_of(single, 0));
  EXPECT_TRUE(arcs_of(many, 4) == arcs_of(single, 1));
  EXPECT_FALSE(arcs_of(single, 0) == arcs_of(single, 1));
  EXPECT_FALSE(arcs_of(single, 0) == arcs_of(make_views(d, other, 1, options, Rng(6)), 0));
  EXPECT_NO_THROW(validate(many.data));
}

TEST(Augment, OneOfSeveralIsDrawnForEveryGraph) {
  const Dataset d = triads_dataset({.graphs = 60}, 0);
  std::vector<NodeId> every(60);
  for (NodeId g = 0; g < 60; g++) every[size_t(g)] = g;
  const Views v = make_views(
      d, every, 1,
      {.kinds = {Augmentation::drop_nodes, Augmentation::drop_edges}, .one = true, .ratio = 0.5},
      Rng(1));
  int fewer_nodes = 0;
  for (NodeId g = 0; g < 60; g++)
    fewer_nodes += v.data.graph_start[size_t(g) + 1] - v.data.graph_start[size_t(g)] <
                   d.graph_start[size_t(g) + 1] - d.graph_start[size_t(g)];
  EXPECT_GT(fewer_nodes, 10);
  EXPECT_LT(fewer_nodes, 50);
}

TEST(Augment, NodesWithoutArcsAndGraphsWithoutNodes) {
  for (const NodeId n : {0, 1, 5}) {
    const Dataset d = with_features(make_graph(n, {}), false);
    const Views v = make_views(
        d, kWhole, 2,
        {.kinds = {Augmentation::subgraph, Augmentation::drop_edges, Augmentation::drop_nodes,
                   Augmentation::mask_nodes, Augmentation::mask_columns},
         .ratio = 0.9},
        Rng(0));
    EXPECT_EQ(v.data.num_graphs(), 2);
    EXPECT_EQ(v.node.size(), n == 0 ? 0u : 2u);
  }
}

TEST(Augment, SettingsAreChecked) {
  AugmentOptions o;
  const Options options = augment_options(o);
  set_option(options, "augment=subgraph,drop-nodes");
  EXPECT_TRUE((o.kinds == std::vector{Augmentation::subgraph, Augmentation::drop_nodes}));
  EXPECT_EQ(text_of(options[0].get()), "subgraph,drop-nodes");
  EXPECT_NE(error_of([&] { set_option(options, "augment=drop-node"); }).find("drop-nodes"),
            std::string::npos);
  o.ratio = 1;
  EXPECT_EQ(error_of([&] { check_augment(o); }),
            "augment_ratio is 1; it must be from 0 to below 1");
}

// Weights and relations of a view are those of its arcs.
TEST(Augment, ArcsKeepWhatTheyCarry) {
  for (const bool set : {false, true})
    for (uint64_t seed = 0; seed < 5; seed++) {
      Dataset d = with_features(random_graph(30, 0.2, seed), false);
      if (set) {  // two graphs: no arcs between them
        Array<Edge> within;
        for (const Edge& e : arcs(d.graph))
          if ((e.from < 12) == (e.to < 12)) within.push_back(e);
        d.graph = make_graph(30, within);
        d.graph_start = {0, 12, 30};
      }
      d.relations = {{"a", {}}, {"b", {}}};
      for (const Edge& e : arcs(d.graph)) {
        d.arc_weight.push_back(float(e.from * 100 + e.to));
        d.relations[size_t(e.from + e.to) % 2].edges.push_back(e);
      }
      std::reverse(d.relations[0].edges.begin(), d.relations[0].edges.end());
      for (const Augmentation kind :
           {Augmentation::drop_nodes, Augmentation::drop_edges, Augmentation::mask_columns}) {
        const std::vector<NodeId> graphs = set ? std::vector<NodeId>{1, 0} : std::vector<NodeId>{0};
        const Views v = make_views(d, graphs, 2, {.kinds = {kind}, .ratio = 0.3}, Rng(seed));
        const Array<Edge> all = arcs(v.data.graph);
        ASSERT_EQ(v.data.arc_weight.size(), all.size());
        std::set<std::pair<NodeId, NodeId>> expected[2], found[2];
        for (size_t e = 0; e < all.size(); e++) {
          const NodeId from = v.node[size_t(all[e].from)], to = v.node[size_t(all[e].to)];
          EXPECT_EQ(v.data.arc_weight[e], float(from * 100 + to));
          expected[size_t(from + to) % 2].insert({all[e].from, all[e].to});
        }
        ASSERT_EQ(v.data.relations.size(), 2u);
        for (size_t r = 0; r < 2; r++) {
          EXPECT_EQ(v.data.relations[r].name, d.relations[r].name);
          for (const Edge& e : v.data.relations[r].edges) found[r].insert({e.from, e.to});
          EXPECT_EQ(found[r].size(), v.data.relations[r].edges.size());
          EXPECT_EQ(found[r], expected[r]);
        }
      }
    }
}

}  // namespace
}  // namespace mgnn
