// Skip-gram with results that do not depend on the number of threads.
//
// Items are taken in groups, and of each group the first tokens, then the second, and so on. A batch
// of such targets is done in two phases. First the gradients, by all threads, one target each, from
// the vectors as they were before the batch. Then the updates in the order of the items, by all
// threads, each in columns of its own: every sum has a fixed order. Targets of one batch are from
// different items, so that they seldom share a vector; groups are small where the vocabulary is.

#include <omp.h>

#include <algorithm>
#include <span>

#include "mgnn/base/clock.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/embed/skip_gram_training.h"

namespace mgnn {
namespace {

// Threads synchronise at every batch, which takes longer than it helps if the cores are busy
// otherwise. The result is the same with and without them, so the first two groups of every period
// measure both.
class ThreadChoice {
 public:
  explicit ThreadChoice(bool worth_threads) : worth_threads_(worth_threads) {}

  // Runs `learn(parallel)`, which returns the number of tokens it has learned from.
  void run(auto learn) {
    const int64_t turn = group_++ % kPeriod;
    const bool parallel =
        worth_threads_ && (turn < 2 ? turn == 1 : seconds_[true] < seconds_[false]);
    const Stopwatch watch;
    const int64_t tokens = learn(parallel);
    if (turn < 2) seconds_[parallel] = watch.seconds() / double(std::max<int64_t>(1, tokens));
  }

 private:
  static constexpr int64_t kPeriod = 64;
  bool worth_threads_;
  int64_t group_ = 0;
  double seconds_[2] = {0, 0};  // per token when last measured: one thread, all threads
};

class OrderedTrainer {
 public:
  explicit OrderedTrainer(SkipGramTraining& training)
      : training_(training),
        items_(
            std::clamp<int64_t>(training.num_inputs / 8, 1, 512)),  // a small part of all vectors
        targets_(items_.size()),
        threads_(worth_threads(nanoseconds())) {}

  void run_epoch() {
    const int64_t num_items = training_.corpus.num_items, size = std::ssize(items_);
    for (int64_t first = 0; first < num_items; first += size) {
      check_interrupted();
      const int64_t count = std::min(size, num_items - first);
      threads_.run([&](bool parallel) { return learn_group(first, count, parallel); });
    }
  }

 private:
  // Of a batch, about.
  int64_t nanoseconds() const {
    const SkipGramOptions& o = training_.options;
    const int64_t num_inputs = training_.corpus.documents ? 1 : o.window + 1;
    return std::ssize(items_) * num_inputs * (1 + o.negatives) * o.dimension / 16;
  }

  int64_t learn_group(int64_t first, int64_t count, bool parallel) {
    const float rate = training_.learning_rate();
    const int columns = training_.input.columns();
    size_t longest = 0;
    int64_t tokens = 0;
    ParallelError error;
#pragma omp parallel if (parallel)
    {
#pragma omp for schedule(dynamic, 4) reduction(max : longest) reduction(+ : tokens)
      for (int64_t i = 0; i < count; i++)
        error.run([&] {
          training_.load_item(first + i, items_[i]);
          longest = std::max(longest, items_[i].tokens.size());
          tokens += int64_t(items_[i].tokens.size());
        });
      const int parts = std::min(omp_get_num_threads(), columns / 16);
      for (size_t place = 0; place < longest; place++) {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < count; i++)
          error.run([&] {
            training_.draw_target(items_[i], place, targets_[i]);
            targets_[i].compute_gradients(columns, rate);
          });
#pragma omp for schedule(static, 1)
        for (int part = 0; part < parts; part++)
          error.run([&] {  // not if a target was drawn by half
            for (int64_t i = 0; i < count; i++)
              targets_[i].update(columns, int(split_point(columns / 16, parts, part)) * 16,
                                 int(split_point(columns / 16, parts, part + 1)) * 16);
          });
      }
    }
    error.rethrow();
    training_.advance(tokens);
    return tokens;
  }

  SkipGramTraining& training_;
  std::vector<SkipGramItem> items_;
  std::vector<SkipGramTarget> targets_;
  ThreadChoice threads_;
};

}  // namespace

void train_in_order(SkipGramTraining& training) {
  OrderedTrainer trainer(training);
  for (int64_t epoch = 0; epoch < training.options.epochs; epoch++) {
    training.begin_epoch(epoch);
    trainer.run_epoch();
  }
}

}  // namespace mgnn
