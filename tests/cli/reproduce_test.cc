#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::content_of, testing::run_mgnn, testing::TempDir;
using Json = nlohmann::json;

TEST(Reproduce, WritesEveryFormat) {
  const TempDir dir;
  const std::vector<std::string> command = {"reproduce",        "ablation_combination",
                                            "--smallest",       "--results",
                                            dir / "results",    "-o",
                                            dir / "out",        "--report",
                                            dir / "report.html"};
  const auto made = run_mgnn(command);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("concat"), std::string::npos);
  EXPECT_NE(made.out.find("4 results computed"), std::string::npos) << made.out;
  for (const char* ending : {".txt", ".md", ".csv", ".json", ".tex"})
    EXPECT_TRUE(file_exists(dir / "out/ablation_combination-combination-of-motifs" + ending))
        << ending;
  EXPECT_TRUE(file_exists(dir / "out/ablation_combination-ablation-combination.svg"));
  const std::string page = content_of(dir / "report.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("mgnn train roles --model mgnn -s 0"), std::string::npos);
  EXPECT_EQ(run_mgnn(command).exit_code, 2) << "a report is not replaced without --force";
  const auto again = run_mgnn(
      {"reproduce", "ablation_combination", "--smallest", "--results", dir / "results", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["ablation_combination"]["Combination of motifs"].size(), 4u);
}

TEST(Reproduce, TakesAsManySeedsAsAskedFor) {
  const TempDir dir;
  const auto made = run_mgnn({"reproduce", "ablation_combination", "--smallest", "--seeds", "3",
                              "--epochs", "2", "--results", dir / "r", "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const Json& row : Json::parse(made.out)["ablation_combination"]["Combination of motifs"])
    EXPECT_EQ(row["runs"], 3) << row;
}

TEST(Reproduce, SaysWhatIsWrong) {
  EXPECT_EQ(run_mgnn({"reproduce", "--data", "coar"}).err,
            "mgnn: --data: the tables have no \"coar\"; did you mean cora?\n");
  EXPECT_EQ(run_mgnn({"reproduce", "robustness", "--data", "cora"}).err,
            "mgnn: --data: robustness always has the same data; leave --data out\n");
  EXPECT_EQ(run_mgnn({"reproduce", "graph_classification", "--data", "cora"}).err,
            "mgnn: --data: the tables have no \"cora\"; use mutag, enzymes, aids\n");
  for (const char* number : {"0", "-1"})
    EXPECT_EQ(run_mgnn({"reproduce", "--seeds", number}).err,
              fmt::format("mgnn: --seeds is {}; use at least 1\n", number));
  EXPECT_NE(run_mgnn({"reproduce", "robustnes"}).err.find("did you mean robustness"),
            std::string::npos);
  EXPECT_EQ(run_mgnn({"reproduce", "--setting", "unfair"}).exit_code, 2);
  EXPECT_EQ(run_mgnn({"reproduce", "--quick", "--full"}).exit_code, 2);
  const TempDir dir;
  const std::string file = dir.file("file", "");
  const auto within = run_mgnn(
      {"reproduce", "expressiveness", "--smallest", "--results", dir / "r", "-o", file + "/x"});
  EXPECT_EQ(within.exit_code, 2);
  EXPECT_EQ(within.err, "mgnn: " + file + ": is a file, not a folder\n");
}

TEST(Reproduce, WritesTablesBetweenMarkers) {
  const TempDir dir;
  const std::string marker = "<!-- mgnn reproduce expressiveness --smallest -->\n";
  const std::string before = "# Title \t\r\n```\n" + marker + "```\n<!-- other -->\n" + marker;
  const std::string after = "<!-- end -->\ntext \xff without an end";
  const std::string path = dir.file("doc.md", before + "old | text\n" + after);
  std::vector<std::string> command = {"reproduce", "--markdown", path, "--results", dir / "r"};
  const auto update = [&](const std::string& flag) {
    std::vector<std::string> arguments = command;
    if (!flag.empty()) arguments.push_back(flag);
    return run_mgnn(arguments);
  };
  const auto missing = update("--stored");
  ASSERT_EQ(missing.exit_code, 0) << missing.err;
  EXPECT_EQ(missing.out, path + ": 0 written, 1 left as they are; nothing has changed\n");
  EXPECT_NE(
      missing.err.find(path + ":6: " + dir.path() + "/r has no expressiveness result of mgnn"),
      std::string::npos)
      << missing.err;
  EXPECT_EQ(content_of(path), before + "old | text\n" + after);
  const auto computed = update("");
  ASSERT_EQ(computed.exit_code, 0) << computed.err;
  EXPECT_EQ(computed.out, path + ": 1 written, 0 left as they are\n");
  const std::string text = content_of(path);
  ASSERT_TRUE(text.starts_with(before) && text.ends_with(after)) << text;
  const std::string block = text.substr(before.size(), text.size() - before.size() - after.size());
  EXPECT_TRUE(block.starts_with("`mgnn reproduce expressiveness --smallest`, 20")) << block;
  EXPECT_NE(block.find("\n| mgnn | "), std::string::npos) << block;
  EXPECT_EQ(block.find("old"), std::string::npos);
  const auto again = update("--stored");
  EXPECT_EQ(again.out, path + ": 1 written, 0 left as they are; nothing has changed\n")
      << again.err;
  EXPECT_EQ(content_of(path), text);
}

TEST(Reproduce, WritesOneTableOfAnExperiment) {
  const TempDir dir;
  const std::string path = dir.file("doc.md",
                                    "<!-- mgnn reproduce expressiveness -->\nold\n<!-- end -->\n"
                                    "<!-- mgnn reproduce sensitivity --smallest --epochs 2 --table "
                                    "\"accuracy by d_1\" -->\n<!-- end -->\n");
  const auto written =
      run_mgnn({"reproduce", "sensitivity", "--markdown", path, "--results", dir / "r"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const std::string text = content_of(path);
  EXPECT_NE(text.find("old"), std::string::npos) << "of another experiment";
  EXPECT_NE(text.find("| dataset | d_1 | ours |\n"), std::string::npos)
      << "no deviations: " << text;
  EXPECT_EQ(text.find("| dataset | d' |"), std::string::npos) << text;
  const auto printed = run_mgnn({"reproduce", "sensitivity", "--smallest", "--epochs", "2",
                                 "--stored", "--results", dir / "r", "--markdown"});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_NE(printed.out.find("| dataset | d' | ours |"), std::string::npos) << printed.out;
}

// Every command that stands in a page is one that the tool takes.
TEST(Reproduce, TakesTheMarkersOfTheDocumentation) {
  const TempDir dir;
  int pages = 0;
  for (const auto& page : std::filesystem::directory_iterator(MGNN_SOURCE_DIR "/docs")) {
    if (page.is_directory()) continue;
    const std::string text = content_of(page.path());
    if (text.find("\n<!-- mgnn reproduce") == std::string::npos) continue;
    const std::string path = dir.file(page.path().filename(), text);
    const auto result =
        run_mgnn({"reproduce", "--stored", "--results", dir / "none", "--markdown", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(content_of(path), text);
    pages++;
  }
  EXPECT_GT(pages, 0);
}

TEST(Reproduce, LeavesDocumentsWithWrongMarkersAlone) {
  const TempDir dir;
  const auto error_for = [&](const std::string& text, const std::string& name) {
    const std::string path = dir.file("doc.md", text);
    const auto result = run_mgnn({"reproduce", name, "--markdown", path, "--results", dir / "r"});
    EXPECT_NE(result.exit_code, 0) << text;
    EXPECT_EQ(content_of(path), text);
    EXPECT_FALSE(file_exists(dir / "r")) << "nothing is computed";
    return result.err.substr(std::string("mgnn: " + dir.path() + "/").size());
  };
  const std::string good = "<!-- mgnn reproduce expressiveness -->\n<!-- end -->\n";
  EXPECT_EQ(error_for(good + "<!-- mgnn reproduce expressiveness -->\n| a |\n", "all"),
            "doc.md:3: <!-- mgnn reproduce expressiveness --> has no line <!-- end --> after it\n");
  EXPECT_EQ(error_for("<!-- mgnn reproduce expressiveness -->\n" + good, "all"),
            "doc.md:1: <!-- mgnn reproduce expressiveness --> has no line <!-- end --> after it\n");
  EXPECT_EQ(error_for(good + "text\n<!-- end -->\n", "all"),
            "doc.md:4: <!-- end --> has no line <!-- mgnn reproduce NAME … --> before it\n");
  EXPECT_EQ(error_for("text\n", "all"),
            "doc.md: there is no line <!-- mgnn reproduce NAME … -->\n");
  EXPECT_EQ(error_for(good, "robustness"),
            "doc.md: there is no line <!-- mgnn reproduce robustness … -->\n");
  EXPECT_EQ(error_for(good + "<!-- mgnn reproduce robustnes -->\n<!-- end -->\n", "all"),
            "doc.md:3: there is no experiment \"robustnes\"; did you mean robustness?\n");
  EXPECT_EQ(error_for("<!-- mgnn reproduce datasets --results x -->\n<!-- end -->\n", "all"),
            "doc.md:1: The following arguments were not expected: x --results\n");
}

TEST(TrainReport, HasEverything) {
  const TempDir dir;
  const std::string path = dir / "report.html";
  const auto trained = run_mgnn(
      {"train", "roles", "--epochs", "12", "--seeds", "2", "--no-output", "--report", path});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const std::string page = content_of(path);
  for (const char* part :
       {"Loss by epoch", "Confusions", "Precision and recall", "Motif census", "Motif importance",
        "Map of the representation", "config.toml", "sha256 of the data", "--no-output"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(run_mgnn({"train", "roles", "--no-output", "--report", path}).exit_code, 2);
  const auto graphs = run_mgnn({"train", "triads", "--epochs", "2", "--model", "gcn", "--no-output",
                                "--report", dir / "graphs.html"});
  ASSERT_EQ(graphs.exit_code, 0) << graphs.err;
  EXPECT_EQ(content_of(dir / "graphs.html").find("Importance:"), std::string::npos);
}

}  // namespace
}  // namespace mgnn
