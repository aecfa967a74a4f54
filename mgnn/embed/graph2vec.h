// graph2vec: graphs as documents of the rooted subgraphs they contain.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/embed/skip_gram.h"
#include "mgnn/embed/wl_colours.h"

namespace mgnn {

struct Graph2VecOptions {
  int64_t steps = 2;      // of Weisfeiler and Lehman: subgraphs reach so far from their root
  bool labels = true;     // begin with node labels where there are any, else with degrees
  int64_t min_count = 1;  // leave out subgraphs that occur less often in all graphs together
  SkipGramOptions skip_gram = {.epochs = 100};
};

struct Graph2Vec {
  Graph2VecOptions options;
  WlColours colours;
  TokenVectors vectors;  // input: (graphs, dimension)
};

// Graphs without nodes keep a small random vector.
Graph2Vec fit_graph2vec(const EmbedInput& input, const Graph2VecOptions& options = {});
// (graphs, dimension) of graphs that were not there when `model` was fitted: its subgraphs stay as
// they are, those it does not know are passed over.
Matrix infer(const Graph2Vec& model, const EmbedInput& unseen);

Matrix graph2vec(const EmbedInput& input, const Graph2VecOptions& options = {});

// karateclub's defaults, which leave out most subgraphs of small sets and stop early.
Graph2VecOptions karateclub_graph2vec();

}  // namespace mgnn
