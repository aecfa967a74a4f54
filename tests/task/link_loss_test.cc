#include "mgnn/task/link_loss.h"

#include <cmath>

#include "mgnn/models/methods.h"
#include "tests/task/links.h"

namespace mgnn {
namespace {

// Two edges with three negatives each.
constexpr float kEdges[] = {0.7f, -0.2f};
constexpr float kNegatives[3][2] = {{0.1f, 0.4f}, {-1.5f, 0.9f}, {0.3f, -0.6f}};

double loss_of(LinkLoss loss, double temperature) {
  Matrix scores(8, 1);
  for (int i = 0; i < 2; i++) {
    scores(i, 0) = kEdges[i];
    for (int k = 0; k < 3; k++) scores(2 * (k + 1) + i, 0) = kNegatives[k][i];
  }
  Tape<float> tape;
  tape.start_evaluation();
  const LinkLossMaker maker(loss, 2, 3, temperature);
  return double(maker(tape.constant(scores)).value[0]);
}

double softplus_of(double x) { return std::log1p(std::exp(x)); }

TEST(LinkLoss, AreTheirFormulas) {
  double entropy = 0, softmax = 0, bpr = 0, adversarial = 0;
  for (int i = 0; i < 2; i++) {
    const double s = double(kEdges[i]);
    double all = std::exp(s), weights = 0, weighted = 0;
    entropy += softplus_of(-s);
    for (int k = 0; k < 3; k++) {
      const double n = double(kNegatives[k][i]), weight = std::exp(2 * n);
      entropy += softplus_of(n);
      all += std::exp(n);
      bpr += softplus_of(n - s);
      weights += weight;
      weighted += weight * softplus_of(n);
    }
    softmax += std::log(all) - s;
    adversarial += softplus_of(-s) + weighted / weights;
  }
  EXPECT_NEAR(loss_of(LinkLoss::cross_entropy, 0), entropy / 8, 1e-6);
  EXPECT_NEAR(loss_of(LinkLoss::softmax, 0), softmax / 2, 1e-6);
  EXPECT_NEAR(loss_of(LinkLoss::bpr, 0), bpr / 6, 1e-6);
  EXPECT_NEAR(loss_of(LinkLoss::cross_entropy, 2), adversarial / 4, 1e-6);
}

TEST(LinkLoss, AllLearnFromManyNegatives) {
  const Dataset blocks = testing::blocks_of(120, 2, 0.2, 0.01, 1);
  for (const Settings& settings : std::vector<Settings>{{"link_loss=cross-entropy"},
                                                        {"link_loss=softmax"},
                                                        {"link_loss=bpr"},
                                                        {"adversarial_temperature=1"}}) {
    RunOptions options{.training = {.epochs = 150, .patience = 0}};
    options.training.weight_decay = 0;
    LinkOptions link{.heuristics = HeuristicChoice::none};
    set_option(link_options(link), std::string("num_negatives=4"));
    for (const Setting& setting : settings) set_option(link_options(link), setting);
    const auto make = [] {
      std::unique_ptr<Model> model = make_gcn();
      set_option(model->options(), "dropout=0");
      set_option(model->options(), "input_dropout=0");
      return model;
    };
    EXPECT_GT(link_prediction(blocks, make, link, options).test().mean, 0.65) << settings[0].name;
  }
}

TEST(LinkLoss, SettingsThatDoNotFitAreRefused) {
  const auto config =
      testing::link_config({"link.link_loss=bpr", "link.adversarial_temperature=1"});
  EXPECT_NE(testing::error_of([&] { testing::trained(*config); }).find("adversarial_temperature"),
            std::string::npos);
  const auto none = testing::link_config({"link.num_negatives=0"});
  EXPECT_NE(testing::error_of([&] { testing::trained(*none); }).find("num_negatives is 0"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
