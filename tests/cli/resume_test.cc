// Searches and comparisons that are stopped, and go on.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mgnn/base/cpu.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using Json = nlohmann::json;
using testing::CommandResult;
using testing::content_of;
using testing::run_mgnn;
using testing::TempDir;
using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Starts mgnn, sends the signal once `file` is there, and gives exit code and standard error.
CommandResult stopped_at(const Words& words, const std::string& file, int signal) {
  const TempDir dir;
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open((dir / "err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    std::vector<char*> arguments = {const_cast<char*>("mgnn")};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(MGNN_BINARY, arguments.data());
    _exit(127);
  }
  for (int i = 0; i < 6000 && !file_exists(file); i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return {testing::exit_code_of(status), "", content_of(dir / "err")};
}

const Words kSearch = {"search",   "roles", "--model",    "gcn", "--trials",  "12",
                       "--epochs", "300",   "--patience", "0",   "--profile", "none"};
const Words kCompare = {"compare",    "roles", "--models",  "gcn,sage,hope,mgnn",
                        "--seeds",    "2",     "--epochs",  "300",
                        "--patience", "0",     "--profile", "none"};

// All but what a clock or the memory says.
Json without_costs(Json json) {
  for (Json& model : json["models"])
    for (const char* key :
         {"seconds_per_epoch", "seconds_total", "seconds_inference", "peak_memory_bytes"})
      model.erase(key);
  return json;
}

TEST(Resume, ASearchEndsAsIfItHadNeverStopped) {
  const TempDir dir;
  const CommandResult whole =
      run_mgnn(joined(kSearch, {"--show", "12", "--folder", dir / "whole"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const std::string folder = dir / fmt::format("run {}", signal);
    const CommandResult stopped =
        stopped_at(joined(kSearch, {"--folder", folder}), folder + "/trial-3.json", signal);
    if (signal != SIGKILL) {
      EXPECT_EQ(stopped.exit_code, 130);
      EXPECT_EQ(stopped.err, fmt::format("mgnn: interrupted; mgnn search --resume '{}' goes on "
                                         "from here\n",
                                         folder));
    }
    ASSERT_FALSE(file_exists(folder + "/trial-12.json")) << "it was not stopped";
    const std::string third = content_of(folder + "/trial-3.json");
    const auto written = std::filesystem::last_write_time(folder + "/trial-3.json");
    const CommandResult resumed = run_mgnn({"search", "--resume", folder, "--show", "12"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.out, whole.out);
    EXPECT_EQ(content_of(folder + "/trial-3.json"), third);
    EXPECT_EQ(std::filesystem::last_write_time(folder + "/trial-3.json"), written);
    for (int t = 1; t <= 12; t++) {
      const std::string name = fmt::format("/trial-{}.json", t);
      EXPECT_EQ(content_of(folder + name), content_of(dir / "whole" + name));
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 13);
  }
}

TEST(Resume, AComparisonEndsAsIfItHadNeverStopped) {
  const TempDir dir;
  const CommandResult whole = run_mgnn(joined(kCompare, {"--json", "--no-folder"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (const int signal : {SIGINT, SIGKILL}) {
    const std::string folder = dir / fmt::format("run-{}", signal);
    const CommandResult stopped =
        stopped_at(joined(kCompare, {"--folder", folder}), folder + "/2-sage.json", signal);
    if (signal == SIGINT) {
      EXPECT_EQ(
          stopped.err,
          fmt::format("mgnn: interrupted; mgnn compare --resume {} goes on from here\n", folder));
    }
    ASSERT_FALSE(file_exists(folder + "/4-mgnn.json")) << "it was not stopped";
    const auto written = std::filesystem::last_write_time(folder + "/1-gcn.json");
    const CommandResult resumed = run_mgnn({"compare", "--resume", folder, "--json"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(without_costs(Json::parse(resumed.out)), without_costs(Json::parse(whole.out)));
    EXPECT_EQ(std::filesystem::last_write_time(folder + "/1-gcn.json"), written);

    // Finished, it says so and prints the same again.
    const CommandResult again = run_mgnn({"compare", "--resume", folder, "--json"});
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(Json::parse(again.out), Json::parse(resumed.out));
    EXPECT_EQ(again.err,
              "mgnn: warning: " + folder + ": is finished, so there is nothing to resume\n");
  }
}

TEST(Resume, OtherSettingsAreRefused) {
  const TempDir dir;
  const std::string folder = dir / "run";
  ASSERT_EQ(run_mgnn({"search", "karate", "--model", "gcn", "--trials", "2", "--epochs", "2", "-s",
                      "3", "--folder", folder})
                .exit_code,
            0);
  const std::string refusal =
      fmt::format("mgnn: --resume goes on with the settings of {}; give no others\n", folder);
  for (const Words& other :
       {Words{"--epochs", "2"}, Words{"--trials", "3"}, Words{"--space", "dropout=0..0.5"},
        Words{"-s", "4"}, Words{"--set", "layers=3"}, Words{"karate"}, Words{"--no-folder"}}) {
    const CommandResult refused = run_mgnn(joined({"search", "--resume", folder}, other));
    EXPECT_EQ(refused.exit_code, 2) << other[0];
    EXPECT_EQ(refused.err, refusal);
  }
  const CommandResult environment =
      run_mgnn({"search", "--resume", folder}, {.environment = {{"MGNN_TRAIN_PATIENCE", "7"}}});
  EXPECT_EQ(environment.exit_code, 2);
  EXPECT_EQ(environment.err,
            fmt::format("mgnn: {}: was begun with a different configuration: \"patience = 200\" "
                        "then, \"patience = 7\" now\n",
                        folder));
  const CommandResult verb = run_mgnn({"compare", "--resume", folder});
  EXPECT_EQ(verb.exit_code, 2);
  EXPECT_NE(verb.err.find("was begun by mgnn search"), std::string::npos) << verb.err;
  const CommandResult same = run_mgnn({"search", "--resume", folder, "-s", "3"});
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_EQ(same.err,
            "mgnn: warning: " + folder + ": is finished, so there is nothing to resume\n");
  const CommandResult again = run_mgnn({"search", "karate", "--folder", folder});
  EXPECT_EQ(again.err,
            fmt::format("mgnn: {0}: has a run already; use --force to overwrite it, or --resume "
                        "{0}\n",
                        folder));
}

TEST(Resume, OtherDataAreRefused) {
  const TempDir dir;
  std::string edges = "from,to\n", nodes = "id,label,split\n";
  for (int i = 0; i < 40; i++) {
    edges += fmt::format("n{},n{}\n", i, (i * 7 + 3) % 40);
    nodes += fmt::format("n{},{},{}\n", i, i % 2 ? "a" : "b",
                         i % 4 == 0   ? "test"
                         : i % 4 == 1 ? "validation"
                                      : "train");
  }
  const std::string edge_file = dir.file("e.csv", edges), node_file = dir.file("n.csv", nodes);
  const std::string folder = dir / "run";
  ASSERT_EQ(run_mgnn({"compare", "--edges", edge_file, "--nodes", node_file, "--models", "gcn,sage",
                      "--epochs", "2", "--folder", folder, "-q"})
                .exit_code,
            0);
  const auto expect_refusal = [&] {
    const CommandResult refused = run_mgnn({"compare", "--resume", folder, "-q"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.err,
              fmt::format("mgnn: {}: the data are not those that it was begun with\n", folder));
  };
  dir.file("e.csv", edges + "n0,n1\n");
  expect_refusal();
  dir.file("e.csv", edges);
  nodes.replace(nodes.find("validation"), 10, "train");
  dir.file("n.csv", nodes);
  expect_refusal();
}

TEST(Resume, ATrainingGoesOnWithItsData) {
  const TempDir dir;
  std::string edges = "from,to,weight\n", nodes = "id,label\n";
  for (int i = 0; i < 40; i++) {
    edges += fmt::format("n{},n{},1\n", i, (i * 7 + 3) % 40);
    nodes += fmt::format("n{},{}\n", i, i % 2 ? "a" : "b");
  }
  const std::string edge_file = dir.file("e.csv", edges), node_file = dir.file("n.csv", nodes);
  const std::string folder = dir / "run", checkpoint = folder + "/checkpoint-0.safetensors";
  stopped_at({"train", edge_file, "--nodes", node_file, "--model", "gcn", "--epochs", "3000",
              "--patience", "0", "--checkpoint-every", "1", "-o", folder, "-q"},
             checkpoint, SIGKILL);
  ASSERT_TRUE(file_exists(checkpoint));
  const auto expect_refusal = [&] {
    const CommandResult refused = run_mgnn({"train", "--resume", folder, "-q"});
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_EQ(refused.err, fmt::format("mgnn: {}: the data are not those that the training was "
                                       "begun with\n",
                                       checkpoint));
  };
  dir.file("e.csv", edges + "n0,n1,1\n");
  expect_refusal();
  std::string heavier = edges;
  heavier.replace(heavier.size() - 2, 1, "2");
  dir.file("e.csv", heavier);
  expect_refusal();
  dir.file("e.csv", edges);
  // Without looking at the checkpoint, a run would begin again.
  std::filesystem::rename(checkpoint, dir / "kept");
  std::filesystem::create_symlink(checkpoint, checkpoint);
  const CommandResult blind = run_mgnn({"train", "--resume", folder, "-q"});
  EXPECT_NE(blind.exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(checkpoint));
  EXPECT_NE(blind.err.find("cannot"), std::string::npos) << blind.err;
  std::filesystem::rename(dir / "kept", checkpoint);
  const CommandResult other =
      run_mgnn({"train", "--resume", folder}, {.environment = {{"MGNN_ISA", "generic"}}});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  if (instruction_set() != InstructionSet::generic) {
    EXPECT_NE(other.err.find("begun with"), std::string::npos) << other.err;
  }
  const CommandResult finished = run_mgnn({"train", "--resume", folder});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_NE(finished.out.find("is finished"), std::string::npos) << finished.out;
}

TEST(Resume, OneProcessWritesToAFolder) {
  const TempDir dir;
  const std::string folder = dir / "run";
  const TempDir other;
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(MGNN_BINARY, "mgnn", "search", "roles", "--epochs", "100000000", "--patience", "0",
          "--folder", folder.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 600 && !file_exists(folder + "/plan.json"); i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const Words& words : {Words{"search", "--resume", folder},
                             Words{"search", "roles", "--folder", folder, "--force"}}) {
    const CommandResult refused = run_mgnn(words);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("another process is writing to it"), std::string::npos)
        << refused.err;
  }
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(file_exists(folder + "/trial-1-0.safetensors"));  // the first trial goes on, too
}

}  // namespace
}  // namespace mgnn
