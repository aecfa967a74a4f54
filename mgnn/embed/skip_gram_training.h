// State and sampling that the training loops of skip-gram and CBOW share.
#pragma once

#include <atomic>

#include "mgnn/base/alias.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/skip_gram.h"
#include "mgnn/embed/skip_gram_kernel.h"

namespace mgnn {

// A matrix whose rows begin at cache lines, padded with zeros.
class AlignedRows {
 public:
  AlignedRows(int64_t rows, int64_t dimension)
      : rows_(rows),
        dimension_(dimension),
        columns_(int((dimension + 15) / 16 * 16)),
        data_(rows * columns_, 0) {}
  float* operator[](int64_t row) { return data_.data() + row * columns_; }
  int columns() const { return columns_; }

  void fill_randomly(Rng rng);
  void copy_from(const Matrix& matrix);
  Matrix matrix();

 private:
  int64_t rows_, dimension_;
  int columns_;
  Array<float> data_;
};

// An item of the corpus with its random stream.
struct SkipGramItem {
  std::vector<NodeId> tokens;
  NodeId document = -1;
  Rng rng = Rng(0);
};

// A target token with its inputs and outputs (the target, then negatives): one piece if all inputs
// share the negatives, else one for each input.
struct SkipGramTarget {
  struct Piece {
    int input, num_inputs, output, num_outputs, gradient;  // offsets and sizes in the arrays below
  };
  std::vector<Piece> pieces;
  std::vector<float*> input, output;
  std::vector<float> gradient;

  void clear();
  // Inputs from `first` on, with the outputs after those of earlier pieces.
  void add_piece(int first, int num_inputs);
  void compute_gradients(int columns, float rate);
  void update(int columns, int first_column, int last_column) const;

 private:
  SkipGramStep step(const Piece& piece, int columns) const;
};

class SkipGramTraining {
 public:
  SkipGramTraining(const Corpus& corpus, const SkipGramOptions& options);

  // Shuffles the items and gives each a new random stream.
  void begin_epoch(int64_t epoch);
  // Number `i` of the shuffled items, its frequent tokens downsampled.
  void load_item(int64_t i, SkipGramItem& item) const;
  // The target at `place` with random window and negatives; without pieces if it has no context.
  void draw_target(SkipGramItem& item, size_t place, SkipGramTarget& target);
  float learning_rate() const;  // after the tokens of `advance`
  void advance(int64_t tokens);
  int64_t num_done() const { return done_.load(std::memory_order_relaxed); }  // tokens
  TokenVectors vectors();

  const Corpus& corpus;
  const SkipGramOptions& options;
  const std::vector<int64_t> count;  // (vocabulary) of the tokens in the corpus
  const int64_t num_tokens;
  const int64_t num_inputs;  // rows of `input`
  AlignedRows input, output;

 private:
  void draw_inputs(SkipGramItem& item, size_t place, SkipGramTarget& target);
  void draw_outputs(SkipGramItem& item, size_t place, SkipGramTarget& target);

  Rng rng_, items_ = Rng(0);
  Array<AliasSlot> negatives_;
  std::vector<float> keep_;  // (vocabulary) probability to keep a token; empty: 1
  std::vector<int64_t> order_;
  std::atomic<int64_t> done_ = 0;
  Progress progress_;
};

// All epochs of `training.options`; each in a file of its own.
void train_in_order(SkipGramTraining& training);
void train_unordered(SkipGramTraining& training);
void train_cbow(SkipGramTraining& training);

// The distribution of negative samples.
Array<AliasSlot> negative_slots(const std::vector<int64_t>& count);

}  // namespace mgnn
