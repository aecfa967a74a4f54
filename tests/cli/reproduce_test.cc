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
  EXPECT_EQ(within.exit_code, 1);
  EXPECT_NE(within.err.find("file/x: cannot create: Not a directory"), std::string::npos)
      << within.err;
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
