// From a table with names of its own to predictions, through the tool.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "mgnn/base/file.h"
#include "tests/cli/run_command.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using Json = nlohmann::json;
using testing::content_of, testing::run_mgnn, testing::TempDir;

// Two groups that follow their own; age, city and date tell them apart, but not everywhere.
struct Tables {
  TempDir dir;
  std::string edges = "who,follows\n";
  std::string nodes = "name,team,age,city,joined,part\n";

  Tables() {
    for (int i = 0; i < 60; i++) {
      const int group = i % 2;
      edges += fmt::format("p{},p{}\n", i, (i + 2) % 60);
      edges += fmt::format("p{},p{}\n", i, (i + 6) % 60);
      nodes += fmt::format("p{},{},{},{},{},{}\n", i,
                           i % 10 == 9 ? "NA"
                           : group     ? "red"
                                       : "blue",
                           i % 7 == 0 ? "NA" : std::to_string(20 + 30 * group + i % 5),
                           group ? "Rome" : "Oslo", group ? "2020-01-05" : "2010-02-03",
                           i % 5 == 0 ? "test" : "train");
    }
    nodes += "hermit,red,51,Rome,2020-01-05,\n";
    dir.file("links.csv", edges);
    dir.file("people.csv", nodes);
  }

  testing::CommandResult train(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"train",
                                          dir / "links.csv",
                                          "--nodes",
                                          dir / "people.csv",
                                          "--id-column",
                                          "name",
                                          "--label-column",
                                          "team",
                                          "--split-column",
                                          "part",
                                          "--model",
                                          "gcn",
                                          "--epochs",
                                          "60",
                                          "-o",
                                          dir / "run",
                                          "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_mgnn(arguments);
  }
};

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

TEST(OwnTables, WhatWasUnderstoodIsSaid) {
  const Tables tables;
  const auto trained = tables.train({"--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  for (const char* part :
       {"links: 61 nodes, 120 arcs, directed; edges are from column 1 (\"who\") to 2 (\"follows\")",
        "a header; ids are names", "1 rows of", "have no edges: they are isolated nodes",
        "nodes lack numbers in \"age\" (9)", "dates in \"joined\"",
        "the split \"table\" of the data is used", "6 of its items have no label",
        "a fifth of its training items validate"})
    EXPECT_TRUE(has(trained.err, part)) << part << "\n" << trained.err;
  EXPECT_GT(Json::parse(trained.out)["test"]["mean"], 0.9);

  for (const char* verb : {"info", "census"}) {
    const auto said = run_mgnn({verb, tables.dir / "links.csv"});
    EXPECT_TRUE(has(said.err, "mgnn: links: 60 nodes, 120 arcs, directed; edges are from")) << verb;
    EXPECT_EQ(run_mgnn({verb, "-q", tables.dir / "links.csv"}).err, "");
  }
  const auto strict = run_mgnn({"census", "--strict", tables.dir / "links.csv"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_TRUE(has(strict.err, "this is an error because of --strict")) << strict.err;
  EXPECT_EQ(run_mgnn({"census", "--strict", tables.dir / "links.csv", "--from-column", "who",
                      "--to-column", "follows"})
                .exit_code,
            0);
}

TEST(OwnTables, PredictionsNeedNoAnswersAndAreTheSameFromAnyFolder) {
  const Tables tables;
  // Trained in the folder of the data, with paths from there.
  const auto trained = run_mgnn(
      {"train", "links.csv", "--nodes", "people.csv", "--id-column", "name", "--label-column",
       "team", "--split-column", "part", "--model", "gcn", "--epochs", "60", "-o", "run", "-q"},
      {.folder = tables.dir.path()});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto again = run_mgnn({"predict", tables.dir / "run", "--json"}, {.folder = "/"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const Json first = Json::parse(again.out)["predictions"];
  ASSERT_EQ(first.size(), 61u);
  EXPECT_EQ(first[0]["id"], "p0");
  EXPECT_TRUE(first[0].contains("p(red)"));

  // Neither team nor part; other columns, another order, a city that was never seen.
  const TempDir other;
  other.file("e.csv", "who,follows\na,b\nb,c\nc,a\n");
  other.file("n.csv",
             "shoe,city,joined,age,name\n40,Rome,2020-01-05,51,a\n41,Rome,2020-01-05,NA,b\n"
             "42,Paris,2020-01-05,50,c\n");
  const auto predicted =
      run_mgnn({"predict", tables.dir / "run", "e.csv", "--nodes", "n.csv", "-o", "p.jsonl"},
               {.folder = other.path()});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_TRUE(has(predicted.err, "1 values were in no training data, such as \"city=Paris\""))
      << predicted.err;
  std::istringstream lines(content_of(other / "p.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line); count++) {
    const Json row = Json::parse(line);
    if (row["id"] != "c") {  // Paris is no help
      EXPECT_EQ(row["predicted"], "red") << line;
    }
    EXPECT_TRUE(Json::parse(line)["label"].is_null());
  }
  EXPECT_EQ(count, 3);

  const auto vectors =
      run_mgnn({"embed", "e.csv", "--nodes", "n.csv", "--model", tables.dir / "run", "-o", "z.csv"},
               {.folder = other.path()});
  EXPECT_EQ(vectors.exit_code, 0) << vectors.err;

  // Data that have changed are told; columns that lack are an error.
  tables.dir.file("links.csv", tables.edges + "p1,p9\n");
  EXPECT_TRUE(has(run_mgnn({"predict", tables.dir / "run"}).err,
                  "these are not the data that the model was trained on"));
  other.file("n.csv", "name,age\na,1\nb,2\nc,3\n");
  const auto lacking =
      run_mgnn({"predict", tables.dir / "run", other / "e.csv", "--nodes", other / "n.csv"});
  EXPECT_EQ(lacking.exit_code, 2);
  EXPECT_TRUE(has(lacking.err, "there is no column")) << lacking.err;
}

// Columns that are stated are used, and what is about methods without a network is refused.
TEST(OwnTables, VectorsOfARunUseWhatIsStated) {
  const Tables tables;
  ASSERT_EQ(tables.train({"-q"}).exit_code, 0);
  const TempDir other;
  other.file("e.csv", "who;follows\na;b\nb;c\nc;a\n");
  other.file("n.csv",
             "person,age,city,joined\na,20,Rome,2020-01-05\nb,50,Oslo,2020-01-05\n"
             "c,51,Rome,2010-02-03\n");
  const auto embed = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "embed", "e.csv", "--nodes", "n.csv", "--model", tables.dir / "run", "-o", "z.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_mgnn(arguments, {.folder = other.path()});
  };
  const auto unknown = embed({});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.err, "there is no column \"name\"")) << unknown.err;
  const auto planned = embed({"--id-column", "person", "--dry-run"});
  EXPECT_EQ(planned.out, "would embed the 3 nodes of e by gcn\n") << planned.err;
  EXPECT_FALSE(file_exists(other / "z.csv"));
  const auto written = embed({"--id-column", "person"});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_TRUE(content_of(other / "z.csv").starts_with("id,"));
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--method", "hope"},
                                             {"-d", "8"},
                                             {"--set", "dimension=8"},
                                             {"--variant", "karateclub"},
                                             {"--fit-on", "mutag"},
                                             {"--show-config"}}) {
    const auto refused = embed(flags);
    EXPECT_EQ(refused.exit_code, 2) << flags[0];
    EXPECT_TRUE(has(refused.err, "is about a method, but --model")) << refused.err;
  }
}

// A table in which nothing is called a class is not taken for one of links in silence.
TEST(OwnTables, LinksThatAreLearnedForWantOfLabelsAreSaid) {
  const Tables tables;
  const auto trained =
      run_mgnn({"train", tables.dir / "links.csv", "--nodes", tables.dir / "people.csv",
                "--id-column", "name", "--model", "gcn", "--epochs", "2", "--no-output"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_TRUE(has(trained.err, "is called label, class or target, so links are learned"))
      << trained.err;
  const auto stated = run_mgnn({"train", tables.dir / "links.csv", "--nodes",
                                tables.dir / "people.csv", "--id-column", "name", "--model", "gcn",
                                "--epochs", "2", "--no-output", "--task", "link"});
  EXPECT_FALSE(has(stated.err, "so links are learned")) << stated.err;
}

// Graphs to predict for have ids and features, but neither classes nor targets nor a split.
TEST(OwnTables, NewSetsOfGraphsNeedNoAnswers) {
  const TempDir dir;
  std::string graphs = "gid,kind,dose,part\n", bare = "gid\n", nodes = "graph,id,mass\n",
              edges = "graph,from,to\n";
  for (int g = 0; g < 20; g++) {
    graphs += fmt::format("g{},{},{},{}\n", g, g % 2 ? "ring" : "path", 0.5 * g,
                          g % 5 == 0 ? "test" : "train");
    bare += fmt::format("g{}\n", g);
    for (int i = 0; i < 4; i++) {
      nodes += fmt::format("g{},{},{}\n", g, i, g + i);
      if (i < 3 || g % 2) edges += fmt::format("g{},{},{}\n", g, i, (i + 1) % 4);
    }
  }
  for (const char* folder : {"old", "new"}) {
    std::filesystem::create_directory(dir / folder);
    write_file(dir / folder + "/graphs.csv", folder == std::string("old") ? graphs : bare);
    write_file(dir / folder + "/nodes.csv", nodes);
    write_file(dir / folder + "/edges.csv", edges);
  }
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"--label-column", "kind", "--split-column", "part"},
        std::vector<std::string>{"--target-column", "dose"}}) {
    std::vector<std::string> arguments = {"train",    dir / "old", "--id-column", "gid",
                                          "--epochs", "3",         "-o",          dir / "run",
                                          "--force",  "-q"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    const auto trained = run_mgnn(arguments);
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const auto again = run_mgnn({"predict", dir / "run", "--json"});
    const auto predicted = run_mgnn({"predict", dir / "run", dir / "new", "--json"});
    ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
    const Json known = Json::parse(again.out)["predictions"];
    const Json bare_rows = Json::parse(predicted.out)["predictions"];
    ASSERT_EQ(bare_rows.size(), 20u);
    for (size_t g = 0; g < 20; g++) EXPECT_EQ(bare_rows[g]["predicted"], known[g]["predicted"]);
    const auto vectors =
        run_mgnn({"embed", dir / "new", "--model", dir / "run", "-o", dir / "z.csv", "--force"});
    EXPECT_EQ(vectors.exit_code, 0) << vectors.err;
  }
}

TEST(OwnTables, ClassesBesideTargetsAreSaid) {
  const Tables tables;
  std::string nodes = "name,team,dose\n";
  for (int i = 0; i < 60; i++)
    nodes += fmt::format("p{},{},{}\n", i, i % 2 ? "red" : "blue", 0.5 * i);
  tables.dir.file("people.csv", nodes);
  const auto train = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"train",           tables.dir / "links.csv",
                                          "--nodes",         tables.dir / "people.csv",
                                          "--id-column",     "name",
                                          "--label-column",  "team",
                                          "--target-column", "dose",
                                          "--model",         "gcn",
                                          "--epochs",        "2",
                                          "--no-output"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_mgnn(arguments).err;
  };
  EXPECT_TRUE(has(train({}), "links: there are classes and targets; the task is node "));
  EXPECT_FALSE(has(train({"--task", "node-regression"}), "there are classes and targets"));
}

// Other edges without a table of their own: that of the training is joined, and said.
TEST(OwnTables, TheTableOfTheTrainingIsNamed) {
  const Tables tables;
  ASSERT_EQ(tables.train({"-q"}).exit_code, 0);
  const TempDir other;
  const auto predicted = run_mgnn(
      {"predict", tables.dir / "run", other.file("same.csv", "who,follows\np1,p3\np3,p5\n")});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_TRUE(has(predicted.err, "no node table is named, so that of the training, "))
      << predicted.err;
  const auto strange =
      run_mgnn({"predict", tables.dir / "run", other.file("other.csv", "who,follows\na,b\nb,c\n")});
  EXPECT_EQ(strange.exit_code, 3);
  for (const char* part :
       {"no id of column \"name\", such as \"p0\", is a node of the graph, such as \"a\"",
        "no node table is named for", "so that of the training was joined",
        "name the table of these nodes with --nodes FILE"})
    EXPECT_TRUE(has(strange.err, part)) << part << "\n" << strange.err;
}

// A table of labels alone is of no use to other nodes.
TEST(OwnTables, ATableOfAnswersIsNotJoinedToOtherNodes) {
  const TempDir dir;
  std::string edges = "source,target\n", nodes = "id,label\n";
  for (int i = 0; i < 30; i++) {
    edges += fmt::format("p{},p{}\n", i, (i + 1) % 30);
    nodes += fmt::format("p{},{}\n", i, i % 2 ? "odd" : "even");
  }
  const auto trained = run_mgnn({"train", dir.file("e.csv", edges), "--nodes",
                                 dir.file("n.csv", nodes), "--epochs", "3", "-o", dir / "run"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  for (const char* other : {"source,target\na,b\nb,c\n", "source,target\np1,b\nb,c\n"}) {
    const auto predicted =
        run_mgnn({"predict", dir / "run", dir.file("other.csv", other), "--json"});
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
    EXPECT_EQ(Json::parse(predicted.out)["items"], 3) << predicted.out;
    EXPECT_TRUE(has(predicted.err, "is not joined: the model reads none of it")) << predicted.err;
  }
  EXPECT_EQ(
      run_mgnn({"predict", dir / "run", dir / "other.csv", "--nodes", dir / "n.csv"}).exit_code, 0);
}

TEST(OwnTables, StrictTakesUsualNames) {
  const TempDir dir;
  const auto run =
      run_mgnn({"census", "--strict", dir.file("e.csv", "source,target\nx,y\ny,z\nz,x\n")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

// Names of columns do not say what they are.
TEST(OwnTables, NamesWithEqualsSigns) {
  const Tables tables;
  std::string nodes = tables.nodes;
  nodes.replace(nodes.find("age"), 3, "age=x");
  nodes.replace(nodes.find("city"), 4, "ci=ty");
  tables.dir.file("people.csv", nodes);
  ASSERT_EQ(tables.train({"-q"}).exit_code, 0);
  const auto again = run_mgnn({"predict", tables.dir / "run", "--nodes", tables.dir / "people.csv",
                               tables.dir / "links.csv", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const auto stored = run_mgnn({"predict", tables.dir / "run", "--json"});
  EXPECT_EQ(Json::parse(again.out)["predictions"], Json::parse(stored.out)["predictions"]);
  const TempDir other;  // age=x is measured, and must be there
  nodes.replace(nodes.find("age=x"), 5, "years");
  const auto lacking = run_mgnn({"predict", tables.dir / "run", tables.dir / "links.csv", "--nodes",
                                 other.file("n.csv", nodes)});
  EXPECT_EQ(lacking.exit_code, 2);
  EXPECT_TRUE(has(lacking.err, "there is no column \"age=x\"")) << lacking.err;
}

// Node types are features where that is asked for, also at prediction; otherwise it is said that they are not.
TEST(OwnTables, TypesAsFeatures) {
  const Tables tables;
  std::string nodes = "name,team,kind\n";
  for (int i = 0; i < 60; i++)
    nodes += fmt::format("p{},{},{}\n", i, i % 2 ? "red" : "blue", i % 2 ? "cat" : "dog");
  const std::string table = tables.dir.file("kinds.csv", nodes);
  const auto train = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"train",
                                          tables.dir / "links.csv",
                                          "--nodes",
                                          table,
                                          "--id-column",
                                          "name",
                                          "--label-column",
                                          "team",
                                          "--type-column",
                                          "kind",
                                          "-m",
                                          "sage",
                                          "--epochs",
                                          "60",
                                          "-o",
                                          tables.dir / "run",
                                          "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_mgnn(arguments);
  };
  EXPECT_TRUE(has(train({}).err, "the types of nodes are not used"));
  const auto typed = train({"--type-features"});
  ASSERT_EQ(typed.exit_code, 0) << typed.err;
  EXPECT_FALSE(has(typed.err, "the types of nodes are not used")) << typed.err;
  const TempDir other;
  const auto predicted = run_mgnn(
      {"predict", tables.dir / "run", other.file("e.csv", "who,follows\na,b\nb,c\nc,d\n"),
       "--nodes", other.file("n.csv", "name,kind\na,cat\nb,cat\nc,fish\nd,dog\n"), "--json"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_TRUE(has(predicted.err, "1 values were in no training data, such as \"type=fish\""));
  const Json rows = Json::parse(predicted.out)["predictions"];
  EXPECT_EQ(rows[0]["predicted"], "red");
  EXPECT_EQ(rows[3]["predicted"], "blue");
  const auto refused = train({"--type-features", "--set", "features=constant"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.err, "features constant have no place for them")) << refused.err;
}

// Edges are held out there, or nothing is: a split of nodes that is named or present is said to be unused.
TEST(OwnTables, SplitsThatATaskHasNoUseFor) {
  const Tables tables;
  EXPECT_TRUE(has(tables.train({"--task", "link"}).err,
                  "links: the split \"table\" is not used: edges are held out, not nodes"));
  EXPECT_TRUE(has(tables.train({"--task", "unsupervised"}).err,
                  "links: the split \"table\" is not used: nothing is held out"));
  const auto stated = run_mgnn(
      {"train", "karate", "--task", "link", "--split", "random", "--epochs", "2", "--no-output"});
  EXPECT_TRUE(has(stated.err, "karate: the split \"random\" is not used")) << stated.err;
  const auto not_stated =
      run_mgnn({"train", "karate", "--task", "link", "--epochs", "2", "--no-output"});
  EXPECT_FALSE(has(not_stated.err, "the split")) << not_stated.err;
}

TEST(OwnTables, ConversionsSayWhatTheyLose) {
  const Tables tables;
  const auto convert = [&](const char* file) {
    return run_mgnn({"convert", tables.dir / "links.csv", "--nodes", tables.dir / "people.csv",
                     "--id-column", "name", "--label-column", "team", "--split-column", "part",
                     tables.dir / file})
        .err;
  };
  EXPECT_TRUE(has(convert("o.tsv"),
                  "tsv files do not hold the features, classes, splits; safetensors, h5 do"));
  EXPECT_TRUE(has(convert("o.mtx"), "mtx files do not hold the ids, features, classes, splits"));
  EXPECT_FALSE(has(convert("o.safetensors"), "do not hold"));
}

TEST(OwnTables, NumbersAreNotClasses) {
  const Tables tables;
  std::string nodes = "name,dose\n";
  for (int i = 0; i < 60; i++) nodes += fmt::format("p{},{}\n", i, 0.5 * i);
  const auto refused =
      run_mgnn({"train", tables.dir / "links.csv", "--nodes", tables.dir.file("d.csv", nodes),
                "--id-column", "name", "--label-column", "dose", "--no-output"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(has(refused.err, "has 60 different numbers for 60 nodes, which are not classes"))
      << refused.err;
  EXPECT_TRUE(has(refused.err, "predict them with --target-column dose")) << refused.err;
}

}  // namespace
}  // namespace mgnn
