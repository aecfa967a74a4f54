// Skip-gram with negative sampling: vectors that tell what stands near what.
#pragma once

#include <functional>
#include <vector>

#include "mgnn/tensor/matrix.h"

namespace mgnn {

struct SkipGramOptions {
  int64_t dimension = 128;
  int64_t window = 10;    // at most so many tokens to either side; each time a number from 1 to it
  int64_t negatives = 5;  // noise tokens for each that was seen, drawn by count^0.75
  int64_t epochs = 1;
  double rate = 0.025, last_rate = 1e-4;  // learning rate, falling linearly
  double subsample = 0;                   // tokens of a larger share than about this are thinned
  bool share_negatives = true;  // the same noise for all pairs of one window: as good, and faster
  bool cbow = false;            // the mean of the window against its centre; one thread
  bool hierarchical = false;    // with cbow: a hierarchical softmax besides the noise
  bool unordered = false;       // threads update without waiting for each other: faster, but the
                                // result depends on chance and on the number of threads
  uint64_t seed = 0;
};

// What to learn from: items, each a sequence of tokens. `tokens` is called by several threads and
// more than once for an item, and must give the same each time.
struct Corpus {
  int64_t num_items = 0;
  NodeId vocabulary = 0;  // tokens are 0..vocabulary-1
  std::function<void(int64_t item, std::vector<NodeId>& tokens)> tokens;  // fills an empty vector
  bool documents = false;  // an item is one thing with a vector of its own, next to all its tokens
};

struct TokenVectors {
  Matrix input;                // (vocabulary or, for documents, items; dimension)
  Matrix output;               // (vocabulary, dimension) of the tokens as targets
  std::vector<int64_t> count;  // (vocabulary) of the tokens in the corpus
};

// Mikolov et al. 2013; for documents PV-DBOW (Le, Mikolov 2014). For each target token the noise
// and the window's inputs (or the document) take one step of stochastic gradient descent on
//
//   -log s(input . target) - Σ_noise log s(-input . noise),   s the sigmoid.
//
// The same seed gives the same vectors for any number of threads, unless `unordered`. Tokens that
// never occur keep their small random vectors. Shows progress; throws Error (usage) on options that
// cannot be, and (interrupted).
TokenVectors train_skip_gram(const Corpus& corpus, const SkipGramOptions& options);

// Vectors of new documents, for the tokens of `trained` as they are. Parallel over documents.
Matrix infer_documents(const Corpus& corpus, const TokenVectors& trained,
                       const SkipGramOptions& options);

}  // namespace mgnn
