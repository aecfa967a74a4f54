#include "experiments/study.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "experiments/cells.h"
#include "experiments/experiments.h"
#include "experiments/paper.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

Study small_study(const std::string& results) {
  StudyOptions options;
  options.size = Size::smallest;
  options.results = results;
  return Study(options);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(PaperNumbers, AreThoseThatItPrints) {
  EXPECT_EQ(paper_number("node_classification", "MixHop", "cora")->value, 0.8803);
  EXPECT_EQ(paper_number("graph_classification", "GAT", "enzymes")->deviation, 0);
  EXPECT_EQ(paper_number("efficiency", "MGNN", "parameters")->value, 26084);
  EXPECT_EQ(paper_number("motif_importance", "M6", "chem2bio2rdf")->value, 0.9271);
  EXPECT_FALSE(paper_number("node_classification", "GCN", "mutag"));
  // The appendix repeats rows of the main tables, and other tables their numbers for MGNN.
  for (const char* row : {"GCN", "GraphSAGE", "GAT", "GIN", "BGNN", "MGNN"})
    for (const char* data : {"cora", "citeseer", "pubmed", "chem2bio2rdf"})
      EXPECT_EQ(paper_number("ensembles", row, data)->value,
                paper_number("node_classification", row, data)->value)
          << row << " " << data;
  for (const char* row : {"GCN", "GraphSAGE", "GAT", "GIN", "MGNN"})
    for (const char* data : {"mutag", "enzymes", "aids"})
      EXPECT_EQ(paper_number("ensembles", row, data)->value,
                paper_number("graph_classification", row, data)->value)
          << row << " " << data;
  for (const char* data : {"cora", "citeseer", "pubmed", "chem2bio2rdf"})
    EXPECT_EQ(paper_number("motif_subset", data, "all")->value,
              paper_number("node_classification", "MGNN", data)->value);
}

TEST(PaperNumbers, EveryRowOfTheTablesIsThere) {
  for (const PaperMethod& method : node_methods())
    for (const char* data : {"cora", "citeseer", "pubmed", "chem2bio2rdf"})
      EXPECT_TRUE(paper_number("node_classification", method.name, data)) << method.name;
  for (const PaperMethod& method : graph_methods())
    for (const char* data : {"mutag", "enzymes", "aids"})
      EXPECT_TRUE(paper_number("graph_classification", method.name, data)) << method.name;
}

TEST(Study, KeepsWhatIsComputed) {
  const TempDir dir;
  Study study = small_study(dir / "r");
  int calls = 0;
  const CellKey key{.kind = "k",
                    .data = "data",
                    .method = "method",
                    .seed = 3,
                    .settings = {{"a", 1}},
                    .command = "mgnn x"};
  const auto compute = [&]() -> Stored { return {{{"x", ++calls}}, {}}; };
  EXPECT_EQ(study.cell(key, compute).value["x"], 1);
  EXPECT_EQ(study.cell(key, compute).value["x"], 1);
  CellKey other = key;
  other.settings["a"] = 2;
  EXPECT_EQ(study.cell(other, compute).value["x"], 2);
  EXPECT_EQ(files_in(dir / "r").size(), 2u);
  EXPECT_EQ(study.computed(), 2);
  EXPECT_EQ(study.found(), 1);
  const TableBlock sources = study.sources();
  EXPECT_EQ(sources.table.rows.size(), 2u);
  EXPECT_TRUE(study.sources().table.rows.empty());
  // A damaged or changed result is told, not used and not replaced.
  const std::string file = "r/" + study.cell(key, compute).file;
  const auto damaged = [&](const std::string& content) {
    dir.file(file, content);
    return error_of([&] { study.cell(key, compute); });
  };
  Json changed = Json::parse(std::ifstream(dir / file));
  changed["value"]["x"] = nullptr;
  for (const std::string& content : {std::string("{"), std::string("[]"), changed.dump()})
    EXPECT_NE(damaged(content).find("delete it"), std::string::npos) << content;
}

TEST(Study, ComputesNothingIfOnlyStoredResultsAreAskedFor) {
  const TempDir dir;
  Study writer = small_study(dir / "r");
  StudyOptions options = writer.options();
  options.compute = false;
  Study reader(options);
  EXPECT_EQ(error_of([&] { train_cells(reader, "roles", "gcn", {"train.epochs=2"}, 2); }),
            dir / "r has no train result of gcn on roles with seed 0");
  train_cells(writer, "roles", "gcn", {"train.epochs=2"}, 1);
  EXPECT_EQ(error_of([&] { train_cells(reader, "roles", "gcn", {"train.epochs=2"}, 2); }),
            dir / "r has no train result of gcn on roles with seed 1");
  EXPECT_EQ(train_cells(reader, "roles", "gcn", {"train.epochs=2"}, 1).test.size(), 1u);
  EXPECT_EQ(reader.computed(), 0);
  EXPECT_EQ(reader.found(), 1);
  EXPECT_EQ(reader.date(), writer.date());
  EXPECT_EQ(reader.date().size(), std::string("2026-11-17").size());
  reader.sources();
  EXPECT_EQ(reader.date(), "");
}

TEST(Study, SeedsTrainedTogetherAndApartAreTheSame) {
  const TempDir dir;
  Study together = small_study(dir / "a"), apart = small_study(dir / "b");
  const std::vector<std::string> settings = paper_settings(together, "roles", "gcn");
  const CellScores both = train_cells(together, "roles", "gcn", settings, 2);
  train_cells(apart, "roles", "gcn", settings, 1);
  EXPECT_EQ(train_cells(apart, "roles", "gcn", settings, 2).test, both.test);
  EXPECT_EQ(apart.computed(), 2);
  EXPECT_NE(both.from.find("mgnn train roles --model gcn -s 0 --set"), std::string::npos);
}

TEST(Settings, KnowDatasetsByTheRegistry) {
  for (const char* data : {"mutag", "enzymes", "aids", "triads"})
    EXPECT_EQ(level_of(data), Level::graph) << data;
  for (const char* data : {"cora", "hetionet", "roles"}) EXPECT_EQ(level_of(data), Level::node);
  for (const char* data : {"pubmed", "hetionet", "chem2bio2rdf"}) EXPECT_TRUE(is_large(data));
  for (const char* data : {"cora", "citeseer", "roles", "aids"}) EXPECT_FALSE(is_large(data));
  EXPECT_EQ(search_space("gcn").size(), 3u);
  EXPECT_EQ(search_space("bgnn").size(), 2u);
}

TEST(Experiments, AreFoundByName) {
  EXPECT_STREQ(find_experiment("sensitivity").name, "sensitivity");
  EXPECT_NE(error_of([] { find_experiment("sensitivty"); }).find("did you mean sensitivity"),
            std::string::npos);
}

const TableBlock& first_table(const Section& section) {
  for (const Block& block : section.blocks)
    if (const auto* table = std::get_if<TableBlock>(&block)) return *table;
  throw std::runtime_error("no table");
}

TEST(Experiments, OnlyMotifsTellTheLemmasGraphsApart) {
  const TempDir dir;
  Study study = small_study(dir / "r");
  const Section section = expressiveness(study);
  std::map<std::string, std::string> told;
  for (const auto& row : first_table(section).table.rows)
    told[std::get<std::string>(row[0])] = std::get<std::string>(row[3]);
  for (const char* name : {"gcn", "sage", "gat", "gin"}) EXPECT_EQ(told[name], "no") << name;
  EXPECT_EQ(told["mgnn"], "yes");
  EXPECT_EQ(told["motifnet"], "yes");
}

// All of them on embedded data: a second run computes nothing, and what is deleted comes back the
// same.
TEST(Experiments, RunAtTheirSmallest) {
  const TempDir dir;
  Study study = small_study(dir / "r");
  for (const Experiment& experiment : experiments()) {
    const Section section = experiment.run(study);
    EXPECT_FALSE(first_table(section).table.rows.empty()) << experiment.name;
    EXPECT_FALSE(study.sources().table.rows.empty()) << experiment.name;
    EXPECT_NO_THROW(html_of(Page{"t", "s", {section}})) << experiment.name;
  }
  const std::vector<std::string> names = files_in(dir / "r");
  std::map<std::string, Json> before;
  for (size_t i = 0; i < names.size(); i++) {
    before[names[i]] = Json::parse(testing::content_of(dir / "r/" + names[i]));
    if (i % 9 == 0) std::filesystem::remove(dir / "r/" + names[i]);
  }
  Study again = small_study(dir / "r");
  for (const Experiment& experiment : experiments()) experiment.run(again);
  EXPECT_EQ(again.computed(), int64_t((names.size() + 8) / 9));
  EXPECT_EQ(files_in(dir / "r"), names);
  for (const std::string& name : names) {
    const Json after = Json::parse(testing::content_of(dir / "r/" + name));
    EXPECT_EQ(after["value"], before[name]["value"]) << name;
    EXPECT_EQ(after["cell"], before[name]["cell"]) << name;
    EXPECT_FALSE(after["command"].get<std::string>().empty());
  }
}

}  // namespace
}  // namespace mgnn
