// Which neighbours send messages in a directed graph.
#pragma once

#include "mgnn/models/model.h"

namespace mgnn {

//   in          messages follow the arcs: a node receives those of its in-neighbours
//   out         they go against the arcs: those of its out-neighbours
//   both        those of all its neighbours
//   undirected  the same, and the reverse of every arc is added to the data, so that motifs are
//               those of an undirected graph, too
// Motif matrices are of the graph itself: in, out and both do not change them. Nor do they change
// relations: networks that use these have weights for messages along the arcs and against them.
enum class Direction { in, out, both, undirected };
constexpr auto enum_names(Direction) {
  return std::to_array<Named<Direction>>({{"in", Direction::in},
                                          {"out", Direction::out},
                                          {"both", Direction::both},
                                          {"undirected", Direction::undirected}});
}

// The graph whose in-neighbours send messages. O(arcs).
Graph message_graph(const Graph& graph, Direction direction);

// The same with the weights of its arcs; where both directions become one, their weights are added.
// Undirected graphs, whose weights are the same in both directions, stay as they are.
struct MessageArcs {
  Graph graph;
  Array<float> weight;  // (arcs), or empty
};
MessageArcs message_arcs(const GraphView& view, Direction direction);

// The network with messages in that direction. All of its matrices but those of motifs are made of
// message_graph.
std::unique_ptr<Model> with_direction(std::unique_ptr<Model> network, Direction direction);

}  // namespace mgnn
