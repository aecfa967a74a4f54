#include "mgnn/models/direction.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mgnn
