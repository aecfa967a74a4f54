// The verbs at work on files and embedded data.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mgnn/base/human.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using nlohmann::json;
using testing::CommandResult, testing::run_mgnn, testing::TempDir;

json info_of(std::vector<std::string> arguments, const testing::CommandOptions& options = {}) {
  arguments.insert(arguments.begin(), "info");
  arguments.push_back("--json");
  const CommandResult result = run_mgnn(arguments, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
  return json::parse(result.out);
}

// 10 <-> 20, 20 -> 30, the loop 30 -> 30, and 10 -> 20 once more
const char* kEdges = "# a comment\n10 20\n20 10\n20 30\n30 30\n10 20\n";

TEST(CliInfo, KeepsItsContract) {
  const TempDir dir;
  const json info = info_of({dir.file("edges.txt", kEdges)});
  EXPECT_EQ(info["nodes"], 3);
  EXPECT_EQ(info["arcs"], 3);
  EXPECT_EQ(info["undirected_edges"], 2);
  EXPECT_EQ(info["reciprocal_pairs"], 1);
  EXPECT_EQ(info["self_loops_dropped"], 1);
  EXPECT_EQ(info["duplicates_dropped"], 1);
  EXPECT_EQ(info["features"], 0);
  EXPECT_EQ(info["classes"], 0);
  EXPECT_EQ(info["graphs"], 1);
  EXPECT_EQ(info["out_degree"], json({{"min", 0}, {"mean", 1.0}, {"median", 1.0}, {"max", 2}}));
}

// The library says what is wrong, the tool which flag helps.
TEST(CliInfo, ErrorsNameTheFlagThatHelps) {
  const TempDir dir;
  const auto error = [](std::vector<std::string> arguments) { return run_mgnn(arguments).err; };
  const std::string integers = dir.file("i.txt", "1 2\n3 x\n"),
                    tabs = dir.file("t.tsv", "1\t2\n3\n");
  EXPECT_EQ(error({"info", integers}), "mgnn: " + integers +
                                           ":2: expected two node ids, got \"3 x\"; use --ids "
                                           "string if ids are names\n");
  EXPECT_EQ(error({"info", tabs}),
            "mgnn: " + tabs +
                ":2: expected two node ids, got \"3\"; columns are separated by tabs here; use "
                "--separator for another\n");
  EXPECT_EQ(error({"info", "zzzzzzzzzzz"}),
            "mgnn: there is no dataset or file named \"zzzzzzzzzzz\"; mgnn datasets lists those "
            "known, tu:NAME asks for any set of the TU collection\n");
  EXPECT_EQ(error({"embed", "karate", "-o", dir / "z.doc"}),
            "mgnn: " + (dir / "z.doc") +
                ": vectors are written as .npy, .npz, .csv, .tsv or, for word2vec, .txt; use one "
                "of these endings or --format\n");
}

TEST(CliInfo, ReadsStandardInputAndFlagsBeforeTheVerb) {
  const json info = json::parse(run_mgnn({"--json", "-j", "1", "info", "-"}, {.in = kEdges}).out);
  EXPECT_EQ(info["arcs"], 3);
}

TEST(CliInfo, ShowsATable) {
  const TempDir dir;
  const CommandResult result = run_mgnn({"info", dir.file("edges.txt", kEdges)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("arcs         3 in 2 undirected edges\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("dropped      1 loop, 1 duplicate\n"), std::string::npos);
  EXPECT_EQ(result.out.find('\033'), std::string::npos);
}

TEST(CliInfo, TakesTheOptionsOfEdgeLists) {
  const TempDir dir;
  const std::string path = dir.file("edges.csv", "kind,a,b,w\nx,n1 ,n2,1\ny,n2,n3,2\ny,n4,n5,2\n");
  const std::vector<std::string> columns = {path, "--from-column",     "a",    "--to-column",
                                            "b",  "--relation-column", "kind", "--weight-column",
                                            "w"};
  const CommandResult untrimmed =
      run_mgnn({"info", path, "--from-column", "a", "--to-column", "b"});
  EXPECT_EQ(untrimmed.exit_code, 3);
  EXPECT_TRUE(untrimmed.err.ends_with("; use --trim or fix the file\n")) << untrimmed.err;
  std::vector<std::string> trimmed = columns;
  trimmed.push_back("--trim");
  const json info = info_of(trimmed);
  EXPECT_EQ(info["nodes"], 5);
  EXPECT_EQ(info["relations"].size(), 2u);
  trimmed.insert(trimmed.end(), {"--undirected", "--largest-component"});
  const json component = info_of(trimmed);
  EXPECT_EQ(component["nodes"], 3);
  EXPECT_EQ(component["arcs"], 4);
  EXPECT_EQ(component["nodes_dropped"], 2);
}

TEST(CliInfo, JoinsANodeTable) {
  const TempDir dir;
  const std::string edges = dir.file("edges.txt", kEdges);
  const std::string nodes =
      dir.file("nodes.csv", "id,kind,x,y\n10,cat,1,0\n20,dog,0,2\n30,cat,3,4\n");
  const json info = info_of({edges, "--nodes", nodes, "--label-column", "kind"});
  EXPECT_EQ(info["classes"], 2);
  EXPECT_EQ(info["features"], 2);
  EXPECT_EQ(info["class_counts"][0], json({{"name", "cat"}, {"count", 2}}));
}

TEST(CliInfo, KnowsEmbeddedSets) {
  const json karate = info_of({"karate"});
  EXPECT_EQ(karate["nodes"], 34);
  EXPECT_EQ(karate["undirected_edges"], 78);
  EXPECT_GT(info_of({"triads"})["graphs"], 1);
  EXPECT_GT(info_of({"roles"})["classes"], 1);
  EXPECT_FALSE(info_of({"toykg"})["relations"].empty());
}

TEST(CliInfo, ReadsRealDatasets) {
  MGNN_NEEDS_DATA();
  const json cora = info_of({"cora", "--data-dir", testing::data_dir()});
  EXPECT_EQ(cora["nodes"], 2708);
  EXPECT_EQ(cora["undirected_edges"], 5278);
  EXPECT_EQ(cora["features"], 1433);
  EXPECT_EQ(cora["classes"], 7);
  EXPECT_EQ(info_of({"mutag", "--data-dir", testing::data_dir()})["graphs"], 188);
}

TEST(CliInfo, SaysWhatIsWrongWithTheData) {
  const TempDir dir;
  const std::string path = dir.file("bad.txt", "1 2\n2 x\n");
  const CommandResult bad = run_mgnn({"info", path, "--json"});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_EQ(bad.out, "");
  EXPECT_TRUE(bad.err.starts_with("mgnn: " + path + ":2: ")) << bad.err;
  EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 1) << bad.err;
  const CommandResult unknown = run_mgnn({"info", "karat"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("karate"), std::string::npos) << unknown.err;
}

TEST(CliInfo, IsInterruptedBySigint) {
  const CommandResult result =
      run_mgnn({"info", "-"}, {.leave_input_open = true, .signal = SIGINT});
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "mgnn: interrupted\n");
}

TEST(CliInfo, ShowsNoProgressAndNoColourWithoutATerminal) {
  const CommandResult result = run_mgnn({"info", "karate"}, {.environment = {{"TERM", "xterm"}}});
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.find('\033'), std::string::npos);
}

TEST(CliInfo, LogsWhatItDoesWhenAsked) {
  const TempDir dir;
  const std::string path = dir.file("edges.txt", kEdges);
  EXPECT_TRUE(run_mgnn({"info", path, "-v"}).err.starts_with("mgnn: info: read " + path));
  EXPECT_EQ(run_mgnn({"info", path, "-v", "-q"}).err, "");
}

// A terminal is made by script(1), which every Debian has.
std::string on_a_terminal(const std::string& environment) {
  const TempDir dir;
  const std::string command = "cd " + dir.path() + " && TERM=xterm " + environment +
                              " script -qec '" MGNN_BINARY
                              " info karate' log >/dev/null </dev/null";
  return std::system(command.c_str()) == 0 ? testing::content_of(dir / "log") : "";
}

TEST(CliInfo, ColoursOnATerminalUnlessToldNotTo) {
  if (std::system("script -qec true /dev/null >/dev/null 2>&1 </dev/null") != 0)
    GTEST_SKIP() << "no pseudo-terminal can be made here";
  EXPECT_NE(on_a_terminal("").find("\033[1mdegree"), std::string::npos);
  const std::string plain = on_a_terminal("NO_COLOR=1");
  EXPECT_NE(plain.find("degree"), std::string::npos);
  EXPECT_EQ(plain.find('\033'), std::string::npos);
}

TEST(CliConvert, GoesRoundTheFormats) {
  const TempDir dir;
  const std::string original = dir.file("edges.txt", kEdges);
  std::string from = original;
  for (const char* name : {"a.mtx", "b.npz", "c.safetensors", "d.csv", "e.tsv"}) {
    const CommandResult result = run_mgnn({"convert", from, dir / name});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "wrote " + (dir / name) + ": 3 nodes, 3 arcs\n");
    const json info = info_of({dir / name});
    EXPECT_EQ(info["nodes"], 3) << name;
    EXPECT_EQ(info["arcs"], 3) << name;
    EXPECT_EQ(info["reciprocal_pairs"], 1) << name;
    from = dir / name;
  }
}

TEST(CliConvert, WritesToStandardOutput) {
  const CommandResult result = run_mgnn({"convert", "-", "-"}, {.in = kEdges});
  EXPECT_EQ(result.out, "10\t20\n20\t10\n20\t30\n");
}

TEST(CliConvert, OverwritesOnlyByForce) {
  const TempDir dir;
  const std::string in = dir.file("edges.txt", kEdges), out = dir.file("out.tsv", "precious");
  const CommandResult refused = run_mgnn({"convert", in, out});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "mgnn: " + out + ": exists already; use --force to overwrite it\n");
  EXPECT_EQ(testing::content_of(out), "precious");
  EXPECT_EQ(run_mgnn({"convert", in, out, "--force", "--dry-run"}).out,
            "would write " + out + ": 3 nodes, 3 arcs\n");
  EXPECT_EQ(testing::content_of(out), "precious");
  EXPECT_EQ(run_mgnn({"convert", in, out, "--force"}).exit_code, 0);
  EXPECT_EQ(testing::content_of(out), "10\t20\n20\t10\n20\t30\n");
}

TEST(CliGenerate, MakesWhatWasAskedFor) {
  const TempDir dir;
  const auto made = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "generate");
    arguments.insert(arguments.end(), {"-o", dir / "g.npz", "--force", "--json"});
    const CommandResult result = run_mgnn(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  };
  const json er = made({"er", "--nodes", "50", "--arcs", "200"});
  EXPECT_EQ(er["nodes"], 50);
  EXPECT_EQ(er["arcs"], 200);
  EXPECT_EQ(info_of({dir / "g.npz"})["arcs"], 200);
  EXPECT_EQ(made({"er", "--nodes", "20", "--probability", "1"})["arcs"], 380);
  EXPECT_EQ(made({"rmat", "--nodes", "64", "--arcs", "500"})["nodes"], 64);
  EXPECT_EQ(made({"sbm", "--nodes", "40", "--blocks", "2", "--p-in", "1", "--p-out", "0"})["arcs"],
            2 * 20 * 19);
  EXPECT_EQ(made({"config", "--nodes", "100"})["nodes"], 100);
  EXPECT_EQ(made({"karate"})["arcs"], 156);
}

TEST(CliGenerate, TheSeedDecides) {
  const auto edges = [](const char* seed, const char* threads) {
    return run_mgnn({"generate", "er", "-o", "-", "--seed", seed, "-j", threads}).out;
  };
  EXPECT_EQ(edges("1", "1"), edges("1", "2"));
  EXPECT_NE(edges("1", "1"), edges("2", "1"));
}

TEST(CliGenerate, WarnsOfNodesThatAnEdgeListLoses) {
  const std::vector<std::string> star = {"generate",      "er", "--nodes", "9",
                                         "--probability", "0",  "-o"};
  const TempDir dir;
  std::vector<std::string> to_list = star, to_npz = star;
  to_list.push_back("-");
  to_npz.push_back(dir / "g.npz");
  EXPECT_EQ(run_mgnn(to_list).err,
            "mgnn: warning: tsv files do not hold the 9 nodes without arcs; mtx, sif, graphml, "
            "gexf, json, npz, safetensors, h5 do\n");
  EXPECT_EQ(run_mgnn(to_npz).err, "");
  EXPECT_EQ(info_of({dir / "g.npz"})["nodes"], 9);
}

TEST(CliGenerate, KeepsBlocksAsClasses) {
  const TempDir dir;
  EXPECT_EQ(run_mgnn({"generate", "sbm", "--blocks", "3", "-o", dir / "g.safetensors"}).exit_code,
            0);
  EXPECT_EQ(info_of({dir / "g.safetensors"})["classes"], 3);
}

TEST(CliDatasets, ListsWhatIsKnownAndWhere) {
  const CommandResult result = run_mgnn({"datasets"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name : {"cora", "citeseer", "pubmed", "mutag", "hetionet", "karate"})
    EXPECT_NE(result.out.find(std::string("\n") + name + " "), std::string::npos) << name;
  const json all = json::parse(run_mgnn({"datasets", "--json"}).out)["datasets"];
  EXPECT_GT(all.size(), 15u);
  for (const json& entry : all)
    EXPECT_EQ(entry["where"] == "embedded", entry["folder"] == "") << entry;
  for (const json& entry : json::parse(run_mgnn({"datasets", "--here", "--json"}).out)["datasets"])
    EXPECT_EQ(entry["where"], "embedded");
  EXPECT_NE(run_mgnn({"datasets", "cora"}).out.find("mgnn download cora"), std::string::npos);
}

TEST(CliDownload, WithoutNetworkSaysWhatToPutWhere) {
  const CommandResult result = run_mgnn({"download", "cora"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("ind.cora"), std::string::npos) << result.err;
  EXPECT_EQ(run_mgnn({"download", "karate"}).out, "karate: embedded\n");
  EXPECT_EQ(run_mgnn({"download", "cora", "--dry-run"}).out.find("cora: would be fetched, "), 0u);
}

TEST(CliDoctor, ShowsTheMachine) {
  const json doctor = json::parse(run_mgnn({"doctor", "--json"}).out);
  EXPECT_TRUE(doctor["build"].contains("compiler"));
  EXPECT_TRUE(doctor["machine"].contains("memory"));
  EXPECT_TRUE(doctor["data"].contains("cache"));
  EXPECT_NE(run_mgnn({"doctor"}).out.find("processor "), std::string::npos);
}

TEST(CliDemo, RunsOffline) {
  const CommandResult demo = run_mgnn({"demo"});
  EXPECT_EQ(demo.exit_code, 0) << demo.err;
  EXPECT_NE(demo.out.find("roles: directed graph"), std::string::npos) << demo.out;
  const json told = json::parse(run_mgnn({"demo", "--json"}).out);
  EXPECT_EQ(told["motifs"].size(), 13u);
  EXPECT_GT(told["models"]["mgnn"]["test"], 0.95);  // one solves it, the other cannot
  EXPECT_LT(told["models"]["gcn"]["test"], 0.5);
  for (const json& of_class : told["classes"]) {  // degrees do not tell the classes, motifs do
    EXPECT_EQ(of_class["out_degree"], 4.0);
    const std::string name = of_class["class"];
    EXPECT_EQ(of_class["M1"], name == "feedback" || name == "relay" ? 1.0 : 0.0) << name;
    EXPECT_EQ(of_class["M5"], name == "feedforward" || name == "relay" ? 1.0 : 0.0) << name;
  }
}

}  // namespace
}  // namespace mgnn
