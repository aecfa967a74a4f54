// Weisfeiler-Lehman colours, graph2vec and GL2vec.
#include <cmath>
#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/embed/wl_colours.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

TEST(WlColours, OfKarate) {
  WlColours colours;
  const Graph g = karate_dataset().graph;
  const auto of_step = colours.colours({g}, 4, true);
  const size_t expected[] = {11, 27, 27, 27, 27};
  for (size_t h = 0; h < 5; h++)
    EXPECT_EQ(std::set(of_step[h].begin(), of_step[h].end()).size(), expected[h]) << h;
}

TEST(WlColours, KeepTheirNumbers) {
  WlColours colours;
  const Graph c6 = cycle(6), two = undirected(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  EXPECT_EQ(colours.colours({c6}, 2, true), colours.colours({two}, 2, true));
  const Graph path = undirected(3, {{0, 1}, {1, 2}});
  const auto unknown = colours.known_colours({path}, 1, true);
  EXPECT_EQ(unknown[0], (std::vector<int32_t>{-1, 0, -1}));
  EXPECT_EQ(unknown[1], (std::vector<int32_t>{-1, -1, -1}));
  // Direction and labels count.
  const Graph out = make_graph(3, {{0, 1}, {0, 2}}), in = make_graph(3, {{1, 0}, {2, 0}});
  EXPECT_NE(colours.colours({out}, 1, true), colours.colours({in}, 1, true));
  const std::vector<int32_t> label = {0, 1, 1}, other = {1, 0, 0};
  EXPECT_NE(colours.colours({.graph = path, .node_label = label}, 0, true),
            colours.colours({.graph = path, .node_label = other}, 0, true));
}

// Cycles, stars and complete graphs in turn, of 5, 6, … nodes.
struct Shapes {
  Graph graph;
  std::vector<NodeId> start = {0};
};
Shapes shapes(int count) {
  Shapes set;
  Array<Edge> edges;
  for (int g = 0; g < count; g++) {
    const NodeId first = set.start.back(), size = 5 + g / 3;
    for (NodeId u = 0; u < size; u++)
      for (NodeId v = 0; v < u; v++)
        if (g % 3 == 2 || (g % 3 == 1 && v == 0) ||
            (g % 3 == 0 && (u - v == 1 || u - v == size - 1)))
          edges.push_back({first + u, first + v});
    set.start.push_back(first + size);
  }
  set.graph = undirected(set.start.back(), edges);
  return set;
}

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); i++)
    ab += double(a[i] * b[i]), aa += double(a[i] * a[i]), bb += double(b[i] * b[i]);
  return ab / std::sqrt(aa * bb);
}

TEST(Graph2Vec, UnseenGraphsAreNearTheirKind) {
  const Shapes set = shapes(24);
  const EmbedInput input{.graph = set.graph, .graph_start = set.start};
  const auto method = make_embedding(find_embedding_method("graph2vec"),
                                     {"steps=0", "dimension=16", "epochs=300", "rate=0.05"});
  const Matrix fitted = method->run(input), inferred = method->infer(input, input);
  for (int64_t g = 0; g < 24; g += 3) {  // a cycle is nearer to cycles than to complete graphs
    double same = 0, other = 0;
    for (int64_t h = 0; h < 24; h += 3) {
      same += cosine(inferred.row(g), fitted.row(h));
      other += cosine(inferred.row(g), fitted.row(h + 2));
    }
    EXPECT_GT(same, other) << g;
  }
  set_num_threads(3);
  EXPECT_EQ(method->run(input).data, fitted.data);
  EXPECT_EQ(method->infer(input, input).data, inferred.data);
  set_num_threads(0);
}

TEST(Gl2Vec, EdgelessGraphsAndConcatenation) {
  const Graph set = undirected(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}});
  const std::vector<NodeId> start = {0, 3, 5, 6};
  for (const bool concat : {true, false}) {
    const Matrix z = embedded("gl2vec", {.graph = set, .graph_start = start},
                              {"dimension=10", "epochs=3", {"concat", concat}});
    EXPECT_EQ(z.rows, 3);
    EXPECT_EQ(z.cols, 10);
    for (const float x : z.data) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(Gl2Vec, DividesItsDimension) {
  const Graph g = cycle(4);
  EXPECT_EQ(embedded("gl2vec", {g}, {"dimension=7", "epochs=1"}).cols, 7);
  EXPECT_EQ(error_of([&] { embedded("gl2vec", {g}, {"dimension=1"}); }),
            "gl2vec: dimension is 1; it must be at least 2, half for each graph");
}

}  // namespace
}  // namespace mgnn
