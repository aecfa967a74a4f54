#include "mgnn/task/input_scale.h"

#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "mgnn/graph/graph.h"
#include "mgnn/task/config.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::TempDir;

// Pairs of nodes; what tells the classes apart is small beside the mean of its column. `far` adds a
// node of its own whose values are huge.
Dataset measured(bool far) {
  const NodeId pairs = 60, n = 2 * pairs + (far ? 1 : 0);
  Array<Edge> edges;
  for (NodeId p = 0; p < pairs; p++) edges.push_back({2 * p, 2 * p + 1});
  Dataset data;
  data.name = "measured";
  data.graph = build_graph(n, std::move(edges), {.symmetrise = true}).graph;
  Matrix x(n, 2);
  Rng rng(4);
  for (NodeId u = 0; u < n; u++) {
    const bool second = (u / 2) % 2 == 1;
    x(u, 0) = 5000.f + (second ? 3.f : 0.f) + float(rng.uniform());
    x(u, 1) = float(rng.uniform());
    data.label.push_back(second);
  }
  if (far) x(n - 1, 0) = x(n - 1, 1) = 1e6f;
  data.features = std::move(x);
  data.num_attributes = 2;
  data.feature_names = {"weight", "noise"};
  data.class_names = {"light", "heavy"};
  return data;
}

std::unique_ptr<Config> config(const std::string& standardise) {
  ConfigLayers layers;
  layers.flags = {"data.source=measured", "model.name=gcn", "train.epochs=80", "train.patience=0"};
  layers.sets = {standardise};
  return resolve_config(layers);
}

// A training, and its network as read from a file.
std::pair<Result, TrainedModel> trained_on(const Dataset& data) {
  const TempDir dir;
  const auto settings = config("data.standardise=true");
  Result result = run_task(*settings, data);
  write_model(dir / "m.safetensors", *settings, data, result, false);
  return {std::move(result), read_model(dir / "m.safetensors")};
}

TEST(InputScale, MeasuredColumnsOfNodesAreLearnedOnWhateverTheirScale) {
  EXPECT_GT(run_task(*config("data.standardise=true"), measured(false)).runs[0].test.metric, 0.95);
  EXPECT_LT(run_task(*config("data.standardise=false"), measured(false)).runs[0].test.metric, 0.8);
}

// Each repetition has a split, and so a scale, of its own, and several train at the same time.
TEST(InputScale, SeedsAtOnceAreSeedsAlone) {
  set_num_threads(4);
  const Dataset data = measured(false);
  const auto together = config("seeds=6");
  const Result all = run_task(*together, data);
  for (size_t i = 0; i < all.runs.size(); i++) {
    const auto alone = config(fmt::format("seed={}", i));
    const Result one = run_task(*alone, data);
    EXPECT_TRUE(all.runs[i].state.weights.value == one.runs[0].state.weights.value) << i;
    EXPECT_EQ(all.runs[i].test.loss, one.runs[0].test.loss);
  }
  set_num_threads(0);
}

TEST(InputScale, ANewGraphIsSeenOnTheScaleOfTraining) {
  const Dataset data = measured(false);
  auto [result, model] = trained_on(data);
  EXPECT_EQ(predict(model, data).output.data, result.output.data);
  const Prediction other = predict(model, measured(true));  // its own scale would be another
  for (int64_t i = 0; i < result.output.rows; i++)
    for (int64_t c = 0; c < 2; c++) EXPECT_EQ(other.output(i, c), result.output(i, c));
}

TEST(InputScale, ColumnsOfANewTableAreTakenByName) {
  const Dataset data = measured(false);
  auto [result, model] = trained_on(data);
  Dataset swapped = data;
  auto& x = std::get<Matrix>(swapped.features);
  for (int64_t r = 0; r < x.rows; r++) std::swap(x(r, 0), x(r, 1));
  std::swap(swapped.feature_names[0], swapped.feature_names[1]);
  EXPECT_EQ(predict(model, swapped).output.data, result.output.data);
}

TEST(InputScale, ScaleHasMeanZeroAndVarianceOne) {
  const Dataset data = measured(false);
  const Dataset scaled = rescaled(data, scale_of(data, true));
  const auto& x = std::get<Matrix>(scaled.features);
  for (int64_t c = 0; c < 2; c++) {
    double sum = 0, squares = 0;
    for (int64_t r = 0; r < x.rows; r++) sum += x(r, c), squares += double(x(r, c)) * x(r, c);
    EXPECT_NEAR(sum / double(x.rows), 0, 1e-3);
    EXPECT_NEAR(squares / double(x.rows), 1, 1e-2);
  }
  const Dataset same = rescaled(data, scale_of(data, false));
  EXPECT_EQ(std::get<Matrix>(same.features).data, std::get<Matrix>(data.features).data);
}

}  // namespace
}  // namespace mgnn
