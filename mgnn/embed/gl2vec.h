// GL2vec: graph2vec of graphs and of their line graphs.
#pragma once

#include "mgnn/embed/graph2vec.h"

namespace mgnn {

struct Gl2VecOptions {
  bool concat =
      true;  // graph and line graph, half of the dimension each; else the line graph alone
  Graph2VecOptions graph2vec = {};
};

// (graphs, dimension). Nodes of a line graph begin with the label of their edge where there are
// any (of the arc from the smaller to the larger node), else with their degree.
Matrix gl2vec(const EmbedInput& input, const Gl2VecOptions& options = {});

// What karateclub does: the line graph alone, and its defaults for graph2vec.
Gl2VecOptions karateclub_gl2vec();

}  // namespace mgnn
