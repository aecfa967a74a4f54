#include "mgnn/data/node_table.h"

#include "mgnn/data/load.h"
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
  EXPECT_EQ(x.data, (Array<float>{0.5, 30, 2, 0, 1, -2, 0, 0}));
  ASSERT_EQ(dataset.splits.size(), 1u);
  EXPECT_EQ(dataset.splits[0].train, (std::vector<NodeId>{0}));
  EXPECT_EQ(dataset.splits[0].validation, (std::vector<NodeId>{1}));
  EXPECT_EQ(dataset.splits[0].test, (std::vector<NodeId>{2}));
  ASSERT_EQ(dataset.remarks.size(), 1u);
  EXPECT_NE(dataset.remarks[0].find("1 of the 4 nodes have no row in"), std::string::npos);
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
  EXPECT_EQ(std::get<Matrix>(dataset.features).data, (Array<float>{8, 0, 9}));
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
  EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"x", "y"}));

  LoadOptions options;
  options.target_column = "x";
  dataset = c.load("id,x,y\nc,1,4\na,2,5\nb,3,6\n", options);
  EXPECT_EQ(dataset.target[0], 2);
  EXPECT_EQ(dataset.feature_names, (std::vector<std::string>{"y"}));
  options.largest_component = true;
  options.nodes = c.dir.file("n.csv", "id,x\nz,7\na,1\nb,2\nc,3\n");
  dataset = load_dataset(c.dir.file("two.tsv", "z\tx\na\tb\nb\tc\n"), options);
  EXPECT_EQ(dataset.target, (std::vector<double>{1, 2, 3}));

  EXPECT_TRUE(c.load("id,target\na,red\nb,1\n").target.empty());
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

TEST(NodeTable, SaysWhatIsWrong) {
  const Case c;
  EXPECT_EQ(
      c.error("id,x\na,1\nq,1\nr,1\n"),
      "D/n.csv:3: node \"q\" is not in the graph (1 more like this); remove such rows, or add "
      "the nodes to the graph");
  EXPECT_EQ(c.error("id,x\na,1\nb,2\na,1\n"), "D/n.csv:4: node \"a\" was there before, in line 2");
  EXPECT_EQ(c.error("id,x\na,1\nb,two\n"),
            "D/n.csv:3: feature \"x\" is \"two\", not a finite number; fix the cell, or name the "
            "feature columns");
  EXPECT_EQ(c.error("id,x\na,1\nb,nan\n"),
            "D/n.csv:3: feature \"x\" is \"nan\", not a finite number; fix the cell, or name the "
            "feature columns");
  EXPECT_EQ(c.error("id,x\na,1\nb,\n"),
            "D/n.csv:3: feature \"x\" is \"\", not a finite number; fix the cell, or name the "
            "feature columns");
  EXPECT_EQ(c.error("id,split\na,train\nb,maybe\n"),
            "D/n.csv:3: split \"maybe\" is none of train, val, test");
  EXPECT_NE(c.error("name,x\na,1\n").find("\"id\""), std::string::npos);
  LoadOptions options;
  options.label_column = "colour";
  EXPECT_NE(c.error("id,color\na,1\n", options).find("\"colour\""), std::string::npos);
  const TempDir dir;
  options = {.seed = 0};
  options.nodes = dir.file("n.csv", "id\n0\n");
  EXPECT_NE(error_of([&] { load_dataset("triads", options); }).find("not to a set of graphs"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
