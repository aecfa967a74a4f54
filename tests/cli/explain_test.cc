#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

std::string trained(const TempDir& dir) {
  const std::string run = dir / "run";
  EXPECT_EQ(run_mgnn({"train", "roles", "--epochs", "30", "-q", "-o", run}).exit_code, 0);
  return run;
}

TEST(CliExplain, WritesWhatItPrints) {
  const TempDir dir;
  const std::string run = trained(dir);
  const auto text = run_mgnn({"explain", run, "--node", "3", "--check"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("node 3: "));
  for (const char* part : {"What each motif adds (exact", "Neighbours", "Instances of motifs",
                           "fidelity+", "Check: with shuffled weights"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  const auto json =
      run_mgnn({"explain", run, "--node", "3", "--top", "4", "--json", "-o", dir / "e.json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const Json document = Json::parse(json.out);
  EXPECT_EQ(document, Json::parse(content_of(dir / "e.json")));
  EXPECT_EQ(document["version"], 1);
  EXPECT_LE(document["neighbours"].size(), 4u);
  for (const auto& [file, begins] :
       {std::pair("e.svg", "<?xml"), std::pair("e.graphml", "<?xml"), std::pair("e.html", "<!")}) {
    ASSERT_EQ(run_mgnn({"explain", run, "--node", "3", "--no-recount", "-o", dir / file}).exit_code,
              0);
    EXPECT_TRUE(content_of(dir / file).starts_with(begins)) << file;
  }
}

TEST(CliExplain, SumsUpAllItems) {
  const TempDir dir;
  const std::string run = trained(dir);
  const auto all = run_mgnn({"explain", run, "--all", "-o", dir / "all.html"});
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_NE(all.out.find("census z"), std::string::npos) << all.out;
  EXPECT_NE(content_of(dir / "all.html").find("<svg"), std::string::npos);
  const auto relay = run_mgnn({"explain", run, "--class", "relay", "--json"});
  ASSERT_EQ(relay.exit_code, 0) << relay.err;
  EXPECT_EQ(Json::parse(relay.out)["schema"], "mgnn-explanation-summary");
}

TEST(CliExplain, RefusesWhatItCannotUse) {
  const TempDir dir;
  const std::string run = trained(dir);
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"explain", run});
    const auto refused = run_mgnn(words);
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    return refused.err;
  };
  EXPECT_NE(refusal({}).find("say what to explain"), std::string::npos);
  EXPECT_NE(refusal({"--node", "3", "--all"}).find("exclude each other"), std::string::npos);
  EXPECT_NE(refusal({"--all", "--check"}).find("--check needs"), std::string::npos);
  EXPECT_NE(refusal({"--node", "x"}).find("there is no node \"x\""), std::string::npos);
  EXPECT_NE(refusal({"--graph", "3"}).find("ask it about a node, not a graph"), std::string::npos);
  EXPECT_NE(refusal({"--class", "relais"}).find("did you mean relay?"), std::string::npos);
  EXPECT_NE(refusal({"--node", "3", "-o", dir / "e.txt"}).find("write .json, .html"),
            std::string::npos);
  EXPECT_NE(refusal({"--all", "-o", dir / "e.graphml"}).find("an overview is written"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
