// Every thread takes items and updates as it goes, without locks. Reads and writes race by intent; a
// lost update is noise among noise.
//
// Recht, Ré, Wright, Niu. "Hogwild!: A Lock-Free Approach to Parallelizing Stochastic Gradient
// Descent", NeurIPS 2011.

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/embed/skip_gram_training.h"

namespace mgnn {
namespace {

void run_epoch(SkipGramTraining& training) {
  const int columns = training.input.columns();
  ParallelError error;
#pragma omp parallel if (num_threads() > 1)
  {
    SkipGramItem item;
    SkipGramTarget target;
#pragma omp for schedule(dynamic, 16)
    for (int64_t i = 0; i < training.corpus.num_items; i++)
      error.run([&] {
        check_interrupted();
        training.load_item(i, item);
        const float rate = training.learning_rate();
        for (size_t place = 0; place < item.tokens.size(); place++) {
          training.draw_target(item, place, target);
          target.compute_gradients(columns, rate);
          target.update(columns, 0, columns);
        }
        training.advance(int64_t(item.tokens.size()));
      });
  }
  error.rethrow();
}

}  // namespace

void train_unordered(SkipGramTraining& training) {
  for (int64_t epoch = 0; epoch < training.options.epochs; epoch++) {
    training.begin_epoch(epoch);
    run_epoch(training);
  }
}

}  // namespace mgnn
