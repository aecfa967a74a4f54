// Walks of the second order (graph/walks.h) are sentences; skip-gram with negative sampling makes
// vectors of them.
//
// Grover, Leskovec. "node2vec: Scalable Feature Learning for Networks", KDD 2016.

#include "mgnn/embed/node2vec.h"

#include "mgnn/base/error.h"
#include "mgnn/graph/walks.h"

namespace mgnn {

Corpus walk_corpus(const Walker& walker, NodeId num_nodes, int64_t walks, int64_t length,
                   uint64_t seed) {
  check(walks > 0 && length > 0, "walks and their length must be above 0, not {} and {}", walks,
        length);
  const Rng rng = Rng(seed).split(0x77616C6B);  // not the streams that learning draws from
  return {.num_items = walks * num_nodes,
          .vocabulary = num_nodes,
          .tokens = [&walker, num_nodes, length, rng](int64_t item, std::vector<NodeId>& tokens) {
            Rng steps = rng.split(uint64_t(item));
            tokens.resize(size_t(length));
            tokens.resize(walker.walk(NodeId(item % num_nodes), steps, tokens));
          }};
}

Matrix node2vec(const EmbedInput& input, const Node2VecOptions& o) {
  const Walker walker(input.graph, input.arc_weight, {.p = o.p, .q = o.q});
  const Corpus corpus =
      walk_corpus(walker, input.graph.num_nodes(), o.walks, o.length, o.skip_gram.seed);
  return train_skip_gram(corpus, o.skip_gram).input;
}

}  // namespace mgnn
