// Skip-gram with negative sampling: vectors from the contexts of tokens.
#pragma once

#include <functional>
#include <vector>

#include "mgnn/base/options.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

struct SkipGramOptions {
  int64_t dimension = 128;
  int64_t window = 10;    // maximum distance to either side; each time uniform from 1 to it
  int64_t negatives = 5;  // negative samples per observed token, drawn by count^0.75
  int64_t epochs = 1;     // passes over the corpus
  double rate = 0.025;    // initial learning rate, decaying linearly to
  double last_rate = 1e-4;
  double subsample = 0;         // downsample tokens of a higher frequency than about this; 0: off
  bool share_negatives = true;  // the same for all pairs of a window: as good, and faster
  bool cbow = false;            // the mean of the window predicts its centre; one thread
  bool hierarchical = false;    // with cbow: hierarchical softmax besides negative sampling
  bool unordered = false;       // lock-free updates (Hogwild): faster, but the result depends on
                                // chance and on the number of threads
  uint64_t seed = 0;
};

// Those that corpora of sequences and of documents share.
Options skip_gram_options(SkipGramOptions& o);

// Training data: items, each a sequence of tokens. `tokens` is called by several threads and more
// than once for an item, and must give the same each time.
struct Corpus {
  int64_t num_items = 0;
  NodeId vocabulary = 0;  // tokens are 0..vocabulary-1
  std::function<void(int64_t item, std::vector<NodeId>& tokens)> tokens;  // fills an empty vector
  bool documents = false;  // every item has a vector of its own, the context of all its tokens
};

struct TokenVectors {
  Matrix input;                // (vocabulary or, for documents, items; dimension)
  Matrix output;               // (vocabulary, dimension) of the tokens as targets
  std::vector<int64_t> count;  // (vocabulary) of the tokens in the corpus
};

// Mikolov et al. 2013; for documents PV-DBOW (Le, Mikolov 2014). For each target token the inputs of
// its window (or the document) and the outputs of the target and of negative samples take one step
// of stochastic gradient descent on
//
//   -log s(input . target) - Σ_negatives log s(-input . negative),   s the sigmoid.
//
// The same seed gives the same vectors for any number of threads, unless `unordered`. Tokens that
// never occur keep their small random vectors. Shows progress; throws Error (usage) on invalid
// options, and (interrupted).
TokenVectors train_skip_gram(const Corpus& corpus, const SkipGramOptions& options);

// Vectors of new documents, with the output vectors of `trained` fixed. Parallel over documents.
Matrix infer_documents(const Corpus& corpus, const TokenVectors& trained,
                       const SkipGramOptions& options);

}  // namespace mgnn
