// node2vec and DeepWalk share their walks' way to vectors.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/embed/skip_gram.h"

namespace mgnn {

struct Node2VecOptions {
  int64_t walks = 10;     // from every node
  int64_t length = 80;    // of a walk, in nodes
  double p = 1, q = 0.5;  // small p: walks turn back often; small q: they go far
  SkipGramOptions skip_gram = {};
};

// (n, dimension). Walks follow arcs, weights are heeded; a walk ends where there is no way on, and
// nodes that no other walk reaches keep what little they learn from their own. Walks are made anew
// when they are needed, so memory is that of the vectors. Throws Error (usage) on options that
// cannot be.
Matrix node2vec(const EmbedInput& input, const Node2VecOptions& options = {});

// The corpus of `walks` walks of `length` nodes from every node. `walker` must outlive it.
class Walker;
Corpus walk_corpus(const Walker& walker, NodeId num_nodes, int64_t walks, int64_t length,
                   uint64_t seed);

}  // namespace mgnn
