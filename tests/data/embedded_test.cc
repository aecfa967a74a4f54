#include "mgnn/data/embedded.h"

#include <map>
#include <set>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

bool joined(const Graph& g, NodeId u, NodeId v) { return g.has_arc(u, v) || g.has_arc(v, u); }

struct Triangles {
  int cyclic = 0, transitive = 0, other = 0;  // M1, M5, any with a mutual pair
};

// The triangles that each node is in, by trying all pairs of its neighbours.
std::vector<Triangles> triangles_by_node(const Graph& g) {
  std::vector<Triangles> count(size_t(g.num_nodes()));
  for (NodeId u = 0; u < g.num_nodes(); u++) {
    std::set<NodeId> near(g.out.row(u).begin(), g.out.row(u).end());
    near.insert(g.in.row(u).begin(), g.in.row(u).end());
    for (const NodeId v : near)
      for (const NodeId w : near) {
        if (v >= w || !joined(g, v, w)) continue;
        int arcs = 0;
        for (const auto& [a, b] : {std::pair(u, v), {v, w}, {w, u}})
          arcs += g.has_arc(a, b) + g.has_arc(b, a);
        const bool round = (g.has_arc(u, v) && g.has_arc(v, w) && g.has_arc(w, u)) ||
                           (g.has_arc(v, u) && g.has_arc(w, v) && g.has_arc(u, w));
        Triangles& t = count[size_t(u)];
        (arcs > 3 ? t.other : round ? t.cyclic : t.transitive)++;
      }
  }
  return count;
}

// Colour refinement (1-WL) that sees out-, in- and so mutual neighbours apart.
std::vector<int> wl_colours(const Graph& g, int rounds) {
  std::vector<int> colour(size_t(g.num_nodes()), 0);
  for (int i = 0; i < rounds; i++) {
    std::map<std::tuple<int, std::multiset<int>, std::multiset<int>, std::multiset<int>>, int> seen;
    std::vector<int> next;
    for (NodeId u = 0; u < g.num_nodes(); u++) {
      std::multiset<int> out, in, mutual;
      for (NodeId v : g.out.row(u)) (g.has_arc(v, u) ? mutual : out).insert(colour[size_t(v)]);
      for (NodeId v : g.in.row(u))
        if (!g.has_arc(u, v)) in.insert(colour[size_t(v)]);
      next.push_back(seen.emplace(std::tuple(colour[size_t(u)], out, in, mutual), int(seen.size()))
                         .first->second);
    }
    colour = next;
  }
  return colour;
}

// Share of test nodes whose nearest class mean (over training nodes) is their class.
double nearest_mean_accuracy(const Matrix& x, const std::vector<int32_t>& label, int classes,
                             const Split& split) {
  MatrixOf<double> mean(classes, x.cols);
  std::vector<double> count(static_cast<size_t>(classes));
  for (const NodeId u : split.train) {
    count[size_t(label[u])]++;
    for (int64_t d = 0; d < x.cols; d++) mean(label[u], d) += x(u, d);
  }
  double right = 0;
  for (const NodeId u : split.test) {
    int best = 0;
    double best_distance = INFINITY;
    for (int c = 0; c < classes; c++) {
      double distance = 0;
      for (int64_t d = 0; d < x.cols; d++)
        distance += std::pow(x(u, d) - mean(c, d) / count[size_t(c)], 2);
      if (distance < best_distance) best_distance = distance, best = c;
    }
    right += best == label[u];
  }
  return right / double(split.test.size());
}

// Every row's sum over itself and its neighbours, as GCN and GIN see it.
Matrix passed_on(const Graph& g, const Matrix& x) {
  Matrix y = x;
  for (const Edge& e : arcs(g))
    for (int64_t d = 0; d < x.cols; d++) {
      y(e.to, d) += x(e.from, d);
      y(e.from, d) += x(e.to, d);
    }
  return y;
}

TEST(Karate, IsZacharys) {
  const Dataset d = karate_dataset();
  validate(d);
  EXPECT_EQ(d.graph.num_nodes(), 34);
  EXPECT_EQ(d.graph.num_arcs(), 156);
  EXPECT_EQ(d.graph.out.row_size(0), 16);   // Mr. Hi
  EXPECT_EQ(d.graph.out.row_size(33), 17);  // the officer
  EXPECT_EQ(d.graph.out.row_size(11), 1);
  int triangles = 0;
  for (const Triangles& t : triangles_by_node(d.graph)) triangles += t.other;
  EXPECT_EQ(triangles / 3, 45);
  EXPECT_EQ(std::count(d.label.begin(), d.label.end(), 0), 17);
  EXPECT_EQ(d.label[0], 0);
  EXPECT_EQ(d.label[33], 1);
  EXPECT_EQ(d.label[8], 0);  // member 9 went with Mr. Hi against his faction
  EXPECT_EQ(d.ids.name(33), "34");
}

TEST(Roles, ColourRefinementSeesNothing) {
  const Dataset d = roles_dataset({}, 1);
  validate(d);
  for (NodeId u = 0; u < d.graph.num_nodes(); u++) {
    ASSERT_EQ(d.graph.out.row_size(u), 4);
    ASSERT_EQ(d.graph.in.row_size(u), 4);
    for (NodeId v : d.graph.out.row(u)) ASSERT_FALSE(d.graph.has_arc(v, u));
  }
  EXPECT_EQ(d.build.duplicates_dropped, 0);
  for (const int colour : wl_colours(d.graph, 4)) ASSERT_EQ(colour, 0);
}

TEST(Roles, TrianglesTellTheClass) {
  for (const uint64_t seed : {0, 1, 2}) {
    const Dataset d = roles_dataset({}, seed);
    const std::vector<Triangles> count = triangles_by_node(d.graph);
    std::vector<int> of_class(4);
    for (size_t u = 0; u < count.size(); u++) {
      of_class[size_t(d.label[u])]++;
      ASSERT_EQ(d.label[u], count[u].cyclic + 2 * count[u].transitive) << "node " << u;
      ASSERT_EQ(count[u].other, 0);
    }
    EXPECT_EQ(of_class, (std::vector<int>{450, 450, 450, 450}));
  }
}

TEST(Roles, FeaturesHintOnlyFaintly) {
  const Dataset d = roles_dataset({}, 3);
  const Matrix& x = std::get<Matrix>(d.features);
  const Matrix once = passed_on(d.graph, x), twice = passed_on(d.graph, once);
  double own = 0, one_hop = 0, two_hops = 0;
  ASSERT_EQ(d.splits.size(), 5u);
  for (const Split& split : d.splits) {
    own += nearest_mean_accuracy(x, d.label, 4, split) / 5;
    one_hop += nearest_mean_accuracy(once, d.label, 4, split) / 5;
    two_hops += nearest_mean_accuracy(twice, d.label, 4, split) / 5;
    EXPECT_EQ(split.train.size(), 1080u);
    EXPECT_EQ(split.test.size(), 360u);
  }
  for (const double accuracy : {own, one_hop, two_hops}) {
    EXPECT_GT(accuracy, 0.2);
    EXPECT_LT(accuracy, 0.35);
  }
}

TEST(Roles, NoPositionInALoopGivesTheClassAway) {
  // Feed-forward loops: sources, middles and sinks are of both classes alike.
  const Dataset d = roles_dataset({}, 4);
  std::map<std::pair<int, int>, int> count;  // out-arcs within the loop, class
  for (const Edge& e : arcs(d.graph))
    for (NodeId w : d.graph.out.row(e.from))
      if (d.graph.has_arc(e.to, w)) {
        count[{2, d.label[e.from]}]++;
        count[{1, d.label[e.to]}]++;
        count[{0, d.label[w]}]++;
      }
  for (const int out : {0, 1, 2})
    EXPECT_NEAR(count[std::pair(out, 2)], 150, 6 * std::sqrt(150 / 3. * 2)) << out;
}

TEST(Roles, SeedsAndSizes) {
  const RolesOptions small{.nodes = 120};
  EXPECT_EQ(fingerprint(roles_dataset(small, 5).graph), fingerprint(roles_dataset(small, 5).graph));
  EXPECT_NE(fingerprint(roles_dataset(small, 5).graph), fingerprint(roles_dataset(small, 6).graph));
  EXPECT_EQ(error_of([] { roles_dataset({.nodes = 100}, 1); }),
            "roles needs a multiple of 12 nodes, 24 or more, not 100");
  EXPECT_EQ(error_of([] { roles_dataset({.degree = 2}, 1); }),
            "roles needs a degree of at least 3, not 2");
  EXPECT_EQ(error_of([] { roles_dataset({.dimensions = 2}, 1); }),
            "roles needs at least 5 feature dimensions, not 2");
  EXPECT_EQ(error_of([] { roles_dataset({.nodes = 24, .degree = 8}, 1); }),
            "24 nodes are too few for 8 out-arcs each without triangles; take more nodes");
}

TEST(Triads, OnlyTheKindOfTriangleDiffers) {
  const Dataset d = triads_dataset({}, 1);
  validate(d);
  ASSERT_EQ(d.num_graphs(), 300);
  const std::vector<Triangles> count = triangles_by_node(d.graph);
  std::map<int, std::multiset<NodeId>> sizes;
  for (NodeId g = 0; g < d.num_graphs(); g++) {
    const NodeId nodes = d.graph_start[g + 1] - d.graph_start[g];
    EXPECT_TRUE(nodes >= 12 && nodes <= 40);
    sizes[d.label[g]].insert(nodes);
    Triangles sum;
    for (NodeId u = d.graph_start[g]; u < d.graph_start[g + 1]; u++) {
      sum.cyclic += count[size_t(u)].cyclic;
      sum.transitive += count[size_t(u)].transitive;
      sum.other += count[size_t(u)].other;
    }
    EXPECT_EQ(sum.cyclic, d.label[g] == 1 ? nodes / 3 * 3 : 0);
    EXPECT_EQ(sum.transitive, d.label[g] == 2 ? nodes / 3 * 3 : 0);
    EXPECT_EQ(sum.other, 0);
  }
  EXPECT_EQ(sizes[0], sizes[1]);
  EXPECT_EQ(sizes[0], sizes[2]);
  for (NodeId u = 0; u < d.graph.num_nodes(); u++) {
    ASSERT_EQ(d.graph.out.row_size(u), 2);
    ASSERT_EQ(d.graph.in.row_size(u), 2);
  }
  for (const int colour : wl_colours(d.graph, 3)) ASSERT_EQ(colour, 0);
  EXPECT_EQ(d.splits.size(), 5u);
}

TEST(Triads, SmallGraphsAreAlwaysFound) {
  for (uint64_t seed = 0; seed < 20; seed++)
    EXPECT_EQ(triads_dataset({.graphs = 60, .min_nodes = 12, .max_nodes = 13}, seed).num_graphs(),
              60);
}

TEST(Triads, SeedsAndSizes) {
  const TriadsOptions small{.graphs = 9, .min_nodes = 12, .max_nodes = 14};
  EXPECT_EQ(fingerprint(triads_dataset(small, 5).graph),
            fingerprint(triads_dataset(small, 5).graph));
  EXPECT_NE(fingerprint(triads_dataset(small, 5).graph),
            fingerprint(triads_dataset(small, 6).graph));
  EXPECT_EQ(error_of([] { triads_dataset({.graphs = 10}, 1); }),
            "triads needs a multiple of 3 graphs, not 10");
  EXPECT_EQ(error_of([] { triads_dataset({.min_nodes = 4}, 1); }),
            "invalid sizes of triads, 4 to 40 nodes; the minimum is 12");
}

const Relation& relation(const Dataset& d, const std::string& name) {
  for (const Relation& r : d.relations)
    if (r.name == name) return r;
  throw std::out_of_range(name);
}

TEST(Toykg, TreatsByTheHiddenRule) {
  const ToykgOptions options;
  const Dataset d = toykg_dataset(options, 1);
  validate(d);
  EXPECT_EQ(d.graph.num_nodes(), 690);
  EXPECT_EQ(d.ids.name(150 + 42), "gene:0042");
  std::map<NodeId, std::set<NodeId>> binds, associates;
  for (const Edge& e : relation(d, "binds").edges) binds[e.from].insert(e.to);
  for (const Edge& e : relation(d, "associates").edges) associates[e.from].insert(e.to);
  std::set<std::pair<NodeId, NodeId>> by_rule;
  for (const auto& [c, bound] : binds)
    for (const auto& [x, genes] : associates)
      if (std::any_of(bound.begin(), bound.end(),
                      [&known = genes](NodeId g) { return known.count(g) > 0; }))
        by_rule.insert({c, x});
  double right = 0, wrong = 0;
  for (const Edge& e : relation(d, "treats").edges)
    (by_rule.count({e.from, e.to}) ? right : wrong)++;
  const double all = double(by_rule.size());
  EXPECT_GT(all, 300);
  EXPECT_LT(all, 0.2 * 150 * 100);
  EXPECT_NEAR(right, 0.8 * all, 6 * std::sqrt(0.16 * all));
  EXPECT_EQ(wrong, std::floor(0.1 * right));
}

TEST(Toykg, RelationsJoinTheRightTypes) {
  const Dataset d = toykg_dataset({}, 2);
  const std::map<std::string, std::pair<std::string, std::string>> wanted = {
      {"binds", {"compound", "gene"}},
      {"associates", {"disease", "gene"}},
      {"participates", {"gene", "pathway"}},
      {"interacts", {"gene", "gene"}},
      {"treats", {"compound", "disease"}}};
  EXPECT_EQ(d.relations.size(), wanted.size());
  size_t edges = 0;
  for (const Relation& r : d.relations) {
    edges += r.edges.size();
    EXPECT_GT(r.edges.size(), 100u) << r.name;
    for (const Edge& e : r.edges) {
      ASSERT_EQ(d.node_type_names[d.node_type[e.from]], wanted.at(r.name).first);
      ASSERT_EQ(d.node_type_names[d.node_type[e.to]], wanted.at(r.name).second);
    }
  }
  EXPECT_EQ(Offset(edges), d.graph.num_arcs());
}

TEST(Toykg, SeedsAndSizes) {
  const ToykgOptions small{.compounds = 5, .genes = 12, .diseases = 3, .pathways = 2};
  EXPECT_EQ(toykg_dataset(small, 1).graph.num_nodes(), 22);
  EXPECT_NE(fingerprint(toykg_dataset(small, 1).graph), fingerprint(toykg_dataset(small, 2).graph));
  EXPECT_NE(error_of([] { toykg_dataset({.genes = 2}, 1); }).find("as many genes as pathways"),
            std::string::npos);
  EXPECT_EQ(error_of([] { toykg_dataset({.genes_per_disease = 0}, 1); }),
            "toykg needs at least one gene per compound and per disease");
  EXPECT_EQ(error_of([] { toykg_dataset({.kept = 2}, 1); }),
            "toykg cannot keep 2 of the links and add 0.1 wrong ones");
}

TEST(Embedded, ByName) {
  for (const std::string& name : embedded_names()) {
    const Dataset d = embedded_dataset(name, 7);
    EXPECT_EQ(d.name, name);
    validate(d);
    EXPECT_EQ(fingerprint(d.graph), fingerprint(embedded_dataset(name, 7).graph));
  }
  EXPECT_EQ(error_of([] { embedded_dataset("role"); }),
            "no embedded dataset is called \"role\"; did you mean roles?");
  EXPECT_EQ(error_of([] { embedded_dataset("zzzzz"); }),
            "no embedded dataset is called \"zzzzz\"; choose karate, roles, triads or toykg");
}

}  // namespace
}  // namespace mgnn
