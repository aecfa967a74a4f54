// Regular directed graphs with triangles planted into them.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

// Arcs of a directed graph in which every node has `degree` out-arcs and `degree` in-arcs, no two
// nodes are joined twice, and the only triangles are those that `planted` arcs form. The other
// arcs are random. Throws Error (usage) if no such graph is found: too few nodes for the degree.
// REQUIRES: no node has more than `degree` planted out-arcs or in-arcs.
Array<Edge> regular_with_planted(NodeId num_nodes, int degree, const Array<Edge>& planted, Rng rng);

// The arcs of a cyclic (M1) or transitive (M5) triangle on three nodes.
Array<Edge> cyclic_triangle(NodeId a, NodeId b, NodeId c);      // a -> b -> c -> a
Array<Edge> transitive_triangle(NodeId a, NodeId b, NodeId c);  // a -> b -> c, a -> c

}  // namespace mgnn
