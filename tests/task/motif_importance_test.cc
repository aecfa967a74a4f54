#include "mgnn/task/motif_importance.h"

#include <gtest/gtest.h>

#include "mgnn/task/config.h"

namespace mgnn {
namespace {

struct Trained {
  std::unique_ptr<Config> config;
  Dataset data;
  Result result;
};

Trained trained(const std::string& data, Settings settings) {
  ConfigLayers layers;
  layers.file = {"data.source=" + data, "train.epochs=60"};
  layers.sets = std::move(settings);
  Trained made{resolve_config(layers), {}, {}};
  made.data = load_for_training(*made.config);
  made.result = run_task(*made.config, made.data);
  return made;
}

std::vector<MotifImportance> importance(const Trained& t) {
  return motif_importance(t.data, t.result);
}

// Classes of roles are made of cycles (M1) and feed-forward loops (M5), and there are no two-way
// arcs, so that all motifs with one are absent.
TEST(MotifImportance, IsThatOfTheMotifsTheClassesAreMadeOf) {
  const Trained t = trained("roles", {"train.epochs=150"});
  const double all = t.result.runs[t.result.best].validation.metric;
  ASSERT_GT(all, 0.7);
  const std::vector<MotifImportance> found = importance(t);
  ASSERT_EQ(found.size(), 13u);
  for (const MotifImportance& one : found) {
    EXPECT_NEAR(one.accuracy + one.drop, all, 1e-9);
    for (const int absent : {2, 3, 4, 6, 7, 11, 12, 13})
      if (one.motif == absent) {
        EXPECT_EQ(one.changed, 0) << absent;
      }
  }
  EXPECT_GT(std::max(found[0].drop, found[4].drop), 0.1);
}

// Three ways to hold the matrices, one meaning.
TEST(MotifImportance, DoesNotDependOnHowItIsComputed) {
  const Trained fused = trained("roles", {"model.fused=true", "model.motifs=1,5,9"});
  const Trained plain = trained("roles", {"model.fused=false", "model.motifs=1,5,9"});
  const std::vector<MotifImportance> a = importance(fused), b = importance(plain);
  ASSERT_EQ(a.size(), 3u);
  ASSERT_EQ(b.size(), 3u);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(a[i].motif, (std::vector{1, 5, 9})[i]);
    EXPECT_NEAR(a[i].drop, b[i].drop, 0.02);
  }
  // Asked twice it says the same: everything is put back.
  const std::vector<MotifImportance> again = importance(fused);
  for (size_t i = 0; i < 3; i++) EXPECT_EQ(a[i].accuracy, again[i].accuracy);
  const Trained weighted = trained("roles", {"model.attention=true", "model.motifs=1,4"});
  const std::vector<MotifImportance> c = importance(weighted);
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[1].changed, 0);  // there is no M4
}

TEST(MotifImportance, OfSetsOfGraphsAndOfOthers) {
  const Trained graphs = trained("triads", {"train.epochs=3"});
  EXPECT_EQ(importance(graphs).size(), 13u);
  EXPECT_EQ(importance(trained("roles", {"model.name=motifnet", "train.epochs=2"})).size(), 13u);
  EXPECT_TRUE(importance(trained("roles", {"model.name=gcn", "train.epochs=2"})).empty());
  EXPECT_TRUE(importance(trained("roles", {"model.motifs=none", "train.epochs=2"})).empty());
}

}  // namespace
}  // namespace mgnn
