#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "mgnn/io/table.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

std::vector<std::vector<std::string>> rows_of(const std::string& text, char separator = '\t') {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, separator);) rows.back().push_back(cell);
  }
  return rows;
}

// The held-out edges that a run names are told apart when they are asked for, and so is what it never saw.
void expect_known_parts(const std::string& run, const TempDir& dir) {
  std::string pairs = "from,to\n";
  std::vector<std::string> parts;
  for (const auto& row : rows_of(content_of(run + "/predictions.csv"), ',')) {
    if (row[0] == "from") continue;
    pairs += row[0] + "," + row[1] + "\n";
    parts.push_back(row[4] == "yes" ? row[5] : "");  // a negative is in no part of the edges
  }
  ASSERT_EQ(
      run_mgnn({"predict", run, "--pairs", dir.file("held.csv", pairs), "-o", dir / "held.tsv"})
          .exit_code,
      0);
  const auto rows = rows_of(content_of(dir / "held.tsv"));
  ASSERT_EQ(rows.size(), parts.size() + 1);
  std::set<std::string> seen;
  for (size_t i = 0; i < parts.size(); i++) {
    EXPECT_EQ(rows[i + 1].size() > 5 ? rows[i + 1][5] : "", parts[i])
        << rows[i + 1][0] << " " << rows[i + 1][1];
    seen.insert(parts[i]);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"", "validation", "test"}));
}

// An edge of the data: one that is held out.
std::string edge_of(const std::string& run) {
  for (const auto& row : rows_of(content_of(run + "/predictions.csv"), ','))
    if (row[4] == "yes") return row[0] + "\t" + row[1];
  return "";
}

TEST(Link, RunsAreKeptAndRanked) {
  const TempDir dir;
  const std::string run = dir / "run";
  const auto trained = run_mgnn({"train", "--task", "link", "--relation", "treats", "--epochs",
                                 "30", "--set", "layers=8", "--seeds", "2", "-o", run, "--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Json json = Json::parse(trained.out);
  EXPECT_EQ(json["task"], "link");
  EXPECT_EQ(json["dataset"], "toykg");
  EXPECT_EQ(json["metric"], "auroc");
  EXPECT_EQ(json["test"]["runs"].size(), 2u);
  for (const char* score : {"average_precision", "hits@10", "mrr"})
    EXPECT_EQ(json["extra_metrics"][score]["runs"].size(), 2u) << score;
  for (const char* file : {"config.toml", "run.json", "metrics.jsonl", "model.safetensors",
                           "ids.tsv", "predictions.csv"})
    EXPECT_TRUE(file_exists(run + "/" + file)) << file;

  // The held-out pairs again, and others by name.
  ASSERT_EQ(run_mgnn({"predict", run, "-o", dir / "p.csv"}).exit_code, 0);
  EXPECT_TRUE(content_of(dir / "p.csv") == content_of(run + "/predictions.csv"));
  const std::string pairs = dir.file("pairs.tsv", "compound:0000\tdisease:0001\nx\tdisease:0001\n");
  const auto scored = run_mgnn({"predict", run, "--pairs", pairs, "--json"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_EQ(Json::parse(scored.out)["pairs"], 1);
  EXPECT_EQ(Json::parse(scored.out)["unknown_ids"], Json({"x"}));
  EXPECT_EQ(Json::parse(scored.out)["predictions"].size(), 1u);
  expect_known_parts(run, dir);
  EXPECT_NE(scored.err.find("1 ids are not in the graph"), std::string::npos) << scored.err;

  const auto ranked = run_mgnn(
      {"rank", run, "--between", "compound,disease", "--top", "50", "-o", dir / "ranking.tsv"});
  ASSERT_EQ(ranked.exit_code, 0) << ranked.err;
  EXPECT_EQ(ranked.err, "");
  const auto rows = rows_of(content_of(dir / "ranking.tsv"));
  ASSERT_EQ(rows.size(), 51u);
  // The default: network, heuristics, degrees and motif counts together.
  EXPECT_EQ(rows[0], (std::vector<std::string>{"rank", "from", "to", "score", "probability",
                                               "closes", "shared", "heuristics", "degrees",
                                               "counts", "network", "bias"}));
  for (size_t i = 1; i < rows.size(); i++) {
    double sum = 0;
    for (size_t c = 7; c < 12; c++) sum += std::stod(rows[i][c]);
    EXPECT_NEAR(sum, std::stod(rows[i][3]), 1e-3);
  }
  const auto by_network = run_mgnn({"rank", run, "--score", "network", "--top", "5"});
  ASSERT_EQ(by_network.exit_code, 0) << by_network.err;
  EXPECT_EQ(rows_of(by_network.out)[0].size(), 5u + 2 + 1 + 13 + 1);

  // No node fills the list.
  const auto thinned =
      run_mgnn({"rank", run, "--at-most-per-node", "2", "--top", "30", "-o", dir / "thin.tsv"});
  ASSERT_EQ(thinned.exit_code, 0) << thinned.err;
  std::map<std::string, int> times;
  const auto thin = rows_of(content_of(dir / "thin.tsv"));
  ASSERT_EQ(thin.size(), 31u);
  for (size_t i = 1; i < thin.size(); i++)
    for (const size_t end : {1, 2}) EXPECT_LE(++times[thin[i][end]], 2);
  EXPECT_EQ(thin[1], rows[1]);  // the best is the best

  // Names beside ids.
  const auto named = run_mgnn(
      {"rank", run, "--names",
       dir.file("names.tsv", "key\tname\n" + rows[1][1] + "\tAspirin\n" + rows[1][2] + "\tGout\n"),
       "--top", "1"});
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(rows_of(named.out)[1][3], "Aspirin");
  EXPECT_EQ(rows_of(named.out)[1][4], "Gout");
  EXPECT_NE(run_mgnn({"rank", run, "--names", dir.file("no.tsv", "id\tname\n?\tx\n")})
                .err.find("has no column with ids of toykg"),
            std::string::npos);
  EXPECT_EQ(rows[1][1].substr(0, 8), "compound");
  EXPECT_EQ(rows[1][2].substr(0, 7), "disease");
  for (size_t i = 2; i < rows.size(); i++) {
    EXPECT_GE(std::stod(rows[i - 1][3]), std::stod(rows[i][3]));
    EXPECT_GE(std::stod(rows[i][4]), 0);
    EXPECT_LE(std::stod(rows[i][4]), 1);
  }

  // A list with the two best pairs, one of them turned, and an id that nobody has.
  const std::string list = dir.file(
      "known.tsv", "from\tto\n" + rows[1][1] + "\t" + rows[1][2] + "\n" + rows[2][2] + "\t" +
                       rows[2][1] + "\nnobody\t" + rows[2][1] + "\n" + edge_of(run) + "\n");
  const auto checked =
      run_mgnn({"rank", run, "--known", list, "--top", "10", "-o", dir / "checked.tsv", "--json"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  const Json precision = Json::parse(checked.out);
  EXPECT_EQ(precision["precision"]["1"], 1.0);
  EXPECT_EQ(precision["precision"]["10"], 0.2);
  EXPECT_EQ(precision["unknown_ids"], Json({"nobody"}));
  EXPECT_EQ(precision["listed_edges"], 1);
  EXPECT_NE(checked.err.find("1 of the 3 pairs are edges of toykg already"), std::string::npos)
      << checked.err;

  const auto partners = run_mgnn({"rank", run, "--for", "disease:0003", "--top", "5"});
  ASSERT_EQ(partners.exit_code, 0) << partners.err;
  for (const auto& row : rows_of(partners.out))
    if (row[0] != "rank") {
      EXPECT_EQ(row[2], "disease:0003");
    }

  const auto inspected = run_mgnn({"inspect", run, "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_TRUE(Json::parse(inspected.out)["fitted"].contains("slope"));
  EXPECT_EQ(run_mgnn({"embed", "--model", run, "-o", dir / "z.npy"}).exit_code, 0);
}

TEST(Link, DimensionIsOneFlag) {
  for (const char* task : {"link", "unsupervised"}) {
    const auto shown =
        run_mgnn({"train", "toykg", "--task", task, "--dimension", "7", "--show-config"});
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_NE(shown.out.find("dimension = 7"), std::string::npos) << shown.out;
  }
  EXPECT_EQ(run_mgnn({"train", "toykg", "--dimensions", "7", "--show-config"}).exit_code, 2);
}

TEST(Link, PlainEdgeListsNeedNeitherLabelsNorFeatures) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 60; i++)
    text += "n" + std::to_string(i) + "\tn" + std::to_string((i * 7 + 3) % 60) + "\n";
  const std::string edges = dir.file("e.tsv", text);
  for (const char* features : {"own", "degree-profile", "random"}) {
    const auto trained = run_mgnn({"train", "--edges", edges, "--features", features, "--epochs",
                                   "3", "--model", "gcn", "--no-output", "--json"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_EQ(Json::parse(trained.out)["task"], "link");
  }
}

TEST(Link, MistakesAreTold) {
  const TempDir dir;
  const std::string run = dir / "run", nodes = dir / "nodes";
  const auto wrong =
      run_mgnn({"train", "toykg", "--task", "link", "--relation", "treat", "--no-output"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("there are binds, associates"), std::string::npos) << wrong.err;
  ASSERT_EQ(
      run_mgnn({"train", "toykg", "--task", "link", "--model", "gcn", "--epochs", "1", "-o", run})
          .exit_code,
      0);
  ASSERT_EQ(run_mgnn({"train", "roles", "--model", "gcn", "--epochs", "1", "-o", nodes}).exit_code,
            0);
  const auto none = run_mgnn({"rank", run, "--for", "disease:9999"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("there is no node"), std::string::npos) << none.err;
  EXPECT_EQ(run_mgnn({"rank", run, "--between", "disease,protein"}).exit_code, 2);
  const auto other = run_mgnn({"rank", nodes});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(
      other.err.find("is a run of --task node; pairs are ranked by a run of train --task link"),
      std::string::npos)
      << other.err;
  EXPECT_NE(run_mgnn({"rank", run, "--top", "0"}).err.find("--top is 0; use at least 1"),
            std::string::npos);
  EXPECT_EQ(run_mgnn({"predict", nodes, "--pairs", "x.tsv"}).exit_code, 2);
}

TEST(Link, ARankingThatIsWorthNothingIsToldSo) {
  const TempDir dir;
  // Edges by chance: there is nothing to learn.
  Rng rng(5);
  std::string edges = "from\tto\n", nodes = "id\ttype\n";
  for (int i = 0; i < 150; i++) nodes += fmt::format("n{}\t{}\n", i, i % 3 == 0 ? "a" : "b");
  for (int i = 0; i < 900; i++)  // a-b and b-b, never a-a
    edges += fmt::format("n{}\tn{}\n", rng.below(150), 3 * rng.below(50) + 1);
  const std::string run = dir / "run";
  const auto trained =
      run_mgnn({"train", "--edges", dir.file("e.tsv", edges), "--nodes", dir.file("n.tsv", nodes),
                "--undirected", "--task", "link", "--between", "a,b", "--epochs", "1", "--model",
                "gcn", "--set", "layers=4", "-o", run});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto ranked =
      run_mgnn({"rank", run, "--between", "a,a", "--top", "5", "-o", dir / "r.tsv", "--json"});
  ASSERT_EQ(ranked.exit_code, 0) << ranked.err;
  const Json warnings = Json::parse(ranked.out)["warnings"];
  ASSERT_GE(warnings.size(), 2u) << ranked.out;
  EXPECT_NE(warnings[0].get<std::string>().find("chance alone gives 0.5"), std::string::npos);
  EXPECT_NE(warnings[1].get<std::string>().find("no edge between \"a\" and \"a\" was trained on"),
            std::string::npos);
  for (const Json& warning : warnings)
    EXPECT_NE(ranked.err.find("mgnn: warning: " + run + ": " + warning.get<std::string>()),
              std::string::npos)
        << ranked.err;
}

// Names with quotes and blanks come back from the ranking as they were.
TEST(CliRank, QuotesIdsThatNeedIt) {
  const TempDir dir;
  std::string edges = "from\tto\n", types = "id\ttype\n";
  for (int i = 0; i < 12; i++) {
    types += fmt::format("\"a \"\"{}\"\"\"\tdrug\nb{}\tgene\n", i, i);
    for (int j = 0; j < 12; j++)
      if ((i + j) % 3) edges += fmt::format("\"a \"\"{}\"\"\"\tb{}\n", i, j);
  }
  const auto trained =
      run_mgnn({"train", dir.file("e.tsv", edges), "--nodes", dir.file("n.tsv", types), "--task",
                "link", "--model", "gcn", "--epochs", "2", "-o", dir / "run"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto ranked =
      run_mgnn({"rank", dir / "run", "--between", "drug,gene", "--top", "3", "-o", dir / "r.tsv"});
  ASSERT_EQ(ranked.exit_code, 0) << ranked.err;
  const Table table = read_table(dir / "r.tsv");
  ASSERT_EQ(table.num_rows(), 3);
  EXPECT_TRUE(table.cell(0, table.column("from")).starts_with("a \""));
  EXPECT_TRUE(table.cell(0, table.column("from")).ends_with("\""));
}

}  // namespace
}  // namespace mgnn
