// NetLSD: what one hears of a graph's shape.
#pragma once

#include <vector>

#include "mgnn/embed/embedding.h"

namespace mgnn {

enum class LsdKernel { heat, wave };
enum class LsdNormalisation {
  none,      // the trace itself
  empty,     // divided by that of the graph without edges, n
  complete,  // divided by about that of the complete graph, 1 + (n - 1) e^-t
};

struct NetLsdOptions {
  LsdKernel kernel = LsdKernel::heat;
  LsdNormalisation normalisation = LsdNormalisation::empty;
  int64_t scales = 250;  // of time: heat evenly in log t from 0.01 to 100, wave evenly from 0 to 2π
  bool karateclub = false;  // as its code: without the two smallest eigenvalues, divided by n - 2
  int64_t exact_up_to = 1000;  // nodes; larger graphs by stochastic Lanczos quadrature:
  int64_t probes = 32;         // random vectors
  int64_t steps = 64;          // of Lanczos for each
  uint64_t seed = 0;
};

// (graphs, scales) for heat, (graphs, 2 scales) for wave: real parts, then imaginary. The trace of
// e^-tL or e^-itL, L the normalised Laplacian; directed graphs as undirected ones. Nodes without
// edges have eigenvalue 0. Parallel over graphs; O(n³) for each exact one, O(probes steps (arcs +
// steps n)) time and 8 steps n bytes for others, with a relative error of about 1 %.
Matrix netlsd(const EmbedInput& input, const NetLsdOptions& options = {});

// The points of time.
std::vector<double> netlsd_scales(const NetLsdOptions& options);

}  // namespace mgnn
