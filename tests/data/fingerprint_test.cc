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

}  // namespace
}  // namespace mgnn
