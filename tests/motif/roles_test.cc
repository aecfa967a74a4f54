// Roles against orbits found by trying permutations, and their counts against enumeration of
// triples, from definitions that share nothing with the engine.
#include "mgnn/motif/roles.h"

#include <algorithm>
#include <map>
#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/data/load.h"
#include "mgnn/graph/generators.h"
#include "mgnn/motif/census.h"
#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::random_graph;

constexpr Counting kCountings[] = {Counting::subgraph, Counting::induced};
constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

std::set<std::pair<int, int>> arcs_of(const Motif& m, const int (&place)[3] = kOrders[0]) {
  std::set<std::pair<int, int>> arcs;
  for (int a = 0; a < m.num_arcs; a++)
    arcs.insert({place[int(m.arcs[a].from)], place[int(m.arcs[a].to)]});
  return arcs;
}

// The first node of the orbit of each node.
std::array<int, 3> orbits(const Motif& m) {
  std::array<int, 3> first = {0, 1, 2};
  for (const auto& place : kOrders)
    if (arcs_of(m, place) == arcs_of(m))
      for (size_t node = 0; node < 3; node++) first[node] = std::min(first[node], int(place[node]));
  return first;
}

TEST(Roles, AreTheOrbitsOfTheMotifs) {
  int number = 0;
  std::set<std::string> labels;
  for (const Motif& m : all_motifs()) {
    const std::array<int, 3> first = orbits(m);
    for (int node = 0; node < 3; node++) {
      if (first[node] == node) number++;  // a new orbit
      const Role& r = role(role_of_node(m.number, node));
      EXPECT_EQ(r.number, first[node] == node ? number : role_of_node(m.number, first[node]));
      EXPECT_EQ(r.motif, m.number);
      EXPECT_EQ(r.first_node, first[node]);
      EXPECT_EQ(r.num_nodes, std::count(first.begin(), first.end(), first[node]));
      labels.insert(role_label(r.number));
    }
  }
  EXPECT_EQ(number, kNumRoles);
  EXPECT_EQ(labels.size(), size_t(kNumRoles));
}

// Numbers and names are in users' files.
TEST(Roles, KeepTheirNames) {
  const std::vector<std::string> labels = {
      "M1.node",    "M2.target",  "M2.source",  "M2.relay",   "M3.target",  "M3.mutual",
      "M3.source",  "M4.node",    "M5.source",  "M5.relay",   "M5.target",  "M6.mutual",
      "M6.source",  "M7.mutual",  "M7.target",  "M8.centre",  "M8.leaf",    "M9.centre",
      "M9.target",  "M9.source",  "M10.centre", "M10.leaf",   "M11.centre", "M11.mutual",
      "M11.target", "M12.centre", "M12.mutual", "M12.source", "M13.centre", "M13.leaf"};
  for (int r = 1; r <= kNumRoles; r++) EXPECT_EQ(role_label(r), labels[size_t(r) - 1]);
}

// Who sends and who receives is what the names say.
TEST(Roles, AreNamedByTheirArcs) {
  for (const Role& r : all_roles()) {
    const Motif& m = motif(r.motif);
    int out = 0, in = 0;
    for (int a = 0; a < m.num_arcs; a++) {
      out += m.arcs[a].from == r.first_node;
      in += m.arcs[a].to == r.first_node;
    }
    const std::string name = r.name;
    if (name == "source") {
      EXPECT_GT(out, in) << role_label(r.number);
    } else if (name == "target") {
      EXPECT_LT(out, in) << role_label(r.number);
    } else if (name == "relay") {
      EXPECT_EQ(out, 1) << role_label(r.number);
      EXPECT_EQ(in, 1) << role_label(r.number);
    }
    EXPECT_EQ(name == "centre", !m.closed && r.first_node == 0) << role_label(r.number);
  }
}

TEST(Roles, OfSetsOfArcs) {
  for (int arc_set = 0; arc_set < 64; arc_set++) {
    const int r = role_in_arcs(arc_set);
    ASSERT_EQ(r != 0, motif_of_arcs(arc_set) != 0);
    if (r == 0) continue;
    const Motif& m = motif(role(r).motif);
    bool found = false;
    for (const auto& place : kOrders) {
      int placed = 0;
      for (const auto& [from, to] : arcs_of(m, place)) placed |= arc_bit(from, to);
      found |= placed == arc_set && place[role(r).first_node] == 0;
    }
    EXPECT_TRUE(found) << arc_set;
  }
}

// Pairs are joined in neither, one or both directions, with these probabilities.
Graph mixed_graph(NodeId nodes, double one_way, double mutual, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = u + 1; v < nodes; v++) {
      const double x = rng.uniform();
      const bool forwards = rng.chance(0.5);
      if (x < mutual || (x < mutual + one_way && forwards)) edges.push_back({u, v});
      if (x < mutual || (x < mutual + one_way && !forwards)) edges.push_back({v, u});
    }
  return make_graph(nodes, std::move(edges));
}

std::vector<RoleCounts> enumerated(const Graph& graph, Counting counting) {
  std::vector<RoleCounts> counts(size_t(graph.num_nodes()), RoleCounts{});
  const reference::Dense a = reference::adjacency(graph);
  for (const Motif& m : all_motifs()) {
    const std::array<int, 3> first = orbits(m);
    reference::each_instance(a, m, counting == Counting::induced,
                             [&](const std::array<int, 3>& nodes) {
                               for (int p = 0; p < 3; p++)
                                 counts[nodes[p]][role_of_node(m.number, first[p]) - 1]++;
                             });
  }
  for (RoleCounts& of_node : counts)
    for (const Role& r : all_roles()) of_node[r.number - 1] /= motif(r.motif).automorphisms;
  return counts;
}

void expect_relations(const Census& census) {
  RoleCounts sums{};
  for (size_t u = 0; u < census.per_role.size(); u++) {
    ASSERT_EQ(motif_counts(census.per_role[u]), census.per_node[u]);
    for (size_t r = 0; r < kNumRoles; r++) sums[r] += census.per_role[u][r];
  }
  for (const Role& r : all_roles())
    EXPECT_EQ(sums[r.number - 1], r.num_nodes * census.total[r.motif - 1]) << role_label(r.number);
}

void expect_enumerated(const Graph& graph) {
  for (const Counting counting : kCountings) {
    const Census actual = census(graph, {.counting = counting, .per_node = true, .per_role = true});
    const std::vector<RoleCounts> expected = enumerated(graph, counting);
    ASSERT_EQ(actual.per_role.size(), expected.size());
    for (size_t u = 0; u < expected.size(); u++) ASSERT_EQ(actual.per_role[u], expected[u]);
    expect_relations(actual);
  }
}

TEST(RoleCounts, AgreeWithEnumeration) {
  for (uint64_t seed = 0; seed < 200; seed++)
    expect_enumerated(random_graph(NodeId(seed % 11), 0.1 + 0.08 * double(seed % 10), seed));
  const std::pair<double, double> mixtures[] = {{0.4, 0},   {0, 0.4},   {0.3, 0.1}, {0.1, 0.3},
                                                {0.5, 0.5}, {1, 0},     {0, 1},     {0.05, 0.02},
                                                {0.7, 0.2}, {0.2, 0.2}, {0.1, 0.9}, {0.9, 0.1}};
  uint64_t seed = 0;
  for (const auto& [one_way, mutual] : mixtures)
    for (const NodeId nodes : {3, 6, 12, 25})
      expect_enumerated(mixed_graph(nodes, one_way, mutual, ++seed));
}

// Triples by the neighbours of connected pairs, as the triad census of Batagelj and Mrvar finds them:
// each once. Calls take(nodes, arcs among them) with nodes ascending and arcs as arc_bit.
template <class Take>
void each_triad(const Graph& graph, Take&& take) {
  const auto joined = [&](NodeId u, NodeId v) {
    return graph.has_arc(u, v) || graph.has_arc(v, u);
  };
  std::vector<std::set<NodeId>> neighbours(size_t(graph.num_nodes()));
  for (const Edge& e : arcs(graph)) {
    neighbours[e.from].insert(e.to);
    neighbours[e.to].insert(e.from);
  }
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : neighbours[u]) {
      if (v < u) continue;
      std::set<NodeId> third = neighbours[u];
      third.insert(neighbours[v].begin(), neighbours[v].end());
      for (const NodeId w : third) {
        if (w == u || w == v) continue;
        if (!(v < w || (u < w && w < v && !joined(u, w)))) continue;
        std::array<NodeId, 3> nodes = {u, v, w};
        std::sort(nodes.begin(), nodes.end());
        int arc_set = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            if (a != b && graph.has_arc(nodes[a], nodes[b])) arc_set |= arc_bit(a, b);
        take(nodes, arc_set);
      }
    }
}

// Motif and role of each node of all sets of arcs, by comparing with all motifs in all orders.
std::map<int, std::array<int, 3>> roles_of_arc_sets() {
  std::map<int, std::array<int, 3>> result;
  for (const Motif& m : all_motifs())
    for (const auto& place : kOrders) {
      int arc_set = 0;
      for (const auto& [from, to] : arcs_of(m, place)) arc_set |= arc_bit(from, to);
      for (int node = 0; node < 3; node++)
        result[arc_set][place[node]] = role_of_node(m.number, orbits(m)[node]);
    }
  return result;
}

void expect_triads(const Graph& graph) {
  const auto roles_of = roles_of_arc_sets();
  const auto n = size_t(graph.num_nodes());
  std::vector<RoleCounts> induced(n, RoleCounts{}), subgraph(n, RoleCounts{});
  each_triad(graph, [&](const std::array<NodeId, 3>& nodes, int arc_set) {
    for (int taken = arc_set; taken > 0; taken = (taken - 1) & arc_set) {
      const auto roles = roles_of.find(taken);
      if (roles == roles_of.end()) continue;
      for (size_t p = 0; p < 3; p++) {
        subgraph[nodes[p]][roles->second[p] - 1]++;
        if (taken == arc_set) induced[nodes[p]][roles->second[p] - 1]++;
      }
    }
  });
  for (const Counting counting : kCountings) {
    const auto& expected = counting == Counting::induced ? induced : subgraph;
    const Census actual = census(graph, {.counting = counting, .per_node = true, .per_role = true});
    for (size_t u = 0; u < n; u++) ASSERT_EQ(actual.per_role[u], expected[u]) << u;
    expect_relations(actual);
  }
}

TEST(RoleCounts, AgreeWithTriadsOfLargerGraphs) {
  expect_triads(mixed_graph(700, 0.01, 0.004, 5));
  expect_triads(mixed_graph(300, 0.04, 0, 6));
  expect_triads(mixed_graph(300, 0, 0.04, 7));
  GeneratedEdges hubs = rmat_edges({.nodes = 1024, .arcs = 6000}, Rng(8));
  expect_triads(make_graph(hubs.num_nodes, std::move(hubs.edges)));
}

TEST(RoleCounts, AgreeWithTriadsOfRealGraphs) {
  MGNN_NEEDS_DATA();
  for (const char* name : {"cora", "cora-directed", "cornell", "texas"}) {
    SCOPED_TRACE(name);
    expect_triads(load_dataset(name, {.data_dir = testing::data_dir(), .download = false}).graph);
  }
}

TEST(RoleCounts, OfALargerRealGraphSumToItsCounts) {
  MGNN_NEEDS_DATA();
  const Graph graph =
      load_dataset("wiki-vote", {.data_dir = testing::data_dir(), .download = false}).graph;
  for (const Counting counting : kCountings)
    expect_relations(census(graph, {.counting = counting, .per_node = true, .per_role = true}));
}

TEST(RoleCounts, AreTheSameForAnyNumberOfThreads) {
  GeneratedEdges hubs = rmat_edges({.nodes = 1 << 14, .arcs = 200'000}, Rng(3));
  const Graph graph = make_graph(hubs.num_nodes, std::move(hubs.edges));
  for (const Counting counting : kCountings) {
    const CensusOptions options = {.counting = counting, .per_node = true, .per_role = true};
    set_num_threads(1);
    const Census one = census(graph, options);
    expect_relations(one);
    for (const int threads : {2, 4}) {
      set_num_threads(threads);
      const Census more = census(graph, options);
      EXPECT_EQ(more.total, one.total);
      EXPECT_EQ(more.per_node, one.per_node);
      EXPECT_EQ(more.per_role, one.per_role);
    }
  }
  set_num_threads(0);
}

TEST(RoleCounts, OfEachGraphOfASet) {
  const Graph first = mixed_graph(20, 0.3, 0.1, 1), second = mixed_graph(30, 0.1, 0.2, 2);
  Array<Edge> edges = arcs(first);
  for (const Edge& e : arcs(second)) edges.push_back({e.from + 20, e.to + 20});
  const Graph both = make_graph(50, std::move(edges));
  const Census set = census(both, {.per_role = true, .graph_start = {0, 20, 20, 50}});
  const Census a = census(first, {.per_role = true}), b = census(second, {.per_role = true});
  EXPECT_TRUE(set.per_node.empty());
  for (size_t u = 0; u < 50; u++)
    EXPECT_EQ(set.per_role[u], u < 20 ? a.per_role[u] : b.per_role[u - 20]);
  EXPECT_EQ(set.per_graph[2], b.total);
}

TEST(RoleCounts, Beyond16And32Bits) {
  const NodeId many = 140'000;  // feed-forward loops 0 -> w -> 1 with 0 -> 1
  Array<Edge> edges = {{0, 1}};
  for (NodeId w = 2; w < many + 2; w++) {
    edges.push_back({0, w});
    edges.push_back({w, 1});
  }
  const Graph graph = make_graph(many + 2, std::move(edges));
  const Census actual =
      census(graph, {.counting = Counting::induced, .per_node = true, .per_role = true});
  const int source = role_of_node(5, 0), relay = role_of_node(5, 1), target = role_of_node(5, 2);
  EXPECT_EQ(actual.per_role[0][source - 1], many);
  EXPECT_EQ(actual.per_role[1][target - 1], many);
  EXPECT_EQ(actual.per_role[77][relay - 1], 1);
  const int64_t pairs = int64_t(many) * (many - 1) / 2;
  EXPECT_EQ(actual.per_role[0][role_of_node(8, 0) - 1], pairs);   // w <- 0 -> w'
  EXPECT_EQ(actual.per_role[1][role_of_node(10, 0) - 1], pairs);  // w -> 1 <- w'
  EXPECT_EQ(actual.per_role[77][role_of_node(8, 1) - 1], many - 1);
  expect_relations(actual);
}

}  // namespace
}  // namespace mgnn
