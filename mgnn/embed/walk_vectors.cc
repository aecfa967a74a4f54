#include "mgnn/embed/walk_vectors.h"

#include "mgnn/base/error.h"

namespace mgnn {

Options walk_vector_options(WalkVectorOptions& o) {
  SkipGramOptions& s = o.skip_gram;
  Options options = {
      option("walks", o.walks, "walks per node"),
      option("length", o.length, "nodes per walk"),
      option("window", s.window, "maximum distance between a node and its context"),
      option("share_negatives", s.share_negatives, "same negative samples for all of a window"),
      option("cbow", s.cbow, "CBOW instead of skip-gram"),
      option("hierarchical", s.hierarchical,
             "hierarchical softmax besides negative sampling (cbow only)"),
      option("subsample", s.subsample, "downsample nodes of a higher frequency; 0: off")};
  append(options, skip_gram_options(s));
  return options;
}

Corpus walk_corpus(const Walker& walker, NodeId num_nodes, int64_t walks, int64_t length,
                   uint64_t seed) {
  check(walks > 0 && length > 0, "walks and their length must be above 0, not {} and {}", walks,
        length);
  const Rng rng = Rng(seed).split(0x77616C6B);  // not the streams that training draws from
  return {.num_items = walks * num_nodes,
          .vocabulary = num_nodes,
          .tokens = [&walker, num_nodes, length, rng](int64_t item, std::vector<NodeId>& tokens) {
            Rng steps = rng.split(uint64_t(item));
            tokens.resize(length);
            tokens.resize(walker.walk(NodeId(item % num_nodes), steps, tokens));
          }};
}

Matrix walk_vectors(const Walker& walker, NodeId num_nodes, const WalkVectorOptions& o) {
  const Corpus corpus = walk_corpus(walker, num_nodes, o.walks, o.length, o.skip_gram.seed);
  return train_skip_gram(corpus, o.skip_gram).input;
}

}  // namespace mgnn
