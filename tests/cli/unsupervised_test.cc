#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

std::vector<std::string> train(const std::string& data, const std::string& objective,
                               const std::vector<std::string>& more) {
  std::vector<std::string> all = {"train",       data,      "--task",   "unsupervised",
                                  "--objective", objective, "--epochs", "20"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Unsupervised, KeepsARunWhoseVectorsEmbedGives) {
  const TempDir dir;
  for (const std::string data : {"karate", "triads"})
    for (const std::string objective : {"gae", "vgae", "contrastive"}) {
      const std::string run = dir / (data + objective);
      const auto trained = run_mgnn(train(
          data, objective, {"--probe", "--seeds", "2", "--dimension", "5", "-o", run, "--json"}));
      ASSERT_EQ(trained.exit_code, 0) << trained.err;
      const Json json = Json::parse(trained.out);
      EXPECT_EQ(json["task"], "unsupervised");
      EXPECT_EQ(json["validation_metric"], objective == "contrastive" ? "matched" : "auroc");
      EXPECT_EQ(json["probe"]["runs"].size(), data == "karate" ? 2u : 10u);
      EXPECT_EQ(json["test"]["runs"].size(), 2u);
      EXPECT_FALSE(file_exists(run + "/predictions.csv"));

      const std::string z = dir / (data + objective + ".csv");
      const auto embedded = run_mgnn({"embed", "--model", run, "-o", z, "--json"});
      ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
      const Json found = Json::parse(embedded.out);
      EXPECT_EQ(found["rows"], data == "karate" ? 34 : 300);
      if (objective != "contrastive") {
        EXPECT_EQ(found["dimension"], 5);
      }

      const auto predicted = run_mgnn({"predict", run});
      EXPECT_EQ(predicted.exit_code, 2);
      EXPECT_NE(predicted.err.find("mgnn embed --model"), std::string::npos) << predicted.err;
    }
}

TEST(Unsupervised, IsReplayedAsItWas) {
  const TempDir dir;
  const std::string run = dir / "run";
  ASSERT_EQ(run_mgnn(train("karate", "contrastive", {"-o", run})).exit_code, 0);
  ASSERT_EQ(run_mgnn({"train", "-c", run + "/config.toml", "-o", dir / "again"}).exit_code, 0);
  EXPECT_TRUE(content_of(dir / "again/model.safetensors") ==
              content_of(run + "/model.safetensors"));
}

TEST(Unsupervised, TakesGraphsWithoutLabels) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 40; i++)
    edges += std::to_string(i) + " " + std::to_string((i * 7 + 1) % 40) + "\n";
  const std::string path = dir.file("e.txt", edges);
  const auto trained = run_mgnn(train(path, "gae", {"--no-output"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.out.find("an embedding of 32 columns"), std::string::npos) << trained.out;
  EXPECT_EQ(run_mgnn(train(path, "gae", {"--no-output", "--probe"})).exit_code, 3);
}

TEST(Unsupervised, SaysWhatIsWrong) {
  const auto error = [](const std::vector<std::string>& command, int code) {
    const auto result = run_mgnn(command);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_NE(error(train("karate", "gea", {"--no-output"}), 2).find("gae"), std::string::npos);
  EXPECT_NE(
      error(train("karate", "contrastive", {"--augment", "drop", "--no-output"}), 2).find("drop-"),
      std::string::npos);
  EXPECT_NE(error(train("karate", "gae", {"--model", "asap", "--no-output"}), 2)
                .find("has no output for nodes"),
            std::string::npos);
  EXPECT_NE(error({"compare", "karate", "--task", "unsupervised", "--models", "gcn,mgnn"}, 2)
                .find("--probe"),
            std::string::npos);
}

TEST(Unsupervised, ShowsPlanAndConfiguration) {
  const auto plan = run_mgnn(train("karate", "vgae", {"--dimension", "6", "--dry-run"}));
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_NE(plan.out.find("unsupervised learning of karate"), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("12 outputs"), std::string::npos) << plan.out;
  const auto shown = run_mgnn(train("cora", "contrastive", {"--show-config"}));
  EXPECT_NE(shown.out.find("[unsupervised]"), std::string::npos);
  EXPECT_NE(shown.out.find("\ndropout = 0.0\n"),
            std::string::npos);  // no profile of classification
}

// Fixed folds are those of every seed: each is evaluated on all of them.
TEST(Unsupervised, EverySeedIsProbedOnAllFixedFolds) {
  const auto train = [](const char* seed, const char* seeds) {
    const auto run = run_mgnn({"train", "triads", "--task", "unsupervised", "--probe", "--model",
                               "gcn", "--epochs", "1", "--split", "sklearn:0", "-s", seed,
                               "--seeds", seeds, "--no-output", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out);
  };
  const Json together = train("0", "7");
  EXPECT_EQ(together["probe"]["runs"].size(), 7u * 5);
  EXPECT_EQ(together["test"]["runs"][0], train("0", "1")["test"]["runs"][0]);
  EXPECT_EQ(together["test"]["runs"][6], train("6", "1")["test"]["runs"][0]);
}

TEST(Unsupervised, NetworksAreComparedByTheirProbe) {
  const auto compared =
      run_mgnn({"compare", "karate", "--no-folder", "--task", "unsupervised", "--probe", "--models",
                "gcn,mgnn", "--seeds", "3", "--epochs", "20", "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const Json json = Json::parse(compared.out);
  ASSERT_EQ(json["models"].size(), 2u);
  EXPECT_GT(json["models"][0]["test"]["mean"], 0.6);
}

}  // namespace
}  // namespace mgnn
