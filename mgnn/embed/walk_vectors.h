// Vectors of nodes from random walks: what DeepWalk and node2vec share.
#pragma once

#include "mgnn/embed/skip_gram.h"
#include "mgnn/graph/walks.h"

namespace mgnn {

struct WalkVectorOptions {
  int64_t walks = 10;   // per node
  int64_t length = 80;  // nodes per walk
  SkipGramOptions skip_gram = {};
};
Options walk_vector_options(WalkVectorOptions& o);

// The corpus of `walks` walks of at most `length` nodes from every node. Walks are generated when
// they are needed, never stored. `walker` must outlive it. Throws Error (usage) if either is 0.
Corpus walk_corpus(const Walker& walker, NodeId num_nodes, int64_t walks, int64_t length,
                   uint64_t seed);

// (n, dimension). Walks follow arcs, in proportion to weights, and end at nodes without out-arcs.
// Memory: that of the vectors.
Matrix walk_vectors(const Walker& walker, NodeId num_nodes, const WalkVectorOptions& o);

}  // namespace mgnn
