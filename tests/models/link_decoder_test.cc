#include "mgnn/models/link_decoder.h"

#include <gtest/gtest.h>

#include "mgnn/models/methods.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::random_graph;

Batch small_batch(const Model& model, NodeId nodes) {
  Batch batch;
  batch.num_nodes = nodes;
  Matrix x(nodes, 3);
  Rng rng(2);
  for (float& v : x.data) v = float(rng.normal());
  batch.x = x;
  batch.graph_start = {0, nodes};
  batch.operators = model.operators(random_graph(nodes, 0.3, 1));
  return batch;
}

struct Built {
  std::unique_ptr<Model> model;
  Batch batch;
  ParametersOf<double> weights;
};
Built built(Decoder decoder) {
  Built b{with_decoder(make_gcn(), decoder), {}, {}};
  b.batch = small_batch(*b.model, 9);
  Parameters weights;
  Rng rng(3);
  b.model->build({3, 4, Level::node}, weights, rng);
  b.weights = converted<double>(weights);
  Rng noise(5);  // no weight at 0
  for (double& w : b.weights.value) w += 0.3 * noise.normal();
  return b;
}

// Whether (u, v) and (v, u) have the same score for all pairs.
bool symmetric(Built& b, Decoder decoder) {
  Tape<double> tape;
  tape.start_evaluation();
  Step<double> step(tape, b.weights, b.batch);
  const PairEnds<double> ends = pair_ends(b.model->forward(step).out, decoder);
  EXPECT_EQ(ends.left.cols, 4);
  const Var<double> score = matmul_nt(ends.left, ends.right);
  for (int64_t u = 0; u < 9; u++)
    for (int64_t v = 0; v < 9; v++)
      if (std::abs(score(u, v) - score(v, u)) > 1e-9) return false;
  return true;
}

TEST(LinkDecoder, OnlyInnerProductsAreSymmetric) {
  for (const auto& [name, decoder] : enum_names(Decoder{})) {
    Built b = built(decoder);
    EXPECT_EQ(symmetric(b, decoder), !is_directed(decoder)) << name;
  }
}

TEST(LinkDecoder, GradientsAreSlopes) {
  const Array<NodeId> from = {0, 3, 3, 8}, to = {1, 3, 0, 2};
  const std::vector<float> target = {1, 0, 1, 0};
  for (const auto& [name, decoder] : enum_names(Decoder{})) {
    Built b = built(decoder);
    const auto loss = [&](bool backward) {
      Tape<double> tape;
      tape.start_training(0);
      tape.set_training(false);
      Step<double> step(tape, b.weights, b.batch);
      const PairEnds<double> ends = pair_ends(b.model->forward(step).out, decoder);
      const Var<double> found =
          binary_cross_entropy<double>(pair_dot<double>(ends.left, ends.right, from, to), target);
      if (backward) tape.backward(found);
      return *found.value;
    };
    loss(true);
    const auto gradient = b.weights.grad;
    for (size_t i = 0; i < b.weights.value.size(); i++) {
      const double w = b.weights.value[i], h = 1e-6;
      b.weights.value[i] = w + h;
      const double above = loss(false);
      b.weights.value[i] = w - h;
      const double below = loss(false);
      b.weights.value[i] = w;
      ASSERT_NEAR(gradient[i], (above - below) / (2 * h), 1e-6) << name << " " << i;
    }
  }
}

}  // namespace
}  // namespace mgnn
