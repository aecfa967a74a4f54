// The numbers of the shared data's README, from our loaders.

#include <algorithm>
#include <map>

#include "mgnn/base/human.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/load.h"
#include "mgnn/data/locate.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::data_dir;

// Each is read once for all tests.
const Dataset& load(const std::string& name) {
  static std::map<std::string, Dataset> loaded;
  const auto found = loaded.find(name);
  if (found != loaded.end()) return found->second;
  return loaded[name] = load_dataset(name, {.data_dir = data_dir(), .download = false});
}

// Pairs u < v with an arc in some direction, and in both.
struct Pairs {
  Offset undirected = 0, mutual = 0;
};
Pairs count_pairs(const Graph& graph) {
  Pairs pairs;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : graph.out.row(u)) pairs.mutual += u < v && graph.has_arc(v, u);
  pairs.undirected = graph.num_arcs() - pairs.mutual;
  return pairs;
}

// Triangles of the undirected graph, by intersecting the later neighbours of both ends.
int64_t count_triangles(const Graph& graph) {
  const NodeId n = graph.num_nodes();
  std::vector<std::vector<NodeId>> neighbours(static_cast<size_t>(n));
  std::vector<std::vector<NodeId>> later(static_cast<size_t>(n));
  for (NodeId u = 0; u < n; u++)
    std::set_union(graph.out.row(u).begin(), graph.out.row(u).end(), graph.in.row(u).begin(),
                   graph.in.row(u).end(), std::back_inserter(neighbours[size_t(u)]));
  const auto before = [&](NodeId a, NodeId b) {  // by degree, so that hubs have few later ones
    const size_t x = neighbours[size_t(a)].size(), y = neighbours[size_t(b)].size();
    return x != y ? x < y : a < b;
  };
  for (NodeId u = 0; u < n; u++)
    for (const NodeId v : neighbours[size_t(u)])
      if (before(u, v)) later[size_t(u)].push_back(v);
  int64_t triangles = 0;
  for (NodeId u = 0; u < n; u++)
    for (const NodeId v : later[size_t(u)]) {
      auto a = later[size_t(u)].begin(), b = later[size_t(v)].begin();
      while (a != later[size_t(u)].end() && b != later[size_t(v)].end()) {
        if (*a < *b) {
          a++;
        } else if (*b < *a) {
          b++;
        } else {
          triangles++, a++, b++;
        }
      }
    }
  return triangles;
}

std::map<std::string, int> label_counts(const Dataset& dataset) {
  std::map<std::string, int> counts;
  for (const int32_t label : dataset.label)
    counts[label < 0 ? "?" : dataset.class_names[size_t(label)]]++;
  return counts;
}

struct NodeLevel {
  const char* name;
  NodeId nodes;
  Offset stored, loops, duplicates, arcs, undirected, mutual;
  int64_t triangles, features;
  int classes;
};
const NodeLevel kNodeLevel[] = {
    {"cora", 2708, 10858, 0, 302, 10556, 5278, 5278, 1630, 1433, 7},
    {"citeseer", 3327, 9464, 248, 236, 9104, 4552, 4552, 1167, 3703, 6},
    {"pubmed", 19717, 88676, 6, 25, 88648, 44324, 44324, 12520, 500, 3},
    {"hetionet", 42541, 1002666, 0, 485, 1002181, 844465, 157716, 2555759, 0, 11},
    {"cornell", 183, 298, 3, 0, 295, 277, 18, 59, 1703, 5},
    {"texas", 183, 325, 16, 0, 309, 279, 30, 67, 1703, 5},
    {"chameleon", 2277, 36101, 50, 0, 36051, 31371, 4680, 343066, 2325, 5},
    {"cora-directed", 2708, 5429, 0, 0, 5429, 5278, 151, 1630, 1433, 7},
    {"wiki-vote", 7115, 103689, 0, 0, 103689, 100762, 2927, 608389, 0, 0},
    {"soc-epinions1", 75879, 508837, 0, 0, 508837, 405740, 103097, 1624481, 0, 0},
};

TEST(RealData, NodeLevelGraphs) {
  MGNN_NEEDS_DATA();
  for (const NodeLevel& expected : kNodeLevel) {
    SCOPED_TRACE(expected.name);
    const Dataset& dataset = load(expected.name);
    EXPECT_EQ(dataset.name, expected.name);
    EXPECT_EQ(dataset.graph.num_nodes(), expected.nodes);
    EXPECT_EQ(dataset.build.arcs_given, expected.stored);
    EXPECT_EQ(dataset.build.loops_dropped, expected.loops);
    EXPECT_EQ(dataset.build.duplicates_dropped, expected.duplicates);
    EXPECT_EQ(dataset.graph.num_arcs(), expected.arcs);
    const Pairs pairs = count_pairs(dataset.graph);
    EXPECT_EQ(pairs.undirected, expected.undirected);
    EXPECT_EQ(pairs.mutual, expected.mutual);
    EXPECT_EQ(count_triangles(dataset.graph), expected.triangles);
    EXPECT_EQ(num_features(dataset.features), expected.features);
    EXPECT_EQ(dataset.num_classes(), expected.classes);
    EXPECT_FALSE(dataset.is_set());
  }
}

struct GraphLevel {
  const char* name;
  NodeId graphs;
  std::map<std::string, int> labels;
  NodeId nodes;
  Offset stored, undirected;
  int64_t node_labels, attributes;
  std::vector<std::string> relations;
  NodeId isolated, smallest, largest;
  int64_t triangles;
};
const GraphLevel kGraphLevel[] = {
    {"mutag",
     188,
     {{"-1", 63}, {"1", 125}},
     3371,
     7442,
     3721,
     7,
     0,
     {"edge label 0", "edge label 1", "edge label 2", "edge label 3"},
     0,
     10,
     28,
     0},
    {"enzymes",
     600,
     {{"1", 100}, {"2", 100}, {"3", 100}, {"4", 100}, {"5", 100}, {"6", 100}},
     19580,
     74564,
     37282,
     3,
     18,
     {},
     106,
     2,
     126,
     15306},
    {"aids",
     2000,
     {{"0", 400}, {"1", 1600}},
     31385,
     64780,
     32390,
     38,
     4,
     {"edge label 0", "edge label 1", "edge label 2"},
     210,
     2,
     95,
     87},
};

TEST(RealData, GraphLevelSets) {
  MGNN_NEEDS_DATA();
  for (const GraphLevel& expected : kGraphLevel) {
    SCOPED_TRACE(expected.name);
    const Dataset& dataset = load(expected.name);
    const Graph& graph = dataset.graph;
    EXPECT_EQ(dataset.num_graphs(), expected.graphs);
    EXPECT_EQ(label_counts(dataset), expected.labels);
    EXPECT_EQ(graph.num_nodes(), expected.nodes);
    EXPECT_EQ(dataset.build.arcs_given, expected.stored);
    EXPECT_EQ(graph.num_arcs(), expected.stored);
    EXPECT_EQ(dataset.build.loops_dropped + dataset.build.duplicates_dropped, 0);
    EXPECT_EQ(count_pairs(graph).undirected, expected.undirected);
    EXPECT_EQ(count_pairs(graph).mutual, expected.undirected);
    EXPECT_EQ(num_features(dataset.features), expected.node_labels + expected.attributes);
    std::vector<std::string> relations;
    Offset typed = 0;
    for (const Relation& relation : dataset.relations) {
      relations.push_back(relation.name);
      typed += Offset(relation.edges.size());
    }
    EXPECT_EQ(relations, expected.relations);
    EXPECT_EQ(typed, expected.relations.empty() ? 0 : expected.stored);
    NodeId isolated = 0, smallest = graph.num_nodes(), largest = 0;
    for (NodeId u = 0; u < graph.num_nodes(); u++)
      isolated += graph.out.row_size(u) + graph.in.row_size(u) == 0;
    for (size_t g = 0; g < size_t(dataset.num_graphs()); g++) {
      const NodeId size = dataset.graph_start[g + 1] - dataset.graph_start[g];
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
    }
    EXPECT_EQ(isolated, expected.isolated);
    EXPECT_EQ(smallest, expected.smallest);
    EXPECT_EQ(largest, expected.largest);
    EXPECT_EQ(count_triangles(graph), expected.triangles);
  }
}

TEST(RealData, RegistrySizesAreThoseLoaded) {
  MGNN_NEEDS_DATA();
  for (const DatasetEntry& entry : dataset_entries()) {
    if (entry.embedded || entry.name == "hetionet") continue;  // a part of Hetionet is here
    if (!dataset_folder(entry, {.data_dir = data_dir()})) continue;
    SCOPED_TRACE(entry.name);
    const Dataset& dataset = load(entry.name);
    EXPECT_EQ(dataset.graph.num_nodes(), entry.nodes);
    EXPECT_EQ(dataset.graph.num_arcs(), entry.arcs);
    EXPECT_EQ(num_features(dataset.features), entry.features);
    EXPECT_EQ(dataset.num_classes(), entry.classes);
    EXPECT_EQ(dataset.is_set() ? dataset.num_graphs() : 0, entry.graphs);
  }
}

std::vector<size_t> sizes(const Split& split) {
  return {split.train.size(), split.validation.size(), split.test.size()};
}

TEST(RealData, PublicSplits) {
  MGNN_NEEDS_DATA();
  using Sizes = std::vector<size_t>;
  for (const auto& [name, expected] : {std::pair<std::string, Sizes>{"cora", {140, 500, 1000}},
                                       {"citeseer", {120, 500, 1000}},
                                       {"pubmed", {60, 500, 1000}}}) {
    const Dataset& dataset = load(name);
    ASSERT_EQ(dataset.splits.size(), 11u) << name;
    EXPECT_EQ(dataset.splits[0].name, "public");
    EXPECT_EQ(sizes(dataset.splits[0]), expected) << name;
    std::map<int32_t, int> per_class;
    for (const NodeId u : dataset.splits[0].train) per_class[dataset.label[size_t(u)]]++;
    for (const auto& [label, count] : per_class) EXPECT_EQ(count, 20) << name << " " << label;
    EXPECT_EQ(int(per_class.size()), dataset.num_classes());
    for (const NodeId u : dataset.splits[0].test) EXPECT_GE(dataset.label[size_t(u)], 0);
  }
}

TEST(RealData, GeomSplits) {
  MGNN_NEEDS_DATA();
  for (const char* name : {"cora", "citeseer", "pubmed", "cornell", "texas", "chameleon"}) {
    const Dataset& dataset = load(name);
    const size_t first = dataset.splits.size() - 10;
    for (size_t i = 0; i < 10; i++) {
      const Split& split = dataset.splits[first + i];
      EXPECT_EQ(split.name, fmt::format("geom-gcn {}", i));
      const std::vector<size_t> s = sizes(split);
      const double all = double(s[0] + s[1] + s[2]);
      EXPECT_NEAR(double(s[0]) / all, 0.48, 0.01) << name;
      EXPECT_NEAR(double(s[1]) / all, 0.32, 0.01) << name;
      EXPECT_NEAR(double(s[2]) / all, 0.20, 0.01) << name;
      if (std::string(name) == "cora") {
        EXPECT_EQ(all, 2485);
      }
      if (std::string(name) == "citeseer") {
        EXPECT_TRUE(all == 3327 || all == 2120) << all;
      }
    }
  }
}

// The classes of Cora by their sizes, as published; CiteSeer's 15 nodes without rows are unknown.
TEST(RealData, LabelDistributions) {
  MGNN_NEEDS_DATA();
  using Counts = std::map<std::string, int>;
  EXPECT_EQ(
      label_counts(load("cora")),
      (Counts{{"0", 351}, {"1", 217}, {"2", 418}, {"3", 818}, {"4", 426}, {"5", 298}, {"6", 180}}));
  EXPECT_EQ(label_counts(load("cora-directed")), (Counts{{"Case_Based", 298},
                                                         {"Genetic_Algorithms", 418},
                                                         {"Neural_Networks", 818},
                                                         {"Probabilistic_Methods", 426},
                                                         {"Reinforcement_Learning", 217},
                                                         {"Rule_Learning", 180},
                                                         {"Theory", 351}}));
  const Counts citeseer = label_counts(load("citeseer"));
  EXPECT_EQ(citeseer.at("?"), 15);
  EXPECT_EQ(label_counts(load("texas")),
            (Counts{{"0", 33}, {"1", 1}, {"2", 18}, {"3", 101}, {"4", 30}}));
  const Counts hetionet = label_counts(load("hetionet"));
  EXPECT_EQ(hetionet, (Counts{{"Anatomy", 398},
                              {"Biological Process", 9194},
                              {"Cellular Component", 1306},
                              {"Compound", 1535},
                              {"Disease", 136},
                              {"Gene", 19034},
                              {"Molecular Function", 2655},
                              {"Pathway", 1822},
                              {"Pharmacologic Class", 345},
                              {"Side Effect", 5701},
                              {"Symptom", 415}}));
}

TEST(RealData, CiteSeersMissingRows) {
  MGNN_NEEDS_DATA();
  const Dataset& dataset = load("citeseer");
  const std::vector<NodeId> missing = {2407, 2489, 2553, 2682, 2781, 2953, 3042, 3063,
                                       3212, 3214, 3250, 3292, 3305, 3306, 3309};
  const SparseMatrix& x = std::get<SparseMatrix>(dataset.features);
  std::vector<NodeId> found;
  for (NodeId u = 0; u < dataset.graph.num_nodes(); u++)
    if (dataset.label[size_t(u)] < 0) found.push_back(u);
  EXPECT_EQ(found, missing);
  for (const NodeId u : missing) {
    EXPECT_EQ(x.pattern.row_size(u), 0);
    EXPECT_GT(dataset.graph.out.row_size(u), 0);
  }
  ASSERT_EQ(dataset.remarks.size(), 1u);
  EXPECT_EQ(dataset.remarks[0],
            "15 of the 3,327 nodes have no row in the files: their features are zero, their label "
            "unknown");
}

TEST(RealData, FeatureValues) {
  MGNN_NEEDS_DATA();
  for (const char* name : {"cora", "citeseer", "cornell", "texas", "chameleon", "cora-directed"}) {
    const Dataset& dataset = load(name);
    for (const float v : std::get<SparseMatrix>(dataset.features).value) ASSERT_EQ(v, 1.f) << name;
  }
  // PubMed's are tf-idf; the largest is a test node's, the next largest 1.0884 in allx.
  const SparseMatrix& x = std::get<SparseMatrix>(load("pubmed").features);
  const auto test_rows = x.value.begin() + x.pattern.start[18717];
  EXPECT_FLOAT_EQ(*std::max_element(x.value.begin(), test_rows), 1.0883899f);
  EXPECT_FLOAT_EQ(*std::max_element(test_rows, x.value.end()), 1.2633097f);
  // Both Coras are one graph of 2,708 papers with the same bags of words.
  const Offset words = std::get<SparseMatrix>(load("cora").features).pattern.nnz();
  EXPECT_EQ(words, std::get<SparseMatrix>(load("cora-directed").features).pattern.nnz());
}

TEST(RealData, CornellCarriesTexasLabels) {
  MGNN_NEEDS_DATA();
  const Dataset &cornell = load("cornell"), &texas = load("texas");
  EXPECT_EQ(cornell.label, texas.label);
  ASSERT_EQ(cornell.remarks.size(), 1u);
  EXPECT_NE(cornell.remarks[0].find("are those of texas"), std::string::npos);
  EXPECT_TRUE(texas.remarks.empty());
}

TEST(RealData, CornellAsPlatonovPublishesIt) {
  MGNN_NEEDS_DATA();
  const std::string path = data_dir() + "/geom-gcn/cornell/cornell_platonov.npz";
  const Dataset dataset = load_dataset(path);
  EXPECT_EQ(dataset.graph.num_nodes(), 183);
  EXPECT_EQ(count_pairs(dataset.graph).mutual, 277);
  EXPECT_EQ(dataset.graph.num_arcs(), 2 * 277);
  EXPECT_EQ(num_features(dataset.features), 1703);
  EXPECT_EQ(label_counts(dataset),
            (std::map<std::string, int>{{"0", 38}, {"1", 16}, {"2", 30}, {"3", 82}, {"4", 17}}));
  EXPECT_EQ(dataset.splits.size(), 10u);
}

TEST(RealData, HetionetRelations) {
  MGNN_NEEDS_DATA();
  const Dataset& dataset = load("hetionet");
  ASSERT_EQ(dataset.relations.size(), 23u);
  const auto find = [&](const std::string& name) -> const Relation& {
    for (const Relation& relation : dataset.relations)
      if (relation.name == name) return relation;
    throw std::runtime_error("no relation " + name);
  };
  EXPECT_EQ(find("DaG").edges.size(), 12623u);
  EXPECT_EQ(find("GiG").edges.size(), 2u * 147164);
  for (const Edge& e : find("DaG").edges) {
    ASSERT_EQ(dataset.node_type_names[size_t(dataset.node_type[size_t(e.from)])], "Disease");
    ASSERT_EQ(dataset.node_type_names[size_t(dataset.node_type[size_t(e.to)])], "Gene");
  }
  EXPECT_EQ(dataset.ids.name(0), "Anatomy::UBERON:0000002");
  ASSERT_EQ(dataset.remarks.size(), 1u);
  EXPECT_EQ(dataset.remarks[0], "8 of the 23 relations are incomplete; metaedges.tsv says which");
}

TEST(RealData, IdsWithGaps) {
  MGNN_NEEDS_DATA();
  const Dataset& dataset = load("wiki-vote");
  EXPECT_EQ(dataset.ids.name(0), "3");
  EXPECT_EQ(dataset.ids.name(dataset.graph.num_nodes() - 1), "8297");
}

TEST(RealData, FoldersAreRecognised) {
  MGNN_NEEDS_DATA();
  for (const auto& [folder, nodes] : {std::pair<std::string, NodeId>{"planetoid/Cora", 2708},
                                      {"tu/MUTAG", 3371},
                                      {"geom-gcn/texas/", 183},
                                      {"linqs/cora", 2708}})
    EXPECT_EQ(load_dataset(data_dir() + "/" + folder).graph.num_nodes(), nodes) << folder;
}

}  // namespace
}  // namespace mgnn
