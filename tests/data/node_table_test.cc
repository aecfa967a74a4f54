#include "mgnn/data/node_table.h"

#include <fmt/ranges.h>

#include "mgnn/data/dataset_file.h"
#include "mgnn/data/load.h"
#include "tests/data/same_dataset.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

struct Case {
  TempDir dir;
  std::string graph = dir.file("g.tsv", "a\tb\nb\tc\nc\td\n");

  Dataset load(const std::string& table, LoadOptions options = {}) const {
    options.nodes = dir.file("n.csv", table);
    return load_dataset(graph, options);
  }
  std::string error(const std::string& table, const LoadOptions& options = {}) const {
    std::string text = error_of([&] { load(table, options); });
    for (size_t at; (at = text.find(dir.path())) != std::string::npos;)
      text.replace(at, dir.path().size(), "D");
    return text;
  }
};

// With -9 in place of NaN, which does not equal itself.
Array<float> filled(const Matrix& x) {
  Array<float> values = x.data;
  for (float& value : values)
    if (std::isnan(value)) value = -9;
  return values;
}

TEST(NodeTable, UsualNamesInAnyCase) {
  const Case c;
  const Dataset dataset =
      c.load("ID,Label,Type,SPLIT,x,Target\na,red,gene,train,1,0.5\nb,blue,drug,test,2,1.5\n");
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ(dataset.splits.size(), 1u);
  EXPECT_EQ(dataset.target[1], 1.5);
  EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"x", "x=(missing)"}));
  EXPECT_NE(dataset.reading.find("n.csv: ids are \"ID\", classes \"Label\", targets \"Target\", "
                                 "types \"Type\", the split \"SPLIT\", features \"x\""),
            std::string::npos)
      << dataset.reading;
  const Dataset exact = c.load("id,label,Label\na,red,1\nb,blue,2\n");
  EXPECT_EQ(exact.class_names, (std::vector<std::string>{"blue", "red"}));
  const Dataset neither = c.load("id,LABEL,Label\na,red,1\nb,blue,2\n");
  EXPECT_TRUE(neither.label.empty());
}

// Not the node 1: an id with leading zeros is a name.
TEST(NodeTable, LeadingZerosAreNotDropped) {
  const TempDir dir;
  const std::string graph = dir.file("g.txt", "1 2\n2 3\n");
  for (const char* id : {"01", "+1", "1.0", " 1"}) {
    const std::string table = dir.file("n.csv", fmt::format("id,x\n{},1\n2,2\n", id));
    LoadOptions options;
    options.nodes = table;
    EXPECT_NE(error_of([&] { load_dataset(graph, options); }).find("whose ids are whole numbers"),
              std::string::npos)
        << id;
  }
}

TEST(NodeTable, SetsEveryPart) {
  const Case c;
  const Dataset dataset = c.load(
      "id,label,type,split,x,note,y\n"
      "c,red,gene,test,1,hello,-2\n"
      "a,blue,drug,train,0.5,\"a, b\",3e1\n"
      "b,,gene,val,2,,0\n");
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{0, -1, 1, -1}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ(dataset.node_type, (std::vector<int32_t>{0, 1, 1, 2}));
  EXPECT_EQ(dataset.node_type_names, (std::vector<std::string>{"drug", "gene", ""}));
  const Matrix& x = std::get<Matrix>(dataset.features);
  EXPECT_EQ(dataset.feature_names,
            (std::vector<std::string>{"x", "y", "x=(missing)", "y=(missing)"}));
  EXPECT_EQ(filled(x), (Array<float>{0.5, 30, 0, 0, 2, 0, 0, 0, 1, -2, 0, 0, -9, -9, 1, 1}));
  ASSERT_EQ(dataset.splits.size(), 1u);
  EXPECT_EQ(dataset.splits[0].train, (std::vector<NodeId>{0}));
  EXPECT_EQ(dataset.splits[0].validation, (std::vector<NodeId>{1}));
  EXPECT_EQ(dataset.splits[0].test, (std::vector<NodeId>{2}));
  ASSERT_EQ(dataset.remarks.size(), 3u);
  EXPECT_NE(dataset.remarks[0].find("columns left out: \"note\" (2 different texts)"),
            std::string::npos);
  EXPECT_NE(dataset.remarks[1].find("nodes lack numbers in \"x\" (1), \"y\" (1): "),
            std::string::npos);
  EXPECT_NE(dataset.remarks[2].find("1 of the 4 nodes have no row in"), std::string::npos);
}

TEST(NodeTable, TakesNamedColumnsAndWholeNumbers) {
  const TempDir dir;
  const std::string graph = dir.file("g.txt", "10 700\n700 3\n");
  LoadOptions options;
  options.nodes = dir.file("n.tsv", "who\tgroup\tu\tv\n700\t10\t1\t9\n3\t9\t2\t8\n");
  options.id_column = "who";
  options.label_column = "group";
  options.feature_columns = {"v"};
  const Dataset dataset = load_dataset(graph, options);  // nodes 3, 10, 700
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{0, -1, 1}));
  EXPECT_EQ(filled(std::get<Matrix>(dataset.features)), (Array<float>{8, 0, -9, 1, 9, 0}));
}

// The column target is taken without being named, but only if it is of numbers.
TEST(NodeTable, TargetsAreNumbersAndNotFeatures) {
  const Case c;
  const char* table = "id,x,target,y\nc,1,-2.5,4\na,2,,5\nb,3,1e-3,6\n";
  Dataset dataset = c.load(table);
  ASSERT_EQ(dataset.target.size(), 4u);
  EXPECT_TRUE(std::isnan(dataset.target[0]) && std::isnan(dataset.target[3]));
  EXPECT_EQ(dataset.target[1], 1e-3);
  EXPECT_EQ(dataset.target[2], -2.5);
  EXPECT_EQ(dataset.feature_names,
            (std::vector<std::string>{"x", "y", "x=(missing)", "y=(missing)"}));

  LoadOptions options;
  options.target_column = "x";
  dataset = c.load("id,x,y\nc,1,4\na,2,5\nb,3,6\n", options);
  EXPECT_EQ(dataset.target[0], 2);
  EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"y", "y=(missing)"}));
  options.largest_component = true;
  options.nodes = c.dir.file("n.csv", "id,x\nz,7\na,1\nb,2\nc,3\n");
  dataset = load_dataset(c.dir.file("two.tsv", "z\tx\na\tb\nb\tc\n"), options);
  EXPECT_EQ(dataset.target, (std::vector<double>{1, 2, 3}));

  EXPECT_TRUE(c.load("id,target\na,red\nb,blue\n").target.empty());
  EXPECT_EQ(c.error("id,target\na,1\nb,red\n"),
            "D/n.csv:3: target \"target\" is \"red\", not a finite number; leave the cell empty if "
            "it is unknown");
  options = {};
  options.target_column = "x";
  EXPECT_EQ(
      c.error("id,x\na,inf\n", options),
      "D/n.csv:2: target \"x\" is \"inf\", not a finite number; leave the cell empty if it is "
      "unknown");
  EXPECT_NE(c.error("id,y\na,1\n", options).find("there is no column \"x\""), std::string::npos);
  EXPECT_EQ(
      error_of([&] { load_dataset(c.graph, options); }),
      "g: there is no column \"x\" of targets; name it in a node table, a table of graphs, or "
      "a set of the TU collection with graph attributes");
}

TEST(NodeTable, TargetsMayHaveDecimalCommas) {
  const Case c;
  const Dataset dataset = c.load("id;target;x\na;0,5;1\nb;-1,25;2\nc;3;3\n");
  EXPECT_EQ(dataset.target[0], 0.5);
  EXPECT_EQ(dataset.target[1], -1.25);
  EXPECT_EQ(c.error("id;target\na;1,250\nb;2\n"),
            "D/n.csv:2: target \"target\" is \"1,250\", whose comma may stand before decimals or "
            "thousands; write it without");
  EXPECT_NE(c.error("id;label\na;1,25\nb;2,5\nc;2,5\n").find("which are not classes"),
            std::string::npos);
}

TEST(NodeTable, OtherUsualNamesOfClasses) {
  const Case c;
  for (const char* name : {"labels", "Class"}) {
    const Dataset dataset = c.load(fmt::format("id,{},x\na,red,1\nb,blue,2\n", name));
    EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"blue", "red"})) << name;
    EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"x", "x=(missing)"}));
  }
  EXPECT_EQ(c.load("id,label,class\na,red,1\nb,blue,2\n").num_attributes, 1);  // a feature
  LoadOptions options;
  options.feature_columns = {"class:category"};
  EXPECT_TRUE(c.load("id,class\na,x\nb,y\n", options).label.empty());
}

// Beside split: masks, and a column of nothing but train, val and test.
TEST(NodeTable, SplitsByOtherNames) {
  const Case c;
  const auto expect_split = [](const Dataset& dataset) {
    ASSERT_EQ(dataset.splits.size(), 1u);
    EXPECT_EQ(dataset.splits[0].name, "table");
    EXPECT_EQ(dataset.splits[0].train, (std::vector<NodeId>{0, 3}));
    EXPECT_EQ(dataset.splits[0].validation, (std::vector<NodeId>{1}));
    EXPECT_EQ(dataset.splits[0].test, (std::vector<NodeId>{2}));
    EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"x"}));
  };
  const char* masks =
      "id,train_mask,val_mask,test_mask,x\na,True,False,False,1\nb,False,True,False,2\n"
      "c,0,,1,3\nd,yes,no,no,4\n";
  expect_split(c.load(masks));
  EXPECT_NE(c.load(masks).reading.find("the split \"train_mask\", the split \"val_mask\""),
            std::string::npos);
  const Dataset guessed = c.load("id,set,x\na,Train,1\nb,dev,2\nc,test,3\nd,train,4\n");
  expect_split(guessed);
  ASSERT_EQ(guessed.remarks.size(), 1u);
  EXPECT_TRUE(
      guessed.remarks[0].ends_with("column \"set\" holds train, val and test, so it is the split"));
  // Two such columns, only one word, or another word: features, as all other columns are.
  for (const char* text : {"id,p,q\na,train,test\nb,test,train\n", "id,p\na,train\nb,train\n",
                           "id,p\na,train\nb,test\nc,bus\n"})
    EXPECT_TRUE(c.load(text).splits.empty()) << text;
  LoadOptions options;
  options.feature_columns = {"set"};
  EXPECT_TRUE(c.load("id,set\na,train\nb,test\n", options).splits.empty());
  EXPECT_EQ(c.error("id,train_mask\na,2\n"),
            "D/n.csv:2: mask \"train_mask\" is \"2\", neither true nor false");
  EXPECT_EQ(c.error("id,train_mask,test_mask\na,1,1\n"), "D/n.csv:2: is in two masks");
}

TEST(NodeTable, OddClassesAreSaid) {
  const Case c;
  const auto remarks = [&](const char* table) {
    return fmt::format("{}", fmt::join(c.load(table).remarks, "\n"));
  };
  EXPECT_NE(remarks("id,label\na,ann\nb,bob\nc,cat\nd,dan\n")
                .find("has 4 different classes, one for each of its items"),
            std::string::npos);
  EXPECT_NE(remarks("id,label\na,x\nb,y\nc,x;y\nd,x\n")
                .find("seem to have several labels, separated by \";\""),
            std::string::npos);
  EXPECT_EQ(remarks("id,label\na,x\nb,y\nc,x;z\nd,x\n"), "");
}

TEST(NodeTable, IsJoinedBeforeTheGraphIsCut) {
  const TempDir dir;
  LoadOptions options;
  options.nodes = dir.file("n.csv", "id,label\nz,1\na,0\nb,1\n");
  options.largest_component = true;
  const Dataset dataset = load_dataset(dir.file("g.tsv", "x\tz\na\tb\nb\tc\n"), options);
  EXPECT_EQ(dataset.graph.num_nodes(), 3);
  EXPECT_EQ(dataset.build.nodes_dropped, 2);
  EXPECT_EQ(dataset.ids.name(0), "a");
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{0, 1, -1}));
}

TEST(NodeTable, RowsWithoutEdgesAreIsolatedNodes) {
  const Case c;
  const Dataset dataset = c.load("id,x,label\nq,7,A\na,1,B\nr,8,\n");
  EXPECT_EQ(dataset.graph.num_nodes(), 6);
  EXPECT_EQ(dataset.graph.num_arcs(), 3);
  EXPECT_EQ(dataset.ids.name(4), "q");
  EXPECT_EQ(dataset.ids.name(5), "r");
  EXPECT_TRUE(dataset.graph.out.row(5).empty() && dataset.graph.in.row(5).empty());
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{1, -1, -1, -1, 0, -1}));
  EXPECT_EQ(std::get<Matrix>(dataset.features)(5, 0), 8);
  EXPECT_NE(dataset.remarks[0].find("2 rows of"), std::string::npos);
  validate(dataset);

  const TempDir dir;  // names that are numbers, once 0 .. n - 1 and once not
  for (const char* graph : {"0 1\n1 2\n", "5 10\n"}) {
    LoadOptions options;
    options.nodes = dir.file("n.csv", "id,x\n99,1\n1,2\n5,3\n10,4\n");
    const Dataset numbers = load_dataset(dir.file("g.txt", graph), options);
    validate(numbers);
    EXPECT_EQ(numbers.ids.name(numbers.graph.num_nodes() - 1), graph[0] == '0' ? "10" : "1");
  }
  LoadOptions options;
  options.nodes = dir.file("n.csv", "id,x\n1,1\nabc,2\n");
  EXPECT_NE(error_of([&] {
              load_dataset(dir.file("g.txt", "0 1\n"), options);
            }).find("n.csv:3: node \"abc\" is not in the graph, whose ids are whole numbers"),
            std::string::npos);
}

TEST(NodeTable, LabelsThatAreMissingAreUnknown) {
  const Case c;
  const Dataset dataset = c.load("id,label\na,NA\nb,?\nc,Na\nd,nan\n");
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{-1, -1, 0, -1}));
  EXPECT_EQ(dataset.class_names, std::vector<std::string>{"Na"});
}

TEST(NodeTable, CellsMayHaveSeveralLabels) {
  const Case c;
  const Dataset sets = c.load("id,label\na,y|x\nb,y\nc,?\nd,z | x|x\n");
  EXPECT_TRUE(sets.label.empty());
  EXPECT_EQ(sets.class_names, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(sets.label_set, (std::vector<std::vector<int32_t>>{{0, 1}, {1}, {}, {0, 2}}));
  EXPECT_NE(sets.remarks[0].find("several labels in a cell"), std::string::npos);
  validate(sets);
  write_dataset_file(c.dir / "sets.safetensors", sets);
  testing::expect_same(read_dataset_file(c.dir / "sets.safetensors"), sets);
  // A name that has a bar and nothing in common with others is a name.
  EXPECT_EQ(c.load("id,label\na,x|y\nb,z\n").class_names, (std::vector<std::string>{"x|y", "z"}));
}

TEST(NodeTable, SaysWhatIsWrong) {
  const Case c;
  EXPECT_EQ(
      c.error("id,x\nq,1\nr,1\n"),
      "D/n.csv: no id of column \"id\", such as \"q\", is a node of the graph, such as \"a\"");
  EXPECT_EQ(c.error("id,x\na,1\nb,2\na,1\n"), "D/n.csv:4: node \"a\" was there before, in line 2");
  EXPECT_EQ(c.error("id,x\na,1\nb,two\n"),
            "D/n.csv:3: feature \"x\" is \"two\", not a finite number; fix the cell, or name the "
            "feature columns");
  EXPECT_EQ(c.error("id;x\na;1,234\nb;2,345\n"),
            "D/n.csv:2: feature \"x\" is \"1,234\", whose comma may stand before decimals or "
            "thousands; write it without");
  EXPECT_EQ(c.error("id,label\na,1.5\nb,2.5\n"),
            "D/n.csv: column \"label\" has 2 different numbers for 2 nodes, which are not classes");
  EXPECT_EQ(c.error("id,split\na,train\nb,maybe\n"),
            "D/n.csv:3: split \"maybe\" is none of train, val, test");
  EXPECT_NE(c.error("name,x\na,1\n").find("\"id\""), std::string::npos);
  LoadOptions options;
  options.label_column = "colour";
  EXPECT_NE(c.error("id,color\na,1\n", options).find("\"colour\""), std::string::npos);
  for (const char* feature : {"colour", "colour:category"}) {
    options.feature_columns = {feature};
    EXPECT_EQ(c.error("id,colour\na,1\nb,2\n", options),
              "D/n.csv: column \"colour\" is asked for as a feature, but is used as id, label, "
              "target or split");
  }
  options = {};
  options.label_column = "colour";
  EXPECT_NE(error_of([&] {
              load_dataset(c.graph, options);
            }).find("column \"colour\" is named, but there is no node table"),
            std::string::npos);
  options = {};
  options.edge_list.weight_column = "w";
  EXPECT_EQ(error_of([&] { load_dataset("karate", options); }),
            "karate: column \"w\" is named, but the data are not an edge list");
  const TempDir dir;
  EXPECT_NE(error_of([&] {
              load_dataset(dir.file("a.sif", "a pp b\n"), options);
            }).find("is named, but the data are not an edge list"),
            std::string::npos);
  // What an edge list alone can use.
  const auto refused = [](const char* setting, const char* value) {
    LoadOptions load;
    set_option(load_options(load), fmt::format("{}={}", setting, value));
    return error_of([&] { load_dataset("karate", load); });
  };
  for (const auto& [setting, value] : std::vector<std::pair<const char*, const char*>>{
           {"separator", "comma"}, {"ids", "string"}, {"header", "no"}, {"trim", "true"}})
    EXPECT_EQ(refused(setting, value),
              fmt::format("karate: {} is stated, but the data are not an edge list", setting));
  EXPECT_EQ(refused("separator", "auto"), "");
  options = {.seed = 0};
  options.nodes = dir.file("n.csv", "id\n0\n");
  EXPECT_NE(error_of([&] { load_dataset("triads", options); }).find("not to a set of graphs"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
