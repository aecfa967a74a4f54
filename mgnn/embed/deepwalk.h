// DeepWalk: random walks as sentences.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/embed/skip_gram.h"

namespace mgnn {

struct DeepWalkOptions {
  int64_t walks = 10;   // from every node
  int64_t length = 80;  // of a walk, in nodes
  bool loops = false;   // walks may also stay where they are, as in karateclub's code
  SkipGramOptions skip_gram = {};
};

// (n, dimension). As node2vec (node2vec.h) with p = q = 1.
Matrix deepwalk(const EmbedInput& input, const DeepWalkOptions& options = {});

// What karateclub's DeepWalk does: walks on a graph with loops, and gensim's defaults with
// hierarchical softmax: cbow instead of skip-gram, with noise too, frequent nodes thinned out.
DeepWalkOptions karateclub_deepwalk();

}  // namespace mgnn
