#include "mgnn/data/splits.h"

#include <map>
#include <numeric>
#include <set>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

std::vector<int32_t> random_labels(size_t count, int classes, uint64_t seed) {
  Rng rng(seed);
  std::vector<int32_t> label(count);
  for (int32_t& c : label)  // small classes and unlabelled items among them
    c = int32_t(double(classes + 1) * rng.uniform() * rng.uniform()) - 1;
  return label;
}

void expect_disjoint_cover(const Split& split, const std::vector<int32_t>& label) {
  std::set<NodeId> all;
  for (const auto* part : {&split.train, &split.validation, &split.test}) {
    EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
    for (const NodeId i : *part) {
      EXPECT_TRUE(all.insert(i).second) << "twice: " << i;
      EXPECT_GE(label[size_t(i)], 0);
    }
  }
  EXPECT_EQ(Offset(all.size()),
            std::count_if(label.begin(), label.end(), [](int c) { return c >= 0; }));
}

TEST(RandomSplit, HasTheSizesAskedFor) {
  const auto label = random_labels(1000, 4, 1);
  const Split split = random_split(label, 100, 200, Rng(2));
  expect_disjoint_cover(split, label);
  EXPECT_EQ(split.validation.size(), 100u);
  EXPECT_EQ(split.test.size(), 200u);
  EXPECT_EQ(random_split(label, 100, 200, Rng(2)).test, split.test);
  EXPECT_NE(random_split(label, 100, 200, Rng(3)).test, split.test);
}

TEST(RandomSplit, EveryNodeIsAsLikely) {
  const std::vector<int32_t> label(10, 0);
  std::vector<int> tested(10);
  for (uint64_t seed = 0; seed < 5000; seed++)
    for (const NodeId u : random_split(label, 2, 3, Rng(seed)).test) tested[size_t(u)]++;
  for (const int times : tested) EXPECT_NEAR(times, 1500, 6 * std::sqrt(5000 * 0.3 * 0.7));
}

TEST(HalvedTestSplit, DrawsOnlyFromTheTestNodes) {
  const auto label = random_labels(1000, 4, 1);
  Split given{"public", {}, {}, {}};
  for (NodeId u = 500; u < 1000 && given.test.size() < 201; u++)
    if (label[size_t(u)] >= 0) given.test.push_back(u);
  const Split split = halved_test_split(given, label, Rng(2));
  expect_disjoint_cover(split, label);
  EXPECT_EQ(split.validation.size(), 100u);
  EXPECT_EQ(split.test.size(), 101u);
  std::vector<NodeId> held_out = split.validation;
  held_out.insert(held_out.end(), split.test.begin(), split.test.end());
  std::sort(held_out.begin(), held_out.end());
  EXPECT_EQ(held_out, given.test);
  EXPECT_EQ(halved_test_split(given, label, Rng(2)).test, split.test);
  EXPECT_NE(halved_test_split(given, label, Rng(3)).test, split.test);
  given.test.resize(1);
  EXPECT_EQ(error_of([&] { halved_test_split(given, label, Rng(2)); }),
            "split \"public\" has 1 test nodes, too few to halve");
}

TEST(RandomSplit, LeavesSomethingToTrainOn) {
  const std::vector<int32_t> label = {0, 1, -1, 0};
  EXPECT_EQ(random_split(label, 1, 1, Rng(1)).train.size(), 1u);
  EXPECT_EQ(error_of([&] { random_split(label, 1, 2, Rng(1)); }),
            "1 validation and 2 test nodes leave none of 3 labelled nodes for training");
  EXPECT_EQ(error_of([&] { random_split(label, -1, 2, Rng(1)); }),
            "a split cannot have -1 + 2 nodes");
  // Beyond 32 bits, where 2^32 + 1 could become 1, and where their sum overflows.
  for (const int64_t size : {(int64_t(1) << 32) + 1, std::numeric_limits<int64_t>::max()})
    EXPECT_NE(error_of([&] { random_split(label, size, size, Rng(1)); }).find("leave none of 3"),
              std::string::npos)
        << size;
}

TEST(DefaultSplit, DependsOnTheSize) {
  const auto held_out = [](size_t nodes, size_t unlabelled) {
    std::vector<int32_t> label(nodes, 0);
    std::fill_n(label.begin(), unlabelled, -1);
    const Split split = default_split(label, Rng(1));
    EXPECT_EQ(split.validation.size(), split.test.size());
    return split.test.size();
  };
  EXPECT_EQ(held_out(34, 0), 8u);
  EXPECT_EQ(held_out(1999, 0), 499u);
  EXPECT_EQ(held_out(2000, 0), 500u);
  EXPECT_EQ(held_out(2000, 1000), 250u);
  EXPECT_EQ(held_out(99'999, 0), 500u);
  EXPECT_EQ(held_out(100'000, 0), 5000u);
  EXPECT_EQ(held_out(100'000, 90'000), 2500u);
}

TEST(StratifiedFolds, SpreadEveryClass) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    const int folds = 2 + int(seed % 9);
    const auto label = random_labels(50 + 37 * seed, 1 + int(seed % 6), seed);
    const std::vector<int> fold = stratified_folds(label, folds, Rng(seed));
    ASSERT_EQ(fold.size(), label.size());
    std::map<int, std::vector<int>> of_class;
    std::vector<int> size(static_cast<size_t>(folds));
    for (size_t i = 0; i < label.size(); i++) {
      EXPECT_EQ(fold[i] == -1, label[i] == -1);
      if (fold[i] < 0) continue;
      auto& count = of_class[label[i]];
      count.resize(size_t(folds));
      count[size_t(fold[i])]++;
      size[size_t(fold[i])]++;
    }
    of_class[-1] = size;
    for (const auto& [c, count] : of_class) {
      const auto [least, most] = std::minmax_element(count.begin(), count.end());
      EXPECT_LE(*most - *least, 1) << "class " << c;
    }
    EXPECT_EQ(stratified_folds(label, folds, Rng(seed)), fold);
    EXPECT_NE(stratified_folds(label, folds, Rng(seed + 100)), fold);
    std::set<NodeId> tested;
    for (int f = 0; f < folds; f++) {
      const Split split = fold_split(fold, folds, f);
      expect_disjoint_cover(split, label);
      tested.insert(split.test.begin(), split.test.end());
      const Split next = fold_split(fold, folds, (f + 1) % folds);
      EXPECT_EQ(split.validation, next.test);
    }
    EXPECT_EQ(int(tested.size()), std::accumulate(size.begin(), size.end(), 0));
  }
}

// Values of scikit-learn 1.2.1 with numpy 1.24.2.
TEST(SklearnFolds, AreThoseOfScikitLearn) {
  EXPECT_EQ(sklearn_folds({1, 0, 1, 1, 0, 2, 2, 1, 0, 1, 2, 0, 1, 1, 0, 0, 2, 1, 1, 0}, 3, 7),
            (std::vector{0, 1, 2, 0, 2, 1, 2, 2, 1, 1, 1, 0, 1, 2, 0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(sklearn_folds({2, 2, 0, 1, 1, 0, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 1, 1, 1, 0, 2}, 5,
                          12345),
            (std::vector{4, 1, 3, 2, 0, 0, 2, 1, 2, 1, 2, 0, 0, 4, 2, 3, 4, 3, 3, 1, 0, 4, 1}));
  std::vector<int32_t> label;
  for (int i = 0; i < 1000; i++) label.push_back(i * i / 3 % 4);
  int64_t sum = 0;
  const std::vector<int> fold = sklearn_folds(label, 5, 99);
  for (size_t i = 0; i < fold.size(); i++) sum += int64_t(i + 1) * fold[i];
  EXPECT_EQ(sum, 1003621);
}

TEST(SklearnFolds, TakeAsManyClassesAsItems) {
  std::vector<int32_t> label(200'000);
  std::iota(label.begin(), label.end(), 0);
  std::vector<int> size(5);
  for (const int f : sklearn_folds(label, 5, 1)) size[size_t(f)]++;
  EXPECT_EQ(size, std::vector<int>(5, 40'000));
}

TEST(SklearnFolds, LeaveUnlabelledItemsOut) {
  const std::vector<int> all = sklearn_folds({0, 1, 0, 1, 0, 1}, 3, 5);
  const std::vector<int> with_gaps = sklearn_folds({0, -1, 1, 0, -1, 1, 0, 1}, 3, 5);
  EXPECT_EQ(with_gaps, (std::vector{all[0], -1, all[1], all[2], -1, all[3], all[4], all[5]}));
}

TEST(StratifiedFolds, SayWhatCannotBe) {
  EXPECT_EQ(error_of([] {
              stratified_folds({0, 1, 0}, 1, Rng(1));
            }),
            "cross-validation needs at least 2 folds, not 1");
  EXPECT_EQ(error_of([] {
              stratified_folds({0, 1, -1}, 3, Rng(1));
            }),
            "3 folds of 2 labelled items leave some empty");
  EXPECT_EQ(error_of([] { fold_split({0, 1}, 2, 2); }), "no fold 2 among 2");
}

TEST(EdgeSplit, KeepsBothDirectionsTogether) {
  Rng rng(1);
  std::vector<Edge> edges;
  for (int i = 0; i < 3000; i++) edges.push_back({NodeId(rng.below(50)), NodeId(rng.below(50))});
  const EdgeSplit split = edge_split(edges, 0.05, 0.1, Rng(2));
  std::map<std::pair<NodeId, NodeId>, int> side;
  std::set<Offset> all;
  int number = 0;
  for (const auto* part : {&split.train, &split.validation, &split.test}) {
    number++;
    EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
    for (const Offset e : *part) {
      EXPECT_TRUE(all.insert(e).second);
      const auto ends = std::minmax(edges[size_t(e)].from, edges[size_t(e)].to);
      EXPECT_EQ(side.emplace(ends, number).first->second, number);
    }
  }
  EXPECT_EQ(all.size(), edges.size());
  EXPECT_NEAR(double(split.test.size()), 300, 10);  // a pair more or less
  EXPECT_NEAR(double(split.validation.size()), 150, 10);
  EXPECT_EQ(edge_split(edges, 0.05, 0.1, Rng(2)).test, split.test);
  EXPECT_NE(edge_split(edges, 0.05, 0.1, Rng(3)).test, split.test);
}

TEST(EdgeSplit, IsExactOnSingleEdges) {
  std::vector<Edge> edges;
  for (NodeId v = 1; v <= 1000; v++) edges.push_back({0, v});
  const EdgeSplit split = edge_split(edges, 0.05, 0.1, Rng(2));
  EXPECT_EQ(split.test.size(), 100u);
  EXPECT_EQ(split.validation.size(), 50u);
  EXPECT_EQ(split.train.size(), 850u);
  EXPECT_TRUE(edge_split({}, 0.05, 0.1, Rng(2)).train.empty());
  EXPECT_EQ(error_of([&] { edge_split(edges, 0.5, 0.5, Rng(1)); }),
            "shares of 0.5 and 0.5 leave no edges for training");
}

}  // namespace
}  // namespace mgnn
