#include <gtest/gtest.h>

#include <map>

#include "mgnn/models/operators.h"
#include "tests/util.h"

namespace mgnn {
namespace {

// 0 -> 1 -> 2 -> 0, 0 -> 2, 3 -> 0: some arcs with their reverse, some without.
Graph some_graph() { return make_graph(4, {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {3, 0}}); }

Array<Edge> edges_of(const Csr& rows) {
  Array<Edge> edges;
  for (NodeId r = 0; r < rows.rows; r++)
    for (const NodeId c : rows.row(r)) edges.push_back({r, c});
  return edges;
}

// (receiver, sender) of all messages, by the definition.
Array<Edge> messages(const Graph& graph, Direction direction) {
  Array<Edge> result;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (NodeId v = 0; v < graph.num_nodes(); v++) {
      const bool from_in = graph.has_arc(v, u), from_out = graph.has_arc(u, v);
      if (direction == Direction::in    ? from_in
          : direction == Direction::out ? from_out
                                        : from_in || from_out)
        result.push_back({u, v});
    }
  return result;
}

constexpr std::array kAll = {Direction::in, Direction::out, Direction::both, Direction::undirected};

TEST(Direction, NeighboursThatSendMessages) {
  for (const Graph& graph : {some_graph(), testing::random_graph(30, 0.1, 7)})
    for (const Direction direction : kAll) {
      const Graph result = message_graph(graph, direction);
      EXPECT_EQ(edges_of(result.in), messages(graph, direction));
      for (const Edge& e : edges_of(result.in)) EXPECT_TRUE(result.has_arc(e.to, e.from));
    }
}

// Whatever the network, it receives the messages of the same neighbours.
TEST(Direction, IsTheSameForAllNetworks) {
  const Graph graph = testing::random_graph(20, 0.12, 3);
  for (const Method& method : methods()) {
    if (std::string_view(method.name) == "gdc") continue;  // joins nodes that paths join
    for (const Direction direction : kAll) {
      const Operators made = with_direction(method.make(), direction)->operators(graph);
      for (const Csr* rows :
           {&made.adjacency.pattern, &made.neighbours.rows, &made.neighbours_and_self.rows}) {
        if (rows->rows == 0) continue;
        Array<Edge> senders;
        for (const Edge& e : edges_of(*rows))
          if (e.from != e.to) senders.push_back(e);
        EXPECT_EQ(senders, messages(graph, direction)) << method.name;
      }
    }
  }
}

// Motif matrices stay those of the graph, where a reversed one has them in another order.
TEST(Direction, LeavesMotifsAlone) {
  const Graph graph = testing::random_graph(20, 0.15, 5);
  for (const char* name : {"mgnn", "motifnet"}) {
    const Operators before = find_method(name).make()->operators(graph);
    for (const Direction direction : {Direction::out, Direction::both}) {
      const Operators after = with_direction(find_method(name).make(), direction)->operators(graph);
      EXPECT_EQ(after.motifs.map.index, before.motifs.map.index);
      EXPECT_EQ(after.motifs.value, before.motifs.value);
      EXPECT_EQ(after.motifs.interleaved.value, before.motifs.interleaved.value);
      EXPECT_EQ(edges_of(after.motifs.pattern.rows), edges_of(before.motifs.pattern.rows));
    }
  }
}

// Weights of messages by the definition: that of the arc they follow, or of both, added.
TEST(Direction, WeightsGoWithTheirArcs) {
  for (const Graph& graph : {some_graph(), testing::random_graph(30, 0.1, 7)}) {
    std::vector<float> weight;
    std::map<std::pair<NodeId, NodeId>, float> of;
    for (const Edge& e : arcs(graph)) {
      weight.push_back(float(weight.size() + 1));
      of[{e.from, e.to}] = weight.back();
    }
    for (const Direction direction : kAll) {
      const MessageArcs result = message_arcs({graph, weight}, direction);
      const Array<Edge> sent = arcs(result.graph);
      ASSERT_EQ(result.weight.size(), sent.size());
      for (size_t e = 0; e < sent.size(); e++) {
        const float along = of[{sent[e].from, sent[e].to}],
                    against = of[{sent[e].to, sent[e].from}];
        EXPECT_EQ(result.weight[e], direction == Direction::in    ? along
                                    : direction == Direction::out ? against
                                                                  : along + against);
      }
      // The operators of a network are those of that graph.
      const auto gin = with_direction(find_method("gin").make(), direction);
      const Operators made = gin->operators({graph, weight});
      for (NodeId v = 0; v < graph.num_nodes(); v++)
        for (Offset e = made.adjacency.pattern.start[v]; e < made.adjacency.pattern.start[v + 1];
             e++) {
          const NodeId u = made.adjacency.pattern.index[e];
          const float along = of[{u, v}], against = of[{v, u}];
          EXPECT_EQ(made.adjacency.value[e], direction == Direction::in    ? along
                                             : direction == Direction::out ? against
                                                                           : along + against);
        }
    }
  }
}

TEST(Direction, LeavesUndirectedWeightsAlone) {
  const Graph graph = make_graph(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}});
  const std::vector<float> same = {2, 2, 5, 5}, differ = {2, 3, 5, 5};
  for (const Direction direction : kAll)
    EXPECT_EQ(message_arcs({graph, same}, direction).weight, (Array<float>{2, 2, 5, 5}));
  EXPECT_EQ(message_arcs({graph, differ}, Direction::out).weight, (Array<float>{3, 2, 5, 5}));
  EXPECT_EQ(message_arcs({graph, differ}, Direction::both).weight, (Array<float>{5, 5, 10, 10}));
}

TEST(Direction, LeavesRelationsAlone) {
  const Graph graph = some_graph();
  const std::vector<Relation> relations = {{"a", {{0, 1}, {1, 2}}},
                                           {"b", {{2, 0}, {0, 2}, {3, 0}}}};
  const GraphView view(graph, {}, relations);
  const Operator before = find_method("rgcn").make()->operators(view).relational;
  for (const Direction direction : kAll) {
    const auto rgcn = with_direction(find_method("rgcn").make(), direction);
    EXPECT_TRUE(rgcn->uses_relations());
    const Operators after = rgcn->operators(view);
    EXPECT_EQ(after.relational.pattern.index, before.pattern.index);
    EXPECT_EQ(after.relational.value, before.value);
  }
}

}  // namespace
}  // namespace mgnn
