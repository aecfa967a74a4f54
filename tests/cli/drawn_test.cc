// Graphs with results as attributes, for Cytoscape and Gephi.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

// What the data say of themselves, without the name.
Json info_of(const std::string& data) {
  const auto result = run_mgnn({"info", data, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

TEST(CliDrawn, ConvertedGraphsAreTheSame) {
  const TempDir dir;
  const Json karate = info_of("karate");
  for (const char* name : {"k.graphml", "k.gexf", "k.json", "k.graphml.gz"}) {
    const auto result = run_mgnn({"convert", "karate", dir / name});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json read = info_of(dir / name);
    for (const char* part : {"nodes", "arcs", "classes"})
      EXPECT_EQ(read[part], karate[part]) << name << " " << part;
  }
  const auto lost = run_mgnn({"convert", "karate", dir / "k.sif"});
  EXPECT_NE(lost.err.find("sif files do not hold the features, classes, splits"), std::string::npos)
      << lost.err;
  EXPECT_EQ(info_of(dir / "k.sif")["arcs"], karate["arcs"]);
}

TEST(CliDrawn, CensusOfNodesIsInTheGraph) {
  const TempDir dir;
  ASSERT_EQ(run_mgnn({"census", "karate", "--per-node", dir / "c.csv"}).exit_code, 0);
  ASSERT_EQ(run_mgnn({"census", "karate", "--per-node", dir / "c.json"}).exit_code, 0);
  const Json graph = Json::parse(content_of(dir / "c.json"));
  std::istringstream lines(content_of(dir / "c.csv"));
  std::string line;
  std::getline(lines, line);
  for (const Json& node : graph["nodes"]) {
    ASSERT_TRUE(std::getline(lines, line));
    std::string row = node["id"];
    for (int m = 1; m <= 13; m++) row += "," + node["M" + std::to_string(m)].dump();
    EXPECT_EQ(row, line);
  }
  const auto refused = run_mgnn({"census", "karate", "--per-node", dir / "c.sif"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("SIF files hold no counts"), std::string::npos) << refused.err;
  EXPECT_EQ(run_mgnn({"census", "karate", "--per-edge", dir / "c.gexf"}).exit_code, 2);
}

TEST(CliDrawn, PredictionsOfNodesAreInTheGraph) {
  const TempDir dir;
  const std::string run = dir / "run";
  ASSERT_EQ(run_mgnn({"train", "roles", "--epochs", "5", "-q", "-o", run}).exit_code, 0);
  ASSERT_EQ(run_mgnn({"predict", run, "-o", dir / "p.jsonl"}).exit_code, 0);
  const auto drawn = run_mgnn({"predict", run, "-o", dir / "p.json"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  const Json graph = Json::parse(content_of(dir / "p.json"));
  std::istringstream lines(content_of(dir / "p.jsonl"));
  std::string line;
  for (const Json& node : graph["nodes"]) {
    ASSERT_TRUE(std::getline(lines, line));
    const Json row = Json::parse(line);
    EXPECT_EQ(node["predicted"], row["predicted"]);
    EXPECT_EQ(node["probability"], row["probability"]);
    EXPECT_EQ(node["class"], row["label"]);
  }
  const auto refused = run_mgnn({"predict", run, "-o", dir / "p.sif"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("SIF files hold no predictions"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace mgnn
