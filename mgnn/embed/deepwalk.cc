// From each node walks to neighbours chosen with equal probability (or by weight); nodes that are
// near each other in many walks get similar vectors, by skip-gram. The paper's hierarchical softmax
// is replaced by negative sampling, as nearly everywhere since.
//
// Perozzi, Al-Rfou, Skiena. "DeepWalk: Online Learning of Social Representations", KDD 2014.

#include "mgnn/embed/deepwalk.h"

#include "mgnn/embed/node2vec.h"
#include "mgnn/graph/walks.h"

namespace mgnn {

Matrix deepwalk(const EmbedInput& input, const DeepWalkOptions& o) {
  const Walker walker(input.graph, input.arc_weight, {.loops = o.loops});
  const Corpus corpus =
      walk_corpus(walker, input.graph.num_nodes(), o.walks, o.length, o.skip_gram.seed);
  return train_skip_gram(corpus, o.skip_gram).input;
}

DeepWalkOptions karateclub_deepwalk() {
  DeepWalkOptions options;
  options.loops = true;
  options.skip_gram.cbow = true;
  options.skip_gram.hierarchical = true;
  options.skip_gram.subsample = 1e-3;
  options.skip_gram.window = 5;
  options.skip_gram.rate = 0.05;
  return options;
}

}  // namespace mgnn
