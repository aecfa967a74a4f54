// Own tables with awkward names, through the tool.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "mgnn/base/file.h"
#include "mgnn/data/load.h"
#include "tests/cli/run_command.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::run_mgnn, testing::TempDir;

// A ring of 40 nodes whose number is twice a feature with a comma in its name.
void write_tables(const TempDir& dir) {
  std::string edges = "source,target\n", nodes = "id,\"weight, kg\",height,dose\n";
  for (int i = 0; i < 40; i++) {
    edges += fmt::format("\"x, {}\",\"x, {}\"\n", i, (i + 1) % 40);
    nodes += fmt::format("\"x, {}\",{},{},{}\n", i, i % 7, i % 3, 2 * (i % 7));
  }
  write_file(dir / "e.csv", edges);
  write_file(dir / "n.csv", nodes);
}

TEST(OwnData, ColumnsWithCommasAndNumbersToPredict) {
  const TempDir dir;
  write_tables(dir);
  write_file(dir / "c.toml", "[data]\nfeature_columns = [\"weight, kg\", \"height\"]\n");
  const std::vector<std::vector<std::string>> ways = {
      {"--feature-columns", "\"weight, kg\",height"}, {"-c", dir / "c.toml"}};
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> arguments = {
        "train",   dir / "e.csv", "--nodes",   dir / "n.csv", "--target-column", "dose",
        "--model", "gcn",         "--epochs",  "20",          "--loss",          "huber",
        "--json",  "-o",          dir / "run", "--force"};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const auto trained = run_mgnn(arguments);
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const auto json = nlohmann::json::parse(trained.out);
    EXPECT_EQ(json["task"], "node-regression");
    EXPECT_EQ(json["metric"], "mae");
    EXPECT_TRUE(json["extra_metrics"].contains("r2"));
  }
  const auto predicted = run_mgnn({"predict", dir / "run", "--json"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_EQ(nlohmann::json::parse(predicted.out)["items"], 40);
}

TEST(OwnData, IdsWithCommasAreQuoted) {
  const TempDir dir;
  write_tables(dir);
  const auto counted = run_mgnn({"census", dir / "e.csv", "--per-node", dir / "counts.csv"});
  ASSERT_EQ(counted.exit_code, 0) << counted.err;
  const FileBytes bytes = map_file(dir / "counts.csv");
  EXPECT_NE(bytes.view().find("\n\"x, 1\",0,"), std::string_view::npos);
}

TEST(OwnData, FlagsSetTextAsItIs) {
  for (const char* relation : {" x ", "\"x\"", "a\tb"}) {
    const auto shown = run_mgnn({"train", "toykg", "--relation", relation, "--show-config"});
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    const TempDir dir;
    write_file(dir / "c.toml", shown.out);
    EXPECT_EQ(run_mgnn({"train", "-c", dir / "c.toml", "--show-config"}).out, shown.out);
  }
}

// The help of a verb with single blanks.
std::string help_of(const char* verb) {
  std::istringstream words(run_mgnn({"help", verb}).out);
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  return text;
}

TEST(OwnData, AllVerbsThatLoadHaveTheSameFlags) {
  LoadOptions load;
  const Options options = load_options(load);
  ASSERT_GT(options.size(), 15u);
  for (const char* verb :
       {"info", "census", "motifs", "convert", "train", "predict", "embed", "compare", "search"}) {
    const std::string help = help_of(verb);
    for (const Option& option : options) {
      std::string flag = "--" + option.name;
      std::replace(flag.begin(), flag.end(), '_', '-');
      const bool on_and_off = std::holds_alternative<bool>(option.get());
      flag += on_and_off ? ", --no-" + flag.substr(2) : " " + option.type;
      EXPECT_NE(help.find(flag + " " + option.help), std::string::npos) << verb << ": " << flag;
    }
    static const std::regex kTwice(R"((\(default: [^)]*\)) \1)");
    EXPECT_FALSE(std::regex_search(help, kTwice)) << verb;
  }
}

TEST(OwnData, SeedsHave64Bits) {
  EXPECT_EQ(run_mgnn({"train", "-s", "9223372036854775808", "--show-config"}).exit_code, 0);
  const auto wrapped = run_mgnn({"train", "--set", "seed=99999999999999999999", "--show-config"});
  EXPECT_EQ(wrapped.exit_code, 2);
  EXPECT_NE(wrapped.err.find("up to 18446744073709551615"), std::string::npos) << wrapped.err;
}

}  // namespace
}  // namespace mgnn
