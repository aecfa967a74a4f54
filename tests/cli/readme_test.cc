// The lines of README.md, run as they stand there.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "mgnn/base/file.h"
#include "mgnn/data/load.h"
#include "tests/cli/run_command.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::run_mgnn, testing::TempDir;

// Those that take minutes, or read what a test should not: the reason stands behind each.
const std::pair<const char*, const char*> kLeftOut[] = {
    {"reproduce", "takes an hour"},
    {"hetionet", "has two million edges"},
    {"runs/dag", "needs the run on hetionet"},
    {"search", "trains 150 networks"},
    {"doctor", "shows the machine"},
    {"generate rmat", "writes 100 MB"},
};

std::vector<std::string> readme_commands() {
  std::ifstream readme(std::string(MGNN_SOURCE_DIR) + "/README.md");
  std::vector<std::string> commands;
  for (std::string line; std::getline(readme, line);)
    if (line.starts_with("$ mgnn ")) commands.push_back(line.substr(7, line.find(" #") - 7));
  return commands;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream words(command);
  return {std::istream_iterator<std::string>(words), {}};
}

// What the lines name: edges and nodes with columns that are not the usual ones, and a run.
void write_inputs(const TempDir& dir) {
  std::string edges = "from,to\n", plain, nodes = "id,type,a,b,dose\n", fresh = "b,id,a\n";
  for (int i = 0; i < 60; i++) {
    for (const int step : {1, 7}) {
      edges += fmt::format("n{},n{}\n", i, (i + step) % 60);
      plain += fmt::format("{} {}\n", i, (i + step) % 60);
    }
    nodes += fmt::format("n{},{},{},{},{}\n", i, i % 2 ? "drug" : "gene", i % 5, i % 3, 0.25 * i);
    fresh += fmt::format("{},n{},{}\n", i % 3, i, i % 5);
  }
  dir.file("e.csv", edges);
  dir.file("new_edges.csv", edges);
  dir.file("n.csv", nodes);
  dir.file("new_nodes.csv", fresh);
  dir.file("edges.txt", plain);
  write_graph_file(dir / "edges.csv.gz", load_dataset(dir / "e.csv"));
}

TEST(Readme, LinesDoWhatTheySay) {
  MGNN_NEEDS_DATA();
  const TempDir dir;
  write_inputs(dir);
  const testing::CommandOptions options{
      .environment = {{"MGNN_TRAIN_EPOCHS", "3"}, {"MGNN_DATA_DIR", testing::data_dir()}},
      .folder = dir.path()};
  const auto run = [&](const std::string& command) {
    std::vector<std::string> words = words_of(command);
    words.emplace_back("-q");
    const auto result = run_mgnn(words, options);
    EXPECT_EQ(result.exit_code, 0) << "mgnn " << command << "\n" << result.err;
  };
  run("train --edges e.csv --nodes n.csv --label-column type --feature-columns a,b -o runs/x");
  int count = 0;
  for (const std::string& command : readme_commands()) {
    const bool left_out =
        std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                    [&](const auto& one) { return command.find(one.first) != std::string::npos; });
    if (left_out) continue;
    run(command);
    count++;
  }
  EXPECT_GT(count, 15);
}

// The block of docs/data.md that begins with `first`, up to ``` alone.
std::string block_of(const std::string& page, const std::string& first) {
  const size_t begin = page.find("```\n" + first);
  if (begin == page.npos) return "";
  return page.substr(begin + 4, page.find("```", begin + 4) - begin - 4);
}

// The files that the page shows, and what it says of them.
TEST(DataPage, FilesToCopyAreReadAsItSays) {
  const TempDir dir;
  const std::string page = testing::content_of(std::string(MGNN_SOURCE_DIR) + "/docs/data.md");
  dir.file("links.csv", block_of(page, "who,follows"));
  dir.file("people.csv", block_of(page, "id,team"));
  const size_t command = page.find("$ mgnn info"), said = page.find('\n', command) + 1;
  ASSERT_NE(command, page.npos);
  const auto shown =
      run_mgnn(words_of(page.substr(command + 7, said - command - 8)), {.folder = dir.path()});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  const std::string line = page.substr(said, page.find('\n', said) + 1 - said);
  EXPECT_EQ(shown.err.substr(0, line.size()), line);
}

// Each network of the README's table has there the accuracies that the demo prints.
TEST(Readme, ShowsWhatTheDemoPrints) {
  const std::string printed = run_mgnn({"demo", "-q"}).out;
  std::ifstream readme(std::string(MGNN_SOURCE_DIR) + "/README.md");
  int shown = 0;
  for (std::string line; std::getline(readme, line);)
    if (line.starts_with("MGNN: motifs") || line.starts_with("GCN: neighbours only")) {
      EXPECT_NE(printed.find(line), std::string::npos) << line << "\n" << printed;
      shown++;
    }
  EXPECT_EQ(shown, 2);
}

}  // namespace
}  // namespace mgnn
