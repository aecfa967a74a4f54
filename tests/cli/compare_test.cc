#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mgnn/task/significance.h"
#include "tests/cli/run_command.h"

namespace mgnn::testing {
namespace {

using Json = nlohmann::json;

TEST(Compare, SameSplitsForAll) {
  const CommandResult both = run_mgnn({"compare", "karate", "--models", "gcn,sage", "--seeds", "3",
                                       "--epochs", "5", "--json", "-q", "--no-folder"});
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
                                        "3",       "--seeds", "2",        "-q",      "--no-folder"};
  const auto with = [&](const char* flag) {
    std::vector<std::string> words = run;
    if (*flag) words.push_back(flag);
    return run_mgnn(words).out;
  };
  EXPECT_TRUE(
      with("--csv").starts_with("model,test,test_std,validation,validation_std,difference,"
                                "p_value,parameters,epochs,ms_per_epoch,seconds_total,"
                                "ms_inference,runs,test_sets,direction\ngcn,"));
  EXPECT_NE(with("--csv").find(",2,2,undirected\n"), std::string::npos);
  EXPECT_TRUE(with("--markdown").starts_with("| model"));
  EXPECT_TRUE(
      with("").starts_with("node classification of karate: accuracy of 2 runs (2 seeds, 2 distinct "
                           "test sets), the same for all\nundirected graph\n"));
}

// Vectors without labels and a logistic regression, on the splits of the networks.
TEST(Compare, EmbeddingsBesideNetworks) {
  for (const auto& [data, models] :
       {std::pair{"karate", "gcn,hope,deepwalk"}, {"triads", "feather,gcn,netlsd"}}) {
    const CommandResult all = run_mgnn({"compare", data, "--models", models, "--seeds", "2",
                                        "--epochs", "3", "--json", "--no-folder"});
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
  EXPECT_NE(error({"compare", "karate", "--models", "gcn,gcn"})
                .find("gcn is named twice among the models"),
            std::string::npos);
  EXPECT_NE(
      error({"compare", "karate", "--models", "gcn,asap"}).find("asap has no output for nodes"),
      std::string::npos);
  EXPECT_NE(error({"compare", "karate", "--model", "gcn"}).find("--model names one network"),
            std::string::npos);
}

// A directed graph of two classes, with a split of its own.
struct DirectedData {
  TempDir dir;
  std::string edges, nodes;

  DirectedData() {
    std::string arcs = "from,to\n", table = "id,label,split,x,y\n";
    for (int i = 0; i < 60; i++) {
      arcs += fmt::format("{},{}\n{},{}\n", i, (i * 7 + 2) % 60, i, (i * 11 + 4) % 60);
      const char* part = i % 3 == 0 ? "test" : i % 3 == 1 ? "validation" : "train";
      table += fmt::format("{},{},{},{},{}\n", i, i % 2 ? "a" : "b", part, i * 37 % 11, i * 29 % 7);
    }
    edges = dir.file("e.csv", arcs);
    nodes = dir.file("n.csv", table);
  }
  CommandResult compare(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {
        "compare",  "--edges",           edges,     "--nodes", nodes, "--epochs",   "30",
        "--models", "gcn,sage,deepwalk", "--seeds", "3",       "-q",  "--no-folder"};
    words.insert(words.end(), more.begin(), more.end());
    return run_mgnn(words);
  }
  Json train(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"train",    "--edges", edges,         "--nodes", nodes,
                                      "--epochs", "30",      "--model",     "sage",    "--seeds",
                                      "3",        "-q",      "--no-output", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return Json::parse(run_mgnn(words).out);
  }
};

TEST(Compare, DirectedGraphsHaveTheSameDirectionForAll) {
  const DirectedData data;
  EXPECT_NE(data.compare({}).out.find("\ndirected graph, direction both: messages of in- and "
                                      "out-neighbours, for all networks\n"),
            std::string::npos);
  std::set<std::string> scores;
  for (const char* direction : {"in", "out", "both", "undirected"}) {
    const CommandResult text = data.compare({"--direction", direction});
    EXPECT_NE(text.out.find(std::string("direction ") + direction + ":"), std::string::npos)
        << text.out;
    const Json json = Json::parse(data.compare({"--direction", direction, "--json"}).out);
    EXPECT_EQ(json["direction"], direction);
    EXPECT_EQ(json["directed"], std::string(direction) != "undirected");
    // What `train` gives with the same direction.
    EXPECT_EQ(json["models"][1]["test"], data.train({"--direction", direction})["test"]);
    scores.insert(json["models"][1]["validation"].dump() +
                  json["models"][1]["extra_metrics"].dump());
  }
  EXPECT_GE(scores.size(), 3u);  // in, out, both differ
  EXPECT_EQ(Json::parse(data.compare({"--json"}).out)["direction"], "both");
  EXPECT_EQ(Json::parse(data.compare({"--json", "--set", "direction=in"}).out)["direction"], "in");
  const CommandResult undirected = run_mgnn({"compare", "karate", "--models", "gcn", "--epochs",
                                             "1", "--direction", "out", "--no-folder"});
  EXPECT_NE(undirected.out.find("undirected graph, in which direction out makes no difference"),
            std::string::npos)
      << undirected.out;
  EXPECT_EQ(data.compare({"--direction", "up"}).exit_code, 2);
}

TEST(Compare, SaysOfWhatDeviationsAre) {
  const DirectedData data;
  const auto text = [&](const std::vector<std::string>& more) { return data.compare(more).out; };
  const std::string fixed = text({"--split", "table"});
  EXPECT_NE(fixed.find("accuracy of 3 runs (3 seeds, 1 distinct test set)"), std::string::npos)
      << fixed;
  EXPECT_NE(fixed.find("p: two-sided paired t-test of it over n = 3 runs with the same seed and "
                       "split; ± and p are over initialisations: all runs share one test set"),
            std::string::npos)
      << fixed;
  const Json json = Json::parse(text({"--split", "table", "--json"}));
  EXPECT_EQ(json["seeds"], 3);
  EXPECT_EQ(json["test_sets"], 1);
  EXPECT_EQ(json["p_value_of"]["over"], "initialisations");
  EXPECT_EQ(json["p_value_of"]["pairs"], 3);

  const Json random = Json::parse(text({"--split", "random", "--json"}));
  EXPECT_EQ(random["test_sets"], 3);
  EXPECT_EQ(random["p_value_of"]["over"], "test sets");

  // Cross-validation with fixed folds: two seeds share five test sets.
  const Json folds =
      Json::parse(run_mgnn({"compare", "triads", "--models", "gcn,netlsd", "--seeds", "2",
                            "--epochs", "1", "--split", "sklearn:0", "--json", "--no-folder"})
                      .out);
  EXPECT_EQ(folds["seeds"], 2);
  EXPECT_EQ(folds["test_sets"], 5);
  EXPECT_EQ(folds["p_value_of"]["pairs"], 5);
  EXPECT_EQ(folds["p_value_of"]["over"], "test sets");
  EXPECT_EQ(folds["p_value_of"]["paired_by"], "test set, the mean of its runs");
  for (const Json& model : folds["models"]) EXPECT_EQ(model["test_sets"], 5);
  // p of the five means, from the scores that are shown.
  std::vector<double> means[2] = {std::vector<double>(5), std::vector<double>(5)};
  for (size_t m = 0; m < 2; m++)
    for (size_t run = 0; run < 10; run++) {
      const size_t set = folds["models"][m]["test_set_of_run"][run];
      means[m][set] += double(folds["models"][m]["test"]["runs"][run]) / 2;
    }
  EXPECT_NEAR(double(folds["models"][1]["p_value"]), *paired_p_value(means[0], means[1]), 1e-9);
  // Held-out links are drawn with the seed.
  const Json links =
      Json::parse(run_mgnn({"compare", "toykg", "--models", "gcn,sage", "--seeds", "2", "--epochs",
                            "1", "--task", "link", "--json", "--no-folder"})
                      .out);
  EXPECT_EQ(links["test_sets"], 2);
}

}  // namespace
}  // namespace mgnn::testing
