// FEATHER-G: characteristic functions of what random walkers see.
#pragma once

#include "mgnn/embed/embedding.h"

namespace mgnn {

struct FeatherOptions {
  int64_t order = 5;    // walks of 1 to so many steps
  int64_t points = 25;  // at which the functions are evaluated, evenly from 0.01 to `last_point`
  double last_point = 2.5;
  bool clustering = true;  // besides log(degree + 1), the clustering coefficient, as in karateclub
  bool loops = false;      // every node has a loop that counts twice in its degree, as there
  uint64_t seed = 0;       // nothing is random here: only so that all methods have one
};

// (graphs, 2 order points features): for each number r of steps, the mean over all nodes of
// P^r cos(θ x) for every feature x and point θ, then of P^r sin(θ x). P = D^-1 A, by weight where
// there are weights; degrees and clustering are of the undirected graph. Graphs without nodes have
// zeros. O(order arcs points) time, 64 columns at a time.
Matrix feather(const EmbedInput& input, const FeatherOptions& options = {});

}  // namespace mgnn
