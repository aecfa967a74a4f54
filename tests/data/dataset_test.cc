#include "mgnn/data/dataset.h"

#include "mgnn/data/embedded.h"
#include "mgnn/data/features.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

TEST(NumFeatures, OfEveryKind) {
  EXPECT_EQ(num_features({}), 0);
  EXPECT_EQ(num_features(Matrix(4, 7)), 7);
  EXPECT_EQ(num_features(identity_features(3)), 3);
}

// What is wrong with the karate club after `change`.
std::string problem(const std::function<void(Dataset&)>& change) {
  Dataset d = karate_dataset();
  change(d);
  try {
    validate(d);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

TEST(Validate, FindsPartsThatDoNotFit) {
  EXPECT_EQ(problem([](Dataset&) {}), "");
  EXPECT_EQ(problem([](Dataset& d) { d.features = Matrix(33, 2); }),
            "karate: 33 rows of features for 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) {
              d.features = Matrix(34, 2);
              std::get<Matrix>(d.features).data.pop_back();
            }),
            "karate: 67 feature values for 34 x 2");
  EXPECT_EQ(problem([](Dataset& d) { std::get<SparseMatrix>(d.features).value.pop_back(); }),
            "karate: the sparse features' rows, columns and values differ in length");
  EXPECT_EQ(problem([](Dataset& d) { std::get<SparseMatrix>(d.features).pattern.index[3] = 34; }),
            "karate: feature 34 of 34 does not exist");
  EXPECT_EQ(problem([](Dataset& d) { d.label.pop_back(); }), "karate: 33 labels for 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) { d.label[5] = 2; }),
            "karate: label 2 of item 5, but 2 classes");
  EXPECT_EQ(problem([](Dataset& d) { d.label[5] = -1; }), "");
  EXPECT_EQ(problem([](Dataset& d) { d.target = {1}; }), "karate: 1 targets for 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) { d.target.assign(34, 1 / 0.); }),
            "karate: the target of item 0 is infinite");
  EXPECT_EQ(problem([](Dataset& d) { d.target.assign(34, std::nan("")); }), "");
  EXPECT_EQ(problem([](Dataset& d) { d.ids.number.pop_back(); }),
            "karate: 33 node names for 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) { d.node_type = {0}; }), "karate: 1 node types for 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) { d.node_type.assign(34, 0); }),
            "karate: node type 0, but 0 types");
  EXPECT_EQ(problem([](Dataset& d) {
              d.relations = {{"knows", {{3, 34}}}};
            }),
            "karate: relation \"knows\" has the edge 3 -> 34, but the nodes are 0 to 33");
  EXPECT_EQ(problem([](Dataset& d) { d.arc_weight = {1}; }), "karate: 1 weights for 156 arcs");
  EXPECT_EQ(problem([](Dataset& d) {
              d.splits[0].train = {33, 0};
            }),
            "karate: split \"leaders\" is not in ascending order");
  EXPECT_EQ(problem([](Dataset& d) { d.splits[0].test.back() = 34; }),
            "karate: split \"leaders\" names item 34, but there are 34 nodes");
  EXPECT_EQ(problem([](Dataset& d) { d.splits[0].validation = {0}; }),
            "karate: split \"leaders\" uses item 0 twice");
}

TEST(Validate, FindsArcsBetweenGraphsOfASet) {
  Dataset d = triads_dataset({.graphs = 6}, 1);
  validate(d);
  Dataset cut = d;
  cut.graph_start.back()--;
  EXPECT_EQ(error_of([&] { validate(cut); }),
            fmt::format("triads: the graphs of the set do not follow each other from node 0 to "
                        "node {}",
                        d.graph.num_nodes() - 1));
  cut = d;
  cut.graph_start[1]++;
  EXPECT_NE(error_of([&] { validate(cut); }).find("leaves graph"), std::string::npos);
  cut = d;
  cut.label.push_back(0);
  EXPECT_EQ(error_of([&] { validate(cut); }), "triads: 7 labels for 6 graphs");
}

}  // namespace
}  // namespace mgnn
