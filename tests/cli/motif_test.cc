// census and motifs at work.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "mgnn/io/numpy.h"
#include "mgnn/io/table.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using nlohmann::json;
using testing::CommandResult, testing::content_of, testing::run_mgnn, testing::TempDir;

// The example of networkx: 111D, 111U and twice 120C.
const char* kEdges = "0 1\n1 0\n1 2\n2 0\n0 3\n3 2\n2 3\n";

TEST(CliCensus, KeepsItsContract) {
  const CommandResult result =
      run_mgnn({"census", "-", "--counting", "induced", "--json"}, {.in = kEdges});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json census = json::parse(result.out);
  EXPECT_EQ(census["nodes"], 4);
  EXPECT_EQ(census["arcs"], 7);
  EXPECT_EQ(census["counting"], "induced");
  EXPECT_TRUE(census["seconds"].is_number());
  EXPECT_EQ(census["motifs"].size(), 13u);
  for (const auto& [motif, count] : census["motifs"].items())
    EXPECT_EQ(count, motif == "M2" ? 2 : motif == "M11" || motif == "M12" ? 1 : 0) << motif;
}

TEST(CliCensus, WritesCountsPerNodeEdgeAndGraph) {
  const TempDir dir;
  const CommandResult result = run_mgnn({"census", dir.file("e.txt", "7 8\n8 9\n9 7\n"),
                                         "--per-node", dir / "n.csv", "--per-edge", dir / "e.tsv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string motifs = ",M1,M2,M3,M4,M5,M6,M7,M8,M9,M10,M11,M12,M13\n";
  EXPECT_EQ(content_of(dir / "n.csv"), "id" + motifs + "7,1,0,0,0,0,0,0,0,3,0,0,0,0\n" +
                                           "8,1,0,0,0,0,0,0,0,3,0,0,0,0\n" +
                                           "9,1,0,0,0,0,0,0,0,3,0,0,0,0\n");
  std::string edges = content_of(dir / "e.tsv");
  std::replace(edges.begin(), edges.end(), '\t', ',');
  EXPECT_EQ(edges, "from,to" + motifs + "7,8,1,0,0,0,0,0,0,0,2,0,0,0,0\n" +
                       "8,9,1,0,0,0,0,0,0,0,2,0,0,0,0\n" + "9,7,1,0,0,0,0,0,0,0,2,0,0,0,0\n");
  ASSERT_EQ(run_mgnn({"census", "triads", "--per-graph", dir / "g.csv"}).exit_code, 0);
  const std::string graphs = content_of(dir / "g.csv");
  EXPECT_TRUE(graphs.starts_with("graph" + motifs + "0,"));
  EXPECT_EQ(std::count(graphs.begin(), graphs.end(), '\n'), 301);
}

TEST(CliCensus, WritesRolesOfNodes) {
  const TempDir dir;
  // A feed-forward loop a -> b -> c, a -> c, and d that sends to c.
  const std::string edges = dir.file("e.txt", "a b\nb c\na c\nd c\n");
  const CommandResult result = run_mgnn(
      {"census", edges, "--counting", "induced", "--per-node", dir / "n.csv", "--roles", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Table table = read_table(dir / "n.csv");
  ASSERT_EQ(table.num_columns(), 31);
  ASSERT_EQ(table.num_rows(), 4);
  const std::map<std::string, std::string> ones[] = {{{"M5.source", "1"}, {"M10.leaf", "1"}},
                                                     {{"M5.relay", "1"}, {"M10.leaf", "1"}},
                                                     {{"M5.target", "1"}, {"M10.centre", "2"}},
                                                     {{"M10.leaf", "2"}}};
  for (int row = 0; row < 4; row++)
    for (int column = 1; column <= 30; column++) {
      const std::string title(table.columns()[column]);
      const auto count = ones[row].find(title);
      EXPECT_EQ(table.cell(row, column), count == ones[row].end() ? "0" : count->second)
          << row << " " << title;
    }
  const json census = json::parse(result.out);
  EXPECT_EQ(census["motifs"]["M10"], 2);
  ASSERT_EQ(census["roles"].size(), 30u);
  EXPECT_EQ(census["roles"]["M10.centre"], 2);
  EXPECT_EQ(census["roles"]["M10.leaf"], 4);
  EXPECT_EQ(census["roles"]["M5.relay"], 1);
  EXPECT_FALSE(json::parse(run_mgnn({"census", edges, "--json"}).out).contains("roles"));

  // Sets of graphs have all nodes of all graphs.
  ASSERT_EQ(run_mgnn({"census", "triads", "--per-node", dir / "s.tsv", "--roles", "--per-graph",
                      dir / "g.csv"})
                .exit_code,
            0);
  const std::string set = content_of(dir / "s.tsv");
  EXPECT_TRUE(set.starts_with("id\tM1.node\tM2.target\tM2.source\tM2.relay\t"));

  const CommandResult refused = run_mgnn({"census", edges, "--roles"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--roles"), std::string::npos);
  EXPECT_NE(refused.err.find("needs --per-node FILE"), std::string::npos) << refused.err;
}

TEST(CliMotifs, WeighsInstancesWhereAsked) {
  const TempDir dir;
  const std::string edges = dir.file("e.csv", "source,target,weight\na,b,2\nb,a,4\nb,c,3\nc,a,6\n");
  const CommandResult result = run_mgnn(
      {"motifs", edges, "-o", dir / "m.npz", "--weights", "product", "--motifs", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json made = json::parse(result.out);
  EXPECT_EQ(made["weights"], "product");
  EXPECT_EQ(made["sums"]["M2"], 6. * 2 * 4 * 3 * 6);
  EXPECT_EQ(read_npz(dir / "m.npz").at("m2").floats("m2"), Array<float>(6, 144.f));
  const CommandResult mean =
      run_mgnn({"motifs", edges, "-o", dir / "mean/", "--weights", "mean", "--motifs", "1"});
  EXPECT_EQ(mean.exit_code, 0) << mean.err;
  EXPECT_NE(mean.out.find("M1     a→b→c→a  030C           6   22  3.66667"), std::string::npos)
      << mean.out;
  EXPECT_EQ(mean.err.find("not used"), std::string::npos) << mean.err;

  for (const std::vector<std::string>& counted :
       {std::vector<std::string>{"census", edges}, {"motifs", edges, "-o", dir / "c.npz"}})
    EXPECT_NE(
        run_mgnn(counted).err.find("e: the weights of arcs are not used: instances are counted"),
        std::string::npos);
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"motifs",      edges,       "-o",
                                          dir / "r.npz", "--weights", "mean"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult run = run_mgnn(arguments);
    EXPECT_NE(run.exit_code, 0);
    return run.err;
  };
  EXPECT_NE(refused({"--no-weighted"}).find("--weights mean: e has no weights of arcs"),
            std::string::npos);
  EXPECT_NE(refused({"--counting", "published"}).find("does not count instances"),
            std::string::npos);
  dir.file("e.csv", "source,target,weight\na,b,-2\nb,c,1\n");
  EXPECT_NE(refused({"--normalise", "row"}).find("has negative entries"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir / "r.npz"));
}

TEST(CliCensus, QuotesIdsThatNeedIt) {
  const TempDir dir;
  const std::string edges = dir.file("e.csv", "\"x, y\",\"say \"\"z\"\"\"\n\"say \"\"z\"\"\",w\n");
  const auto written =
      run_mgnn({"census", edges, "--per-node", dir / "n.csv", "--per-edge", dir / "e2.csv"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const Table nodes = read_table(dir / "n.csv"), arcs = read_table(dir / "e2.csv");
  EXPECT_EQ(nodes.num_columns(), 14);
  EXPECT_EQ(nodes.cell(0, 0), "x, y");
  EXPECT_EQ(nodes.cell(1, 0), "say \"z\"");
  EXPECT_EQ(arcs.num_columns(), 15);
  EXPECT_EQ(arcs.cell(0, 0), "x, y");
  EXPECT_EQ(arcs.cell(0, 1), "say \"z\"");
}

TEST(CliCensus, ComparesWithRandomGraphs) {
  const auto null_of = [](const char* threads) {
    const CommandResult result =
        run_mgnn({"census", "roles", "--null", "5", "--json", "-j", threads});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out)["null"];
  };
  const json null = null_of("1");
  EXPECT_EQ(null["graphs"], 5);
  EXPECT_GT(null["motifs"]["M1"]["z"], 5);  // planted
  EXPECT_EQ(null["motifs"]["M8"]["z"], 0);  // given by the degrees
  EXPECT_DOUBLE_EQ(null["smallest_p"], 2. / 6);
  EXPECT_EQ(null["motifs"]["M1"]["p"], null["smallest_p"]);
  EXPECT_EQ(null["motifs"]["M8"]["p"], 1);
  EXPECT_GE(null["motifs"]["M1"]["q"], null["motifs"]["M1"]["p"]);
  EXPECT_EQ(null, null_of("2"));
  const CommandResult table = run_mgnn({"census", "roles", "--null", "5"});
  EXPECT_NE(table.out.find("never below 0.33"), std::string::npos) << table.out;
}

TEST(CliCensus, RefusesInOneSentence) {
  const TempDir dir;
  const std::string edges = dir.file("e.txt", kEdges);
  EXPECT_EQ(run_mgnn({"census", "-q", edges, "--per-graph", dir / "g.csv"}).err,
            "mgnn: --per-graph: " + edges + " is one graph, not a set of graphs\n");
  EXPECT_EQ(run_mgnn({"census", edges, "--counting", "inducd"}).err,
            "mgnn: unknown value \"inducd\" of counting; did you mean induced?\n");
  dir.file("n.csv", "mine");
  const CommandResult kept = run_mgnn({"census", edges, "--per-node", dir / "n.csv"});
  EXPECT_EQ(kept.exit_code, 2);
  EXPECT_EQ(content_of(dir / "n.csv"), "mine");
  EXPECT_EQ(run_mgnn({"census", edges, "--null", "1"}).exit_code, 2);
}

TEST(CliMotifs, KeepsItsContract) {
  const TempDir dir;
  const std::string edges = dir.file("e.txt", "7 8\n8 9\n9 7\n");
  const CommandResult result =
      run_mgnn({"motifs", edges, "-o", dir / "m.npz", "--motifs", "1,9", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json told = json::parse(result.out);
  EXPECT_EQ(told["sums"], json({{"M1", 6}, {"M9", 12}}));
  const NumpyArchive file = read_npz(dir / "m.npz");
  std::set<std::string> names;
  for (const auto& [name, array] : file) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"ids", "indices", "indptr", "m1", "m9", "shape"}));
  EXPECT_EQ(file.at("m1").integers("m1"), (Array<int64_t>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(file.at("m9").integers("m9"), (Array<int64_t>{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(file.at("ids").integers("ids"), (Array<int64_t>{7, 8, 9}));
}

TEST(CliMotifs, MakesTheFolderOfMatrices) {
  const TempDir dir;
  for (const std::vector<std::string>& output :
       {std::vector<std::string>{dir / "new/"},
        std::vector<std::string>{dir / "a/b/", "--format", "mtx"}}) {
    std::vector<std::string> arguments = {"motifs", "karate", "-o"};
    arguments.insert(arguments.end(), output.begin(), output.end());
    const auto written = run_mgnn(arguments);
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_TRUE(file_exists(output[0] + "m4.mtx"));
  }
  const auto refused = run_mgnn({"motifs", "karate", "-o", dir / "missing/x.npz"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("cannot write"), std::string::npos) << refused.err;
}

TEST(CliMotifs, LeavesNothingHalfDone) {
  const TempDir dir;
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", dir / "m.npz", "--dry-run"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", dir / "m.xyz"}).exit_code, 2);
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", "-", "--format", "npz"}).exit_code, 2);
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", dir / "m.npz", "--memory-limit", "-1"}).exit_code,
            2);
  dir.file("m.npz", "mine");
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", dir / "m.npz"}).exit_code, 2);
  EXPECT_EQ(content_of(dir / "m.npz"), "mine");
  EXPECT_EQ(run_mgnn({"motifs", "karate", "-o", dir / "m.npz", "--force"}).exit_code, 0);
}

TEST(CliMotifs, InterruptLeavesNoFile) {
  const TempDir dir;
  ASSERT_EQ(run_mgnn({"generate", "rmat", "--nodes", "20000", "--arcs", "1000000", "-o",
                      dir / "graph.npz"})
                .exit_code,
            0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const CommandResult result =
        run_mgnn({"motifs", dir / "graph.npz", "-o", dir / "m.npz"}, {.signal = signal});
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
  }
}

}  // namespace
}  // namespace mgnn
