// embed at work.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mgnn/io/numpy.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using nlohmann::json;
using testing::CommandResult, testing::content_of, testing::run_mgnn, testing::TempDir;

TEST(CliEmbed, WritesEveryFormatWithIds) {
  const TempDir dir;
  const std::string edges = dir.file("e.txt", "anna bert\nbert carl\ncarl anna\ncarl dora\n");
  const auto embed = [&](const std::string& file) {
    return run_mgnn(
        {"embed", edges, "--undirected", "-m", "hope", "-d", "4", "-o", dir / file, "--json"});
  };
  for (const char* file : {"z.npy", "z.npz", "z.csv", "z.txt"})
    ASSERT_EQ(embed(file).exit_code, 0) << embed(file).err;
  const NumpyArray z = read_npy(dir / "z.npy");
  EXPECT_EQ(z.shape, (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(content_of(dir / "z.ids.txt"), "anna\nbert\ncarl\ndora\n");
  const NumpyArchive npz = read_npz(dir / "z.npz");
  EXPECT_EQ(npz.at("embedding").bytes, z.bytes);
  EXPECT_EQ(npz.at("ids").texts("ids")[2], "carl");
  EXPECT_TRUE(content_of(dir / "z.csv").starts_with("id,0,1,2,3\nanna,"));
  EXPECT_TRUE(content_of(dir / "z.txt").starts_with("4 4\nanna "));
  EXPECT_EQ(embed("z.csv").exit_code, 2);  // it exists
}

TEST(CliEmbed, Evaluates) {
  const CommandResult result =
      run_mgnn({"embed", "karate", "-m", "node2vec", "--evaluate", "--seeds", "5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["rows"], 34);
  EXPECT_EQ(summary["dimension"], 128);
  EXPECT_GT(summary["test"]["mean"], 0.7);  // two factions, half of them each
  const CommandResult graphs = run_mgnn(
      {"embed", "-m", "netlsd", "--evaluate", "--seeds", "1", "--json"});  // of the embedded set
  ASSERT_EQ(graphs.exit_code, 0) << graphs.err;
  EXPECT_EQ(json::parse(graphs.out)["test"]["runs"].size(), 5u);
}

TEST(CliEmbed, InfersUnseenGraphs) {
  const TempDir dir;
  const CommandResult result = run_mgnn({"embed", "triads", "-m", "graph2vec", "--fit-on", "triads",
                                         "--set", "epochs=2", "-o", dir / "z.npy"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(run_mgnn({"embed", "triads", "-m", "netlsd", "--fit-on", "triads", "--evaluate"}).err,
            "mgnn: this method embeds only the graphs that it is fitted on\n");
}

TEST(CliEmbed, SeedsHaveSixtyFourBits) {
  const auto config = [](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"embed", "-m", "hope", "--show-config", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_mgnn(arguments);
  };
  for (const char* seed : {"9223372036854775808", "18446744073709551615"}) {
    const CommandResult by_flag = config({"-s", seed});
    const CommandResult by_set = config({"--set", std::string("seed=") + seed});
    ASSERT_EQ(by_flag.exit_code, 0) << by_flag.err;
    EXPECT_NE(by_flag.out.find(seed), std::string::npos) << by_flag.out;
    EXPECT_EQ(by_set.out, by_flag.out);
  }
  const CommandResult refused = config({"--set", "seed=99999999999999999999"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "mgnn: seed is \"99999999999999999999\", which is not a whole number up to "
            "18446744073709551615\n");
}

TEST(CliEmbed, RefusesInOneSentence) {
  EXPECT_EQ(run_mgnn({"embed", "karate", "-m", "node2vex", "--evaluate"}).err,
            "mgnn: there is no embedding method \"node2vex\"; did you mean node2vec?\n");
  EXPECT_EQ(run_mgnn({"embed", "karate"}).err,
            "mgnn: nothing to do: use -o FILE, --evaluate, or both\n");
  EXPECT_EQ(run_mgnn({"embed", "karate", "-m", "hope", "--fast-unordered", "--evaluate"}).err,
            "mgnn: --fast-unordered: hope has no option unordered\n");
  EXPECT_EQ(run_mgnn({"embed", "karate", "--variant", "karateclub", "--evaluate"}).err,
            "mgnn: node2vec has no karateclub variant\n");
  EXPECT_EQ(run_mgnn({"embed", "karate", "-m", "hope", "--set", "bta=1", "--evaluate"}).exit_code,
            2);
  EXPECT_EQ(run_mgnn({"embed", "karate", "-o", "z.xyz"}).exit_code, 2);
}

}  // namespace
}  // namespace mgnn
