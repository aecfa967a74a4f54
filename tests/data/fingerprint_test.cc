#include "mgnn/data/fingerprint.h"

#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Fingerprint, KnowsGraphsFeaturesLabelsAndTargets) {
  Dataset dataset;
  dataset.graph = make_graph(2, {{0, 1}});
  dataset.features = Matrix(2, 1);
  dataset.label = {0, 0};
  dataset.target = {1, 2};
  const std::string first = fingerprint(dataset);
  EXPECT_EQ(first.size(), 64u);
  Dataset other = dataset;
  other.name = "other";
  EXPECT_EQ(fingerprint(other), first);
  other.target[1] = 3;
  EXPECT_NE(fingerprint(other), first);
  other = dataset;
  other.label[0] = 1;
  EXPECT_NE(fingerprint(other), first);
  other = dataset;
  std::get<Matrix>(other.features)(1, 0) = 1;
  EXPECT_NE(fingerprint(other), first);
  other = dataset;
  other.graph = make_graph(2, {{1, 0}});
  EXPECT_NE(fingerprint(other), first);
}

TEST(Fingerprint, KnowsWhatArcsCarry) {
  Dataset dataset;
  dataset.graph = make_graph(2, {{0, 1}, {1, 0}});
  EXPECT_EQ(fingerprint_of_weights(dataset), "");
  EXPECT_EQ(fingerprint_of_relations(dataset), "");
  dataset.arc_weight = {1, 2};
  dataset.relations = {{"a", {{0, 1}}}, {"b", {{1, 0}}}};
  Dataset other = dataset;
  EXPECT_EQ(fingerprint_of_weights(other), fingerprint_of_weights(dataset));
  EXPECT_EQ(fingerprint_of_relations(other), fingerprint_of_relations(dataset));
  other.arc_weight[1] = 3;
  EXPECT_NE(fingerprint_of_weights(other), fingerprint_of_weights(dataset));
  other.relations[1].name = "c";
  EXPECT_NE(fingerprint_of_relations(other), fingerprint_of_relations(dataset));
  other = dataset;
  std::swap(other.relations[0].edges, other.relations[1].edges);
  EXPECT_NE(fingerprint_of_relations(other), fingerprint_of_relations(dataset));
}

}  // namespace
}  // namespace mgnn
