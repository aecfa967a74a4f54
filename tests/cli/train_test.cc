#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

const std::vector<std::string> kSmall = {"--epochs", "15", "--set", "layers=4"};

std::vector<std::string> arguments(std::vector<std::string> first,
                                   const std::vector<std::string>& more = kSmall) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

TEST(Train, KeepsARunThatOtherVerbsUse) {
  const TempDir dir;
  const std::string run = dir / "run";
  const auto trained = run_mgnn(arguments({"train", "roles", "-o", run, "--seeds", "2", "--json"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Json json = Json::parse(trained.out);
  for (const char* key :
       {"task", "model", "dataset", "metric", "test", "validation", "epochs", "seconds_per_epoch",
        "seconds_total", "parameters", "peak_memory_bytes", "run_dir"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["test"]["runs"].size(), 2u);
  for (const char* file : {"config.toml", "run.json", "metrics.jsonl", "model.safetensors",
                           "ids.tsv", "predictions.csv"})
    EXPECT_TRUE(file_exists(run + "/" + file)) << file;

  const auto predicted = run_mgnn({"predict", run, "-o", dir / "p.csv"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  // The run's own predictions also know the split; the rest is the same.
  const std::string mine = content_of(dir / "p.csv"), own = content_of(run + "/predictions.csv");
  EXPECT_EQ(std::count(mine.begin(), mine.end(), '\n'), std::count(own.begin(), own.end(), '\n'));
  EXPECT_EQ(mine.substr(0, mine.find('\n')), own.substr(0, own.find('\n')));

  const auto inspected = run_mgnn({"inspect", run, "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_EQ(Json::parse(inspected.out)["model"], "mgnn");

  const auto embedded = run_mgnn({"embed", "--model", run, "-o", dir / "z.npy", "--json"});
  ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
  EXPECT_EQ(Json::parse(embedded.out)["dimension"], 13 * 6);

  // Replayed from its own configuration it gives the same weights.
  const auto again = run_mgnn({"train", "-c", run + "/config.toml", "-o", dir / "again"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(content_of(dir / "again/model.safetensors") ==
              content_of(run + "/model.safetensors"));

  EXPECT_EQ(run_mgnn(arguments({"train", "roles", "-o", run})).exit_code, 2);
  EXPECT_EQ(run_mgnn(arguments({"train", "roles", "-o", run, "--force"})).exit_code, 0);
}

TEST(Train, TakesTheUsersOwnFiles) {
  const TempDir dir;
  std::string edges = "from,to\n", nodes = "name,type,a,b\n";
  for (int i = 0; i < 60; i++) {
    edges += "n" + std::to_string(i) + ",n" + std::to_string((i * 7 + 1) % 60) + "\n";
    nodes += "n" + std::to_string(i) + "," + (i % 2 ? "odd" : "even") + "," +
             std::to_string(i % 2) + "," + std::to_string(i % 5) + "\n";
  }
  const std::string e = dir.file("e.csv", edges), n = dir.file("n.csv", nodes);
  const std::vector<std::string> data = {"--edges",     e,      "--nodes",        n,
                                         "--id-column", "name", "--label-column", "type",
                                         "--features",  "a,b"};
  const auto trained = run_mgnn(
      arguments(arguments({"train", "-o", dir / "run", "--json"}, data), {"--epochs", "200"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_GT(Json::parse(trained.out)["test"]["mean"], 0.9);
  // The class is a column: a model trained here is right on another graph.
  const auto predicted =
      run_mgnn({"predict", dir / "run", dir.file("new.csv", edges), "--nodes", n, "-o", "-"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_NE(predicted.out.find("n3,odd,"), std::string::npos);
  // Too few nodes to hold some back: no score, and none is made up.
  const auto few = run_mgnn({"train", dir.file("few.csv", "a,b\nb,c\n"), "--nodes",
                             dir.file("few_nodes.csv", "id,label,x\na,1,0\nb,2,1\nc,1,2\n"),
                             "--epochs", "2", "--no-output", "--json"});
  ASSERT_EQ(few.exit_code, 0) << few.err;
  EXPECT_TRUE(Json::parse(few.out)["test"]["mean"].is_null()) << few.out;
  const auto wrong = run_mgnn(arguments({"train", "--label-column", "tpye", "-o", dir / "w"},
                                        {"--edges", e, "--nodes", n, "--id-column", "name"}));
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("type"), std::string::npos) << wrong.err;
}

TEST(Train, SaysWhatIsWrong) {
  const TempDir dir;
  const auto error = [&](const std::vector<std::string>& more, int code) {
    const auto result = run_mgnn(arguments({"train", "roles", "-o", dir / "x"}, more));
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_NE(error({"--model", "gnc"}, 2).find("did you mean gcn"), std::string::npos);
  EXPECT_NE(error({"--set", "dropuot=1"}, 2).find("did you mean"), std::string::npos);
  EXPECT_NE(error({"--epochs", "many"}, 2).find("whole number"), std::string::npos);
  EXPECT_NE(error({"-c", dir / "none.toml"}, 3).find("none.toml"), std::string::npos);
  EXPECT_NE(error({"--resume", dir / "none"}, 2).find("--resume"), std::string::npos);
  EXPECT_EQ(run_mgnn({"train", "--resume", dir / "none"}).exit_code, 3);
  EXPECT_EQ(run_mgnn({"predict", dir / "none"}).exit_code, 3);
  EXPECT_FALSE(file_exists(dir / "x/model.safetensors"));
}

TEST(Train, ShowsItsConfiguration) {
  const auto shown = run_mgnn({"train", "cora", "--model", "gcn", "--show-config"},
                              {.environment = {{"MGNN_TRAIN_EPOCHS", "77"}}});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("epochs = 77"), std::string::npos);
  EXPECT_NE(shown.out.find("name = \"gcn\""), std::string::npos);
  EXPECT_NE(run_mgnn({"train", "roles", "--dry-run"}).out.find("weights"), std::string::npos);
}

// Killed at any moment, the last checkpoint is readable and a resumed run ends as if nothing had
// happened.
TEST(Train, SurvivesKill) {
  const TempDir dir;
  const std::vector<std::string> train = {
      "train", "roles", "--epochs", "120", "--patience", "0", "--checkpoint-every", "1", "-o"};
  const auto whole = run_mgnn(arguments(train, {dir / "whole"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string run = dir / "killed";
  int kills = 0;
  for (int attempt = 0; attempt < 200 && !file_exists(run + "/model.safetensors"); attempt++) {
    const bool begun = file_exists(run + "/config.toml");
    const pid_t child = fork();
    if (child == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
      if (begun)
        execl(MGNN_BINARY, "mgnn", "train", "--resume", run.c_str(), "--checkpoint-every", "1",
              nullptr);
      execl(MGNN_BINARY, "mgnn", "train", "roles", "--epochs", "120", "--patience", "0",
            "--checkpoint-every", "1", "-o", run.c_str(), nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(150 + 37 * (attempt % 11)));
    if (attempt < 8) kills += kill(child, SIGKILL) == 0;
    int status = 0;
    waitpid(child, &status, 0);
    if (attempt >= 8) {
      ASSERT_EQ(testing::exit_code_of(status), 0);
    }
  }
  EXPECT_GT(kills, 0);
  EXPECT_TRUE(content_of(run + "/model.safetensors") ==
              content_of(dir / "whole/model.safetensors"));
}

// A directed ring of 120 nodes whose last third is of class b; nothing tells the classes apart.
void write_unlearnable(const TempDir& dir) {
  std::string edges, nodes = "id,label\n";
  for (int i = 0; i < 120; i++) {
    edges += fmt::format("{} {}\n", i, (i + 1) % 120);
    nodes += fmt::format("{},{}\n", i, i % 3 == 2 ? "b" : "a");
  }
  write_file(dir / "e.txt", edges);
  write_file(dir / "n.csv", nodes);
}

TEST(Train, SaysThatNothingWasLearned) {
  const TempDir dir;
  write_unlearnable(dir);
  const std::vector<std::string> train = {"train",      dir / "e.txt", "--nodes",    dir / "n.csv",
                                          "--features", "constant",    "--epochs",   "20",
                                          "--model",    "gcn",         "--no-output"};
  const auto trained = run_mgnn(train);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find("all test items are predicted to be \"a\""), std::string::npos);
  EXPECT_NE(trained.err.find("that of always answering the largest class"), std::string::npos);
  const Json json = Json::parse(run_mgnn(arguments(train, {"--json"})).out);
  EXPECT_EQ(json["warnings"].size(), 2u);
  const auto mean = [&](const char* name) {
    return json["extra_metrics"][name]["mean"].get<double>();
  };
  EXPECT_DOUBLE_EQ(mean("balanced_accuracy"), 0.5);
  EXPECT_DOUBLE_EQ(mean("auroc"), 0.5);
  EXPECT_DOUBLE_EQ(mean("largest_class"), json["test"]["mean"].get<double>());
}

TEST(Train, SaysWhetherWeightsAreUsed) {
  const TempDir dir;
  std::string edges = "gene1,gene2,score\n";
  for (int i = 0; i < 60; i++) edges += fmt::format("g{},g{},0.5\n", i, (7 * i + 1) % 60);
  write_file(dir / "e.csv", edges);
  const auto trained = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"train", dir / "e.csv", "--epochs", "1", "--no-output"};
    words.insert(words.end(), more.begin(), more.end());
    return run_mgnn(words);
  };
  const char* const unused = "e: the weights of arcs are not used by sage";
  const auto mgnn = trained({}), sage = trained({"--model", "sage"}),
             off = trained({"--model", "sage", "--no-weighted"});
  ASSERT_EQ(mgnn.exit_code, 0) << mgnn.err;
  EXPECT_NE(mgnn.err.find("weights are column 3 (\"score\")"), std::string::npos) << mgnn.err;
  EXPECT_EQ(mgnn.err.find("not used"), std::string::npos) << mgnn.err;
  EXPECT_NE(sage.err.find(unused), std::string::npos) << sage.err;
  EXPECT_EQ(off.err.find("not used"), std::string::npos) << off.err;
  const auto compared = run_mgnn({"compare", dir / "e.csv", "--task", "link", "--models",
                                  "gcn,sage", "--epochs", "1", "--seeds", "2"});
  EXPECT_NE(compared.err.find(unused), std::string::npos) << compared.err;

  write_file(dir / "e.csv", edges + "g1,g9,-2\n");
  const auto refused = trained({"--model", "gcn"});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_NE(refused.err.find("the arc g1 -> g9 has weight -2, but the network needs finite, "
                             "non-negative weights; use --no-weighted"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(trained({"--model", "gcn", "--no-weighted"}).exit_code, 0);
}

TEST(Train, ClassWeightsAreASetting) {
  EXPECT_EQ(run_mgnn({"train", "roles", "--class-weights", "heavy"}).exit_code, 2);
  const auto shown = run_mgnn({"train", "roles", "--class-weights", "balanced", "--show-config"});
  EXPECT_NE(shown.out.find("class_weights = \"balanced\""), std::string::npos);
}

// A training that runs in the background until it is told to stop.
class BackgroundTraining {
 public:
  explicit BackgroundTraining(const std::string& folder) : errors_(folder + ".err") {
    child_ = fork();
    if (child_ == 0) {
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      dup2(open(errors_.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
      execl(MGNN_BINARY, "mgnn", "train", "roles", "--epochs", "100000000", "--patience", "0", "-o",
            folder.c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i < 600 && !file_exists(folder + "/config.toml"); i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the epochs begin
  }
  // Gives the exit code.
  int stop(int signal) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    return testing::exit_code_of(status);
  }
  std::string errors() const { return content_of(errors_); }

 private:
  std::string errors_;
  pid_t child_;
};

TEST(Train, SaysHowToGoOn) {
  const TempDir dir;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string folder = dir / fmt::format("run {}", signal);
    BackgroundTraining training(folder);
    EXPECT_EQ(training.stop(signal), 130);
    EXPECT_EQ(
        training.errors(),
        fmt::format("mgnn: interrupted; mgnn train --resume '{}' goes on from here\n", folder));
    EXPECT_TRUE(file_exists(folder + "/checkpoint-0.safetensors"));
  }
}

TEST(Train, OneProcessWritesToARun) {
  const TempDir dir;
  const std::string folder = dir / "run";
  BackgroundTraining training(folder);
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"train", "--resume", folder},
        std::vector<std::string>{"train", "roles", "-o", folder, "--force"}}) {
    const auto refused = run_mgnn(other);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("another process is writing to it"), std::string::npos)
        << refused.err;
  }
  EXPECT_EQ(training.stop(SIGTERM), 130);
}

TEST(Train, AFinishedRunIsNotResumed) {
  const TempDir dir;
  const std::string folder = dir / "run";
  ASSERT_EQ(run_mgnn({"train", "roles", "--epochs", "2", "-o", folder}).exit_code, 0);
  const std::string model = content_of(folder + "/model.safetensors");
  const auto again = run_mgnn({"train", "--resume", folder});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, folder +
                           ": is finished, so there is nothing to resume; its scores are in "
                           "run.json\n");
  EXPECT_TRUE(content_of(folder + "/model.safetensors") == model);
}

TEST(Train, FindsOutBeforehandThatAnOutputCannotBeWritten) {
  const TempDir dir;
  for (const char* flag : {"--report", "--log"}) {
    const auto refused = run_mgnn({"train", "roles", "--epochs", "100000000", "--patience", "0",
                                   "--no-output", flag, dir / "missing/out"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(refused.err, fmt::format("mgnn: {}: cannot write: No such file or directory\n",
                                       dir / "missing/out"));
  }
}

TEST(Search, PrintsValidationOnly) {
  const auto found =
      run_mgnn(arguments({"search", "roles", "--trials", "3", "--json", "--no-folder"}));
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const Json json = Json::parse(found.out);
  EXPECT_EQ(json["trials"].size(), 3u);
  EXPECT_EQ(found.out.find("test"), std::string::npos);
  EXPECT_EQ(run_mgnn({"search", "roles", "--space", "gate=x..y"}).exit_code, 2);
}

// The command that a search ends with trains with what it was given, too.
TEST(Search, NamesTheCommandOfTheBest) {
  const auto found = run_mgnn({"search", "karate", "--model", "gcn", "--profile", "none",
                               "--trials", "1", "--epochs", "2", "--no-standardise", "-s", "3",
                               "--no-folder", "--set", "layers=[4, 4]", "--set", "weight_decay=0"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("Best: mgnn train karate --model gcn --profile none --set "
                           "data.standardise=false --set train.epochs=2 --set 'layers=[4, 4]' "
                           "--set weight_decay=0\n"),
            std::string::npos)
      << found.out;
}

TEST(Search, GivesWhatItHasWhenInterrupted) {
  const auto found = run_mgnn({"search", "karate", "--model", "gcn", "--epochs", "1", "--trials",
                               "100000", "--json", "--no-folder"},
                              {.signal = SIGINT, .seconds_to_signal = 6});
  EXPECT_EQ(found.exit_code, 130) << found.err;
  const size_t trials = Json::parse(found.out)["trials"].size();
  EXPECT_GT(trials, 0u);
  EXPECT_LT(trials, 100'000u);
}

TEST(Train, TakesTheFoldsOfScikitLearn) {
  const auto run = [](const char* split, const char* seed) {
    return run_mgnn({"train", "triads", "--model", "gcn", "--epochs", "1", "--split", split, "-s",
                     seed, "--no-output", "--json"});
  };
  const auto first = run("sklearn:12345", "0");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(Json::parse(first.out)["test"]["runs"].size(), 5u);
  EXPECT_EQ(run("sklearn:first", "0").err,
            "mgnn: the split sklearn:first has no random_state; give an integer of 0 to "
            "4294967295, as in sklearn:0\n");
}

}  // namespace
}  // namespace mgnn
