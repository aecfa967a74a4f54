#include "mgnn/data/graph_tables.h"

#include "mgnn/data/dataset_file.h"
#include "mgnn/data/load.h"
#include "tests/data/same_dataset.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

struct Case {
  TempDir dir;
  std::string graphs = "id,label\nb,yes\na,no\n";
  std::string nodes =
      "graph,id,label,charge,note\n"
      "a,1,C,0.5,x\nb,1,N,-1,y\na,2,C,2,z\nb,0,O,0,\n";
  std::string edges = "graph,from,to\na,1,2\nb,0,1\nb,1,0\n";

  Dataset load(const LoadOptions& options = {}) const {
    dir.file("graphs.csv", graphs);
    dir.file("nodes.csv", nodes);
    dir.file("edges.csv", edges);
    return load_dataset(dir.path(), options);
  }
  std::string error() const {
    std::string text = error_of([&] { load(); });
    const size_t at = text.find(dir.path());
    return at == std::string::npos ? text : text.replace(at, dir.path().size(), "D");
  }
};

TEST(GraphTables, SetEveryPart) {
  const Case c;
  const Dataset d = c.load();
  EXPECT_EQ(d.graph_start, (std::vector<NodeId>{0, 2, 4}));  // b: 1, 0; a: 1, 2
  EXPECT_EQ(d.graph_ids.name(0), "b");
  EXPECT_EQ(d.graph_ids.name(1), "a");
  EXPECT_EQ(d.label, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(d.class_names, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(arcs(d.graph), (Array<Edge>{{0, 1}, {1, 0}, {2, 3}}));
  EXPECT_EQ(d.num_attributes, 1);
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"charge", "label=C", "label=N", "label=O"}));
  const Matrix& x = std::get<Matrix>(d.features);
  EXPECT_EQ(x.data, (Array<float>{-1, 0, 1, 0,   //
                                  0, 0, 0, 1,    //
                                  0.5, 1, 0, 0,  //
                                  2, 1, 0, 0}));
  EXPECT_NE(d.features_from.find("2 columns of "), std::string::npos);
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_NE(d.remarks[0].find("columns left out: \"note\" (3 different texts)"), std::string::npos);
}

TEST(GraphTables, TakeOtherUsualNames) {
  const Case plain;
  Case other;
  other.graphs = "Graph_ID,Label,source\nb,yes,x\na,no,y\n";
  other.nodes = "graph_id,Node,label,charge,note\na,1,C,0.5,x\nb,1,N,-1,y\na,2,C,2,z\nb,0,O,0,\n";
  other.edges = "GRAPH,Source,Target,bond\na,1,2,s\nb,0,1,d\nb,1,0,d\n";
  const Dataset d = other.load(), same = plain.load();
  EXPECT_EQ(arcs(d.graph), arcs(same.graph));
  EXPECT_EQ(d.label, same.label);
  EXPECT_EQ(d.feature_names, same.feature_names);
  ASSERT_EQ(d.remarks.size(), 3u);
  EXPECT_TRUE(d.remarks[0].ends_with("edges.csv: columns not used: \"bond\"")) << d.remarks[0];
  EXPECT_TRUE(d.remarks[2].ends_with("graphs.csv: columns not used: \"source\"")) << d.remarks[2];
}

TEST(GraphTables, ColumnsOfGraphsMayBeNamed) {
  Case c;
  c.graphs = "id,class,part,key\n1,yes,train,b\n2,no,test,a\n";
  const Dataset known = [&] {
    Case usual;
    usual.graphs = "id,class,part\nb,yes,train\na,no,test\n";
    return usual.load();
  }();
  EXPECT_EQ(known.class_names, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(known.splits.size(), 1u);
  EXPECT_NE(known.reading.find("ids are \"id\", classes \"class\", the split \"part\""),
            std::string::npos)
      << known.reading;
  LoadOptions options;
  options.id_column = "key";
  options.label_column = "part";
  const Dataset d = c.load(options);
  EXPECT_EQ(d.graph_ids.name(0), "b");
  EXPECT_EQ(d.class_names, (std::vector<std::string>{"test", "train"}));
  options.split_column = "nothing";
  EXPECT_NE(error_of([&] { c.load(options); }).find("there is no column \"nothing\""),
            std::string::npos);
  options = {};
  options.id_column = "key";
  options.type_column = "class";
  EXPECT_NE(error_of([&] { c.load(options); }).find("there is no node table"), std::string::npos)
      << error_of([&] { c.load(options); });
}

TEST(GraphTables, SurviveAFile) {
  const Case c;
  const Dataset d = c.load();
  write_dataset_file(c.dir / "set.safetensors", d);
  testing::expect_same(read_dataset_file(c.dir / "set.safetensors"), d);
}

TEST(GraphTables, HaveTargets) {
  Case c;
  c.graphs = "id,label,energy,target\nb,yes,-1.25,7\na,no,2,\n";
  Dataset d = c.load();
  EXPECT_EQ(d.target[0], 7);
  EXPECT_TRUE(std::isnan(d.target[1]));
  write_dataset_file(c.dir / "set.safetensors", d);
  testing::expect_same(read_dataset_file(c.dir / "set.safetensors"), d);
  LoadOptions options;
  options.target_column = "energy";
  d = c.load(options);
  EXPECT_EQ(d.target, (std::vector<double>{-1.25, 2}));
  EXPECT_EQ(d.num_attributes, 1);
  c.graphs = "id,target\nb,1\na,much\n";
  EXPECT_EQ(c.error(),
            "D/graphs.csv:3: target \"target\" is \"much\", not a finite number; leave the cell "
            "empty if it is unknown");
}

TEST(GraphTables, MayLackMuch) {
  Case c;
  c.graphs = "id,label,split\n7,,train\n8,1,test\n9,1,val\n";
  c.nodes = "graph,id\n8,0\n";
  c.edges = "graph,from,to\n";
  const Dataset d = c.load();
  EXPECT_EQ(d.graph_start, (std::vector<NodeId>{0, 0, 1, 1}));
  EXPECT_EQ(d.label, (std::vector<int32_t>{-1, 0, 0}));
  EXPECT_EQ(d.graph_ids.number, (Array<int64_t>{7, 8, 9}));
  EXPECT_EQ(num_features(d.features), 0);
  ASSERT_EQ(d.splits.size(), 1u);
  EXPECT_EQ(d.splits[0].train, (std::vector<NodeId>{0}));
  EXPECT_EQ(d.splits[0].validation, (std::vector<NodeId>{2}));
  EXPECT_EQ(d.splits[0].test, (std::vector<NodeId>{1}));
}

TEST(GraphTables, WrongOnesAreRefusedWithTheirPlace) {
  const auto with = [](std::string Case::*part, const std::string& text) {
    Case c;
    c.*part = text;
    return c.error();
  };
  EXPECT_EQ(with(&Case::graphs, "id,label\na,1\na,2\n"),
            "D/graphs.csv:3: graph \"a\" was there before");
  EXPECT_EQ(with(&Case::graphs, "id,label\na,1\n"),
            "D/nodes.csv:3: graph \"b\" is not in the table of graphs");
  EXPECT_EQ(with(&Case::nodes, "graph,id\na,1\na,2\nb,0\nb,0\n"),
            "D/nodes.csv:5: node \"0\" was there before in the same graph");
  EXPECT_EQ(with(&Case::nodes, "graph,id,q\na,1,1\na,2,inf\nb,0,0\nb,1,0\n"),
            "D/nodes.csv:3: feature \"q\" is \"inf\", not a finite number; fix the cell, or name "
            "the feature columns");
  EXPECT_EQ(with(&Case::edges, "graph,from,to\na,1,2\na,1,0\n"),
            "D/edges.csv:3: node \"0\" is not in the table of nodes of graph \"a\"");
  EXPECT_EQ(with(&Case::edges, "graph,from,to\nq,1,2\n"),
            "D/edges.csv:2: graph \"q\" is not in the table of graphs");
  EXPECT_NE(with(&Case::edges, "graph,begin,to\na,1,2\n").find("\"from\""), std::string::npos);
  EXPECT_NE(with(&Case::nodes, "graph,id\na,1,4\n").find("D/nodes.csv:2: "), std::string::npos);
}

}  // namespace
}  // namespace mgnn
