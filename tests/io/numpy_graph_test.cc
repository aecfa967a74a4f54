#include "mgnn/io/numpy_graph.h"

#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::python_output, testing::random_graph, testing::TempDir;

NumpyArray numbers(std::vector<int64_t> values, std::vector<int64_t> shape) {
  return numpy_array<int64_t>(values, std::move(shape));
}
NumpyArray row(std::vector<int64_t> values) {
  const auto size = int64_t(values.size());
  return numbers(std::move(values), {size});
}
const Array<Edge> kPath = {{0, 1}, {1, 2}, {2, 3}};

TEST(NumpyGraph, EdgesInBothLayouts) {
  for (const char* key : {"edge_index", "edges", "anything"}) {
    const EdgeList wide = numpy_graph({{key, numbers({0, 1, 2, 1, 2, 3}, {2, 3})}}, "x.npz");
    EXPECT_EQ(wide.edges, kPath);
    EXPECT_EQ(wide.num_nodes, 4);
    EXPECT_TRUE(wide.ids.trivial());
    const EdgeList tall = numpy_graph({{key, numbers({0, 1, 1, 2, 2, 3}, {3, 2})}}, "x.npz");
    EXPECT_EQ(tall.edges, kPath);
  }
  const EdgeList square = numpy_graph({{"edge_index", numbers({0, 1, 2, 3}, {2, 2})}}, "x.npz");
  EXPECT_EQ(square.edges, (Array<Edge>{{0, 2}, {1, 3}}));
  EXPECT_EQ(numpy_graph({{"edges", numbers({}, {0, 2})}}, "x.npz").num_nodes, 0);
}

TEST(NumpyGraph, WhatStandsBesideTheEdges) {
  NumpyArchive arrays = {{"edge_index", numbers({0, 1, 2, 1, 2, 3}, {2, 3})},
                         {"num_nodes", numbers({9}, {})},
                         {"edge_weight", numpy_array<float>(std::vector<float>{1, .5, 2}, {3})},
                         {"edge_type", row({7, 3, 7})}};
  const EdgeList list = numpy_graph(arrays, "x.npz");
  EXPECT_EQ(list.num_nodes, 9);
  EXPECT_EQ(list.weight, (Array<float>{1, .5, 2}));
  EXPECT_EQ(list.relation, (Array<int32_t>{0, 1, 0}));
  EXPECT_EQ(list.relation_names, (std::vector<std::string>{"7", "3"}));
  arrays.erase("num_nodes");
  arrays["node_labels"] = row({0, 0, 0, 0, 0});
  EXPECT_EQ(numpy_graph(arrays, "x.npz").num_nodes, 5);
  arrays["ids"] = numpy_texts(std::vector<std::string>{"a", "b", "c", "d"});
  EXPECT_EQ(numpy_graph(arrays, "x.npz").ids.name(3), "d");
}

TEST(NumpyGraph, HugeIdsAreNames) {
  const int64_t huge = int64_t(1) << 62;
  const EdgeList list = numpy_graph({{"edges", numbers({huge, 5, 5, 7}, {2, 2})}}, "x.npz");
  EXPECT_EQ(list.num_nodes, 3);
  EXPECT_EQ(list.ids.number, (Array<int64_t>{5, 7, huge}));
  EXPECT_EQ(list.edges, (Array<Edge>{{2, 0}, {0, 1}}));
  EXPECT_EQ(numpy_graph({{"edges", numbers({0, 1000}, {1, 2})}}, "x.npz").num_nodes, 1001);
}

TEST(NumpyGraph, RefusesWithAReason) {
  const NumpyArray edges = numbers({0, 1, 2, 1, 2, 3}, {2, 3});
  const NumpyArray start = row({0, 1, 2}), index = row({1, 0}), shape = row({2, 2});
  const struct {
    NumpyArchive arrays;
    std::string message;
  } cases[] = {
      {{},
       "x: holds no graph: edge_index, edges or a scipy sparse matrix is needed, but there is "
       "nothing"},
      {{{"a", edges}, {"b", edges}},
       "x: holds no graph: edge_index, edges or a scipy sparse matrix is needed, but there is "
       "\"a\", \"b\""},
      {{{"edges", row({1, 2, 3})}},
       "x: edges: a list of edges has the shape (2, E) or (E, 2), not (3)"},
      {{{"edges", numbers({0, -1}, {1, 2})}}, "x: edges: names node -1; nodes are numbered from 0"},
      {{{"edges", numpy_array<float>(std::vector<float>{0, 1}, {1, 2})}},
       "x: edges: whole numbers are needed, but it holds <f4"},
      {{{"edges", edges}, {"num_nodes", numbers({3}, {})}},
       "x: edges: arc 2 is 2 -> 3, but there are 3 nodes, numbered from 0"},
      {{{"edges", edges}, {"num_nodes", row({3, 4})}}, "x: num_nodes: is not one number"},
      {{{"edges", edges}, {"num_nodes", row({-3})}},
       "x: num_nodes: -3 nodes are not possible; there can be up to 2147483647"},
      {{{"edges", edges}, {"num_nodes", row({int64_t(1) << 40})}},
       "x: num_nodes: 1099511627776 nodes are not possible; there can be up to 2147483647"},
      {{{"edges", edges}, {"edge_weight", row({1})}}, "x: edge_weight: has 1 values for 3 edges"},
      {{{"edges", edges}, {"edge_type", row({1})}}, "x: edge_type: has 1 values for 3 edges"},
      {{{"edges", edges}, {"num_nodes", row({4})}, {"ids", row({1})}},
       "x: ids: names 1 nodes, but there are 4"},
      {{{"edges", edges}, {"ids", row({1, 2, 3, 2})}}, "x: ids: names two nodes 2"},
      {{{"edges", edges}, {"ids", numpy_texts(std::vector<std::string>{"a", "b", "c", "a"})}},
       "x: ids: names two nodes \"a\""},
      {{{"indptr", start}, {"indices", index}}, "x: lacks the array \"shape\""},
      {{{"indptr", start}, {"shape", shape}}, "x: lacks the array \"indices\""},
      {{{"indptr", start}, {"indices", index}, {"shape", row({2, 3})}},
       "x: shape: a graph needs a square matrix (n, n)"},
      {{{"indptr", row({0, 2, 1})}, {"indices", index}, {"shape", shape}},
       "x: indptr: does not rise from 0 to 2 in 2 steps"},
      {{{"indptr", row({0, 3, 2})}, {"indices", index}, {"shape", shape}},
       "x: indptr: does not rise from 0 to 2 in 2 steps"},
      {{{"indptr", start}, {"indices", row({1, 2})}, {"shape", shape}},
       "x: arc 1 is 1 -> 2, but there are 2 nodes, numbered from 0"},
      {{{"indptr", start}, {"indices", row({1, -1})}, {"shape", shape}},
       "x: arc 1 is 1 -> -1, but there are 2 nodes, numbered from 0"},
      {{{"format", numpy_texts(std::vector<std::string>{"bsr"})}},
       "x: format: is \"bsr\"; csr, csc and coo can be read: save matrix.tocsr()"},
      {{{"format", numpy_texts(std::vector<std::string>{"coo"})},
        {"row", row({1})},
        {"col", row({1, 0})},
        {"shape", shape}},
       "x: has 1 row and 2 column numbers"},
  };
  for (const auto& c : cases) EXPECT_EQ(error_of([&] { numpy_graph(c.arrays, "x"); }), c.message);
  const NumpyArchive large = {{"edges", edges}, {"num_nodes", row({2147483647})}};
  EXPECT_EQ(
      error_of([&] { numpy_graph(large, "x"); }),
      "x: num_nodes: claims 2,147,483,647 nodes, but has 3 entries; use --max-nodes 2147483647 "
      "if that is right");
}

TEST(NumpyGraph, ComesBack) {
  const TempDir dir;
  const Graph graph = random_graph(40, 0.1, 3);
  NodeIds ids;
  for (int i = 0; i < 40; i++) ids.push_back("n" + std::to_string(i * i));
  Array<float> weight;
  for (Offset e = 0; e < graph.num_arcs(); e++) weight.push_back(float(e) / 4);
  write_graph_npz(dir / "g.npz", graph, ids, weight);
  const EdgeList list = read_numpy_graph(dir / "g.npz");
  EXPECT_EQ(list.num_nodes, 40);
  EXPECT_EQ(list.edges, arcs(graph));
  EXPECT_EQ(list.weight, weight);
  EXPECT_EQ(list.ids.text, ids.text);
  write_graph_npz(dir / "plain.npz", graph, {});
  const EdgeList plain = read_numpy_graph(dir / "plain.npz");
  EXPECT_TRUE(plain.ids.trivial());
  EXPECT_TRUE(plain.weight.empty());
  EXPECT_EQ(fingerprint(make_graph(plain.num_nodes, plain.edges)), fingerprint(graph));
}

TEST(NumpyGraph, ScipyReadsOurs) {
  MGNN_NEEDS_PYTHON("scipy");
  const TempDir dir;
  NodeIds ids;
  ids.number = {10, 20, 30};
  write_graph_npz(dir / "g.npz", make_graph(3, {{0, 1}, {2, 0}, {2, 1}}), ids,
                  Array<float>{0.5, 2, 3});
  EXPECT_EQ(python_output("import scipy.sparse as s, numpy\n"
                          "m = s.load_npz('" +
                          dir / "g.npz')\n"
                                "print(m.format, m.dtype, m.toarray().tolist())\n"
                                "print(numpy.load('" +
                          dir / "g.npz')['ids'].tolist())\n"),
            "csr float32 [[0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [2.0, 3.0, 0.0]]\n[10, 20, 30]\n");
}

TEST(NumpyGraph, WeReadScipys) {
  MGNN_NEEDS_PYTHON("scipy");
  const TempDir dir;
  python_output(
      "import scipy.sparse as s, numpy as n\n"
      "m = s.coo_matrix(([1., 2., 3.], ([0, 2, 2], [1, 0, 1])), shape=(4, 4))\n"
      "for f in ('csr', 'csc', 'coo', 'dia'):\n"
      "  s.save_npz('" +
      dir.path() +
      "/' + f, m.asformat(f))\n"
      "n.save('" +
      dir / "e.npy', n.array([[0, 1], [2, 0], [2, 1]]))\n");
  const auto sorted = [](const EdgeList& list) {
    return arcs(make_graph(list.num_nodes, list.edges));
  };
  for (const char* format : {"csr", "csc", "coo"}) {
    const EdgeList list = read_numpy_graph(dir / format + ".npz");
    EXPECT_EQ(list.num_nodes, 4);
    EXPECT_EQ(sorted(list), (Array<Edge>{{0, 1}, {2, 0}, {2, 1}})) << format;
    for (size_t e = 0; e < 3; e++) {  // 0 -> 1, 2 -> 0, 2 -> 1 weigh 1, 2, 3
      const Edge edge = list.edges[e];
      EXPECT_EQ(list.weight[e], float(edge.from + edge.to));
    }
  }
  EXPECT_EQ(read_numpy_graph(dir / "e.npy").edges, (Array<Edge>{{0, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(error_of([&] { read_numpy_graph(dir / "dia.npz"); }),
            dir / "dia.npz: format: is \"dia\"; csr, csc and coo can be read: save matrix.tocsr()");
}

TEST(NumpyGraph, CornellByPlatonov) {
  MGNN_NEEDS_DATA();
  const EdgeList list =
      read_numpy_graph(testing::data_dir() + "/geom-gcn/cornell/cornell_platonov.npz");
  EXPECT_EQ(list.num_nodes, 183);
  const BuiltGraph built = build_graph(list.num_nodes, list.edges, {.symmetrise = true});
  EXPECT_EQ(built.graph.num_arcs(), 2 * 277);
}

}  // namespace
}  // namespace mgnn
