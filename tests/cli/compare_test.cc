#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn::testing {
namespace {

using Json = nlohmann::json;

TEST(Compare, SameSplitsForAll) {
  const CommandResult both = run_mgnn({"compare", "karate", "--models", "gcn,sage", "--seeds", "3",
                                       "--epochs", "5", "--json", "-q"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  const Json json = Json::parse(both.out);
  EXPECT_EQ(json["compared_with"], "gcn");
  ASSERT_EQ(json["models"].size(), 2u);
  EXPECT_TRUE(json["models"][0]["p_value"].is_null());
  const Json& second = json["models"][1];
  EXPECT_EQ(second["model"], "sage");
  EXPECT_EQ(second["test"]["runs"].size(), 3u);
  EXPECT_GE(double(second["p_value"]), 0);
  EXPECT_LE(double(second["p_value"]), 1);
  EXPECT_NEAR(double(second["difference"]),
              double(second["test"]["mean"]) - double(json["models"][0]["test"]["mean"]), 1e-12);

  // Each by itself gives what it gave beside the other.
  const CommandResult alone = run_mgnn({"train", "karate", "--model", "sage", "--seeds", "3",
                                        "--epochs", "5", "--json", "-q", "--no-output"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(Json::parse(alone.out)["test"], second["test"]);
}

TEST(Compare, Tables) {
  const std::vector<std::string> run = {"compare", "karate",  "--models", "gcn,gin", "--epochs",
                                        "3",       "--seeds", "2",        "-q"};
  const auto with = [&](const char* flag) {
    std::vector<std::string> words = run;
    if (*flag) words.push_back(flag);
    return run_mgnn(words).out;
  };
  EXPECT_TRUE(
      with("--csv").starts_with("model,test,test_std,validation,validation_std,difference,"
                                "p_value,parameters,epochs,ms_per_epoch,seconds_total,"
                                "ms_inference\ngcn,"));
  EXPECT_TRUE(with("--markdown").starts_with("| model"));
  EXPECT_NE(with("").find("over 2 splits, the same for all"), std::string::npos);
}

// Vectors without labels and a logistic regression, on the splits of the networks.
TEST(Compare, EmbeddingsBesideNetworks) {
  for (const auto& [data, models] :
       {std::pair{"karate", "gcn,hope,deepwalk"}, {"triads", "feather,gcn,netlsd"}}) {
    const CommandResult all =
        run_mgnn({"compare", data, "--models", models, "--seeds", "2", "--epochs", "3", "--json"});
    ASSERT_EQ(all.exit_code, 0) << all.err;
    const Json json = Json::parse(all.out);
    ASSERT_EQ(json["models"].size(), 3u);
    for (const Json& one : json["models"])
      EXPECT_EQ(one["test"]["runs"].size(), data == std::string("karate") ? 2u : 10u);
    EXPECT_GE(double(json["models"][2]["p_value"]), 0);
  }
  const CommandResult wrong = run_mgnn({"compare", "karate", "--models", "gcn,graph2vec"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("graph2vec embeds graphs; karate is one graph"), std::string::npos)
      << wrong.err;
}

TEST(Compare, MistakesAreToldBeforeTraining) {
  const auto error = [](const std::vector<std::string>& words) {
    const CommandResult result = run_mgnn(words);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_NE(error({"compare", "karate", "--models", "gcn,gta"}).find("did you mean gat?"),
            std::string::npos);
  EXPECT_NE(error({"compare", "karate", "--models", "gcn,hoep"}).find("did you mean hope?"),
            std::string::npos);
  EXPECT_NE(error({"compare", "karate", "--models", "gcn,gcn"}).find("--models names gcn twice"),
            std::string::npos);
  EXPECT_NE(
      error({"compare", "karate", "--models", "gcn,asap"}).find("asap has no output for nodes"),
      std::string::npos);
  EXPECT_NE(error({"compare", "karate", "--model", "gcn"}).find("--model names one network"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn::testing
