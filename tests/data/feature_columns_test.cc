#include "mgnn/data/feature_columns.h"

#include "mgnn/data/column_scale.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

// Two graphs of two nodes; attributes, a label of two values.
Dataset both() {
  Dataset d;
  d.name = "d";
  d.graph = make_graph(4, {{0, 1}, {2, 3}});
  d.graph_start = {0, 2, 4};
  Matrix attributes(4, 2);
  attributes.data = {1, 10, 3, 10, 5, 20, 7, 20};
  set_features(d, attributes, {"mass", "charge"}, {{"label", {0, 1, 1, -1}, {"C", "N"}}});
  return d;
}

TEST(ChooseFeatures, TakesOneKindOrBoth) {
  Dataset d = both();
  EXPECT_EQ(std::get<Matrix>(d.features).data,
            (Array<float>{1, 10, 1, 0, 3, 10, 0, 1, 5, 20, 0, 1, 7, 20, 0, 0}));
  choose_features(d, "own", Rng(0));
  EXPECT_EQ(d.features_from, "2 node attributes, node labels, one-hot (2 values)");
  EXPECT_EQ(num_features(d.features), 4);

  choose_features(d, "labels", Rng(0));
  EXPECT_EQ(d.features_from, "node labels, one-hot (2 values)");
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"label=C", "label=N"}));
  EXPECT_EQ(d.num_attributes, 0);
  const SparseMatrix& labels = std::get<SparseMatrix>(d.features);
  EXPECT_EQ(labels.pattern.start, (Array<Offset>{0, 1, 2, 3, 3}));
  EXPECT_EQ(labels.pattern.index, (Array<NodeId>{0, 1, 1}));

  d = both();
  choose_features(d, "attributes", Rng(0));
  EXPECT_EQ(d.features_from, "2 node attributes");
  EXPECT_EQ(std::get<Matrix>(d.features).data, (Array<float>{1, 10, 3, 10, 5, 20, 7, 20}));
  EXPECT_EQ(d.num_attributes, 2);
  validate(d);
  EXPECT_EQ(error_of([&] { choose_features(d, "labels", Rng(0)); }),
            "d: nodes have no labels; use other features than labels");
}

TEST(ChooseFeatures, TakesDegreesWhereThereIsNothing) {
  Dataset d = both();
  d.features = {};
  d.feature_names.clear();
  d.num_attributes = 0;
  choose_features(d, "own", Rng(0));
  EXPECT_EQ(d.features_from, "degrees and motif counts, since the data have no features");
  EXPECT_EQ(num_features(d.features), 21);
  EXPECT_EQ(d.num_attributes, 21);
  EXPECT_EQ(d.feature_names[20], "M13");
  choose_features(d, "constant", Rng(0));
  EXPECT_EQ(num_features(d.features), 1);
  EXPECT_EQ(d.num_attributes, 0);
  EXPECT_EQ(error_of([&] { choose_features(d, "attributes", Rng(0)); }),
            "d: nodes have no attributes; use other features than attributes");
  EXPECT_EQ(error_of([&] { choose_features(d, "constnat", Rng(0)); }),
            "no features are called \"constnat\"; did you mean constant?");
}

TEST(AlignFeatures, BringsColumnsIntoTheOrderOfTraining) {
  Dataset d = both();
  align_features(d, {4, {"charge", "mass", "label=N", "label=O"}, 2});
  EXPECT_EQ(std::get<Matrix>(d.features).data,
            (Array<float>{10, 1, 0, 0, 10, 3, 1, 0, 20, 5, 1, 0, 20, 7, 0, 0}));
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_EQ(d.remarks[0],
            "1 values were in no training data, such as \"label=C\"; they count as none");
  EXPECT_EQ(error_of([&] {
              align_features(d, {2, {"charge", "colour"}, 2});
            }),
            "d: there is no feature \"colour\", on which the network was trained");
  EXPECT_EQ(error_of([&] { align_features(d, {.columns = 7}); }),
            "d: nodes have 4 features, but the network was trained on 7");
  Dataset same = both();
  align_features(same, feature_layout(both()));
  EXPECT_EQ(std::get<Matrix>(same.features).data, std::get<Matrix>(both().features).data);
}

// Names do not say what a column is: a measured one may be called label=N.
TEST(AlignFeatures, KnowsMeasuredColumnsByTheirPlace) {
  Dataset d = both();
  d.feature_names = {"mass", "label=N", "label=C", "label=N"};
  const FeatureLayout layout{4, {"label=N", "mass", "label=N", "label=C"}, 2};
  align_features(d, layout);
  EXPECT_EQ(std::get<Matrix>(d.features).data,
            (Array<float>{10, 1, 0, 1, 10, 3, 1, 0, 20, 5, 1, 0, 20, 7, 0, 0}));
  EXPECT_TRUE(d.remarks.empty());
  EXPECT_EQ(error_of([&] {
              align_features(d, {2, {"mass=", "label=N"}, 2});
            }),
            "d: there is no feature \"mass=\", on which the network was trained");
}

TEST(TypeFeatures, AreAppended) {
  Dataset d = both();
  d.node_type = {1, 0, 1, 2};
  d.node_type_names = {"gene", "drug", ""};
  add_type_features(d);
  EXPECT_EQ(d.feature_names,
            (std::vector<std::string>{"mass", "charge", "label=C", "label=N", "type=gene",
                                      "type=drug", "type=(missing)"}));
  EXPECT_EQ(d.num_attributes, 2);
  const Matrix& x = std::get<Matrix>(d.features);
  EXPECT_EQ(Array<float>(x.row(0).begin(), x.row(0).end()), (Array<float>{1, 10, 1, 0, 0, 1, 0}));
  EXPECT_EQ(Array<float>(x.row(3).begin(), x.row(3).end()), (Array<float>{7, 20, 0, 0, 0, 0, 1}));
  validate(d);
  EXPECT_EQ(error_of([&] { add_type_features(d); }),
            "d: types are asked for as features, but \"type=gene\" is one already");

  d.features = {};
  d.feature_names.clear();
  d.features_from.clear();
  d.num_attributes = 0;
  add_type_features(d);  // alone
  EXPECT_EQ(d.features_from, "node types, one-hot (3 types)");
  EXPECT_EQ(std::get<SparseMatrix>(d.features).pattern.index, (Array<NodeId>{1, 0, 1, 2}));
  validate(d);

  SparseMatrix words{{4, 2, {0, 1, 1, 2, 4}, {0, 1, 0, 1}}, {1, 1, 1, 1}};
  d.features = words;
  d.feature_names.clear();
  d.features_from = "words";
  add_type_features(d);
  EXPECT_EQ(d.feature_names[1], "feature 2");
  EXPECT_EQ(std::get<SparseMatrix>(d.features).pattern.index,
            (Array<NodeId>{0, 3, 2, 1, 3, 0, 1, 4}));
  EXPECT_EQ(d.features_from, "words, node types, one-hot (3 types)");
  validate(d);
  d.node_type.clear();
  EXPECT_EQ(error_of([&] { add_type_features(d); }),
            "d: nodes have no types, which are asked for as features");
}

TEST(ColumnScale, IsThatOfTheChosenRows) {
  Dataset d = both();
  Matrix x = std::get<Matrix>(d.features);
  const ColumnScale scale = column_scale(x, 2, std::vector<NodeId>{0, 1});
  EXPECT_EQ(scale.mean, (Array<float>{2, 10, 0, 0}));
  EXPECT_EQ(scale.factor, (Array<float>{1, 1, 1, 1}));  // the second has no variance
  rescale(x, scale);
  EXPECT_EQ(x.data, (Array<float>{-1, 0, 1, 0, 1, 0, 0, 1, 3, 10, 0, 1, 5, 10, 0, 0}));
}

TEST(Standardise, GivesMeanZeroAndVarianceOne) {
  Matrix x(4, 2);
  x.data = {1, 7, 1, 7, 3, 7, 3, 7};  // means 2 and 7, deviations 1 and 0
  standardise(x);
  EXPECT_EQ(x.data, (Array<float>{-1, 0, -1, 0, 1, 0, 1, 0}));
  Matrix empty(0, 2);
  standardise(empty);
}

}  // namespace
}  // namespace mgnn
