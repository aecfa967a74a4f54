#include "mgnn/embed/skip_gram.h"

#include <span>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/embed/skip_gram_training.h"

namespace mgnn {
namespace {

void check_options(const Corpus& corpus, const SkipGramOptions& o) {
  check(o.dimension > 0 && o.window > 0 && o.epochs > 0,
        "dimension, window and epochs must be above 0, not {}, {} and {}", o.dimension, o.window,
        o.epochs);
  constexpr int64_t kMaxDimension = 1 << 24;  // kernels count columns in 32 bits
  check(o.dimension <= kMaxDimension, "dimension is {}; use at most {}", o.dimension,
        kMaxDimension);
  check(o.negatives > 0, "negatives must be above 0, not {}", o.negatives);
  check(o.rate > 0 && o.last_rate >= 0 && o.last_rate <= o.rate,
        "invalid learning rates: from {} to {}; they must be positive and must not increase",
        o.rate, o.last_rate);
  check(!o.cbow || !corpus.documents, "documents have no window for cbow");
  check(o.cbow || !o.hierarchical, "hierarchical softmax needs CBOW; add cbow=true");
}

}  // namespace

Options skip_gram_options(SkipGramOptions& o) {
  return {option("dimension", o.dimension, "of a vector"),
          option("negatives", o.negatives, "negative samples per observed token"),
          option("epochs", o.epochs, "passes over the corpus"),
          searched_in_log(option("rate", o.rate, "initial learning rate"), 0.005, 0.1),
          option("last_rate", o.last_rate, "final learning rate"),
          option("unordered", o.unordered, "lock-free updates: faster, but not reproducible"),
          option("seed", o.seed, "random seed")};
}

TokenVectors train_skip_gram(const Corpus& corpus, const SkipGramOptions& options) {
  check_options(corpus, options);
  SkipGramTraining training(corpus, options);
  if (options.cbow)
    train_cbow(training);
  else if (options.unordered)
    train_unordered(training);
  else
    train_in_order(training);
  return training.vectors();
}

Matrix infer_documents(const Corpus& corpus, const TokenVectors& trained,
                       const SkipGramOptions& options) {
  check_options(corpus, options);
  check(trained.output.cols == options.dimension && trained.output.rows == corpus.vocabulary,
        "the vectors were trained for other tokens or another dimension");
  const Rng rng(options.seed);
  const Array<AliasSlot> negatives = negative_slots(trained.count);
  AlignedRows input(corpus.num_items, options.dimension);
  AlignedRows output(corpus.vocabulary, options.dimension);
  input.fill_randomly(rng.split(0));
  output.copy_from(trained.output);
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 4) if (corpus.num_items > 4 && num_threads() > 1)
  for (int64_t number = 0; number < corpus.num_items; number++)
    error.run([&] {
      Rng draws = rng.split(1 + uint64_t(number));
      std::vector<NodeId> tokens;
      corpus.tokens(number, tokens);
      std::vector<float> gradient(skip_gram_gradients_size(1, 1 + options.negatives));
      std::vector<float*> outputs;
      float* document = input[number];
      for (int64_t epoch = 0; epoch < options.epochs; epoch++) {
        check_interrupted();
        const double rate = options.rate - (options.rate - options.last_rate) * double(epoch) /
                                               double(options.epochs);
        draws.shuffle(std::span(tokens));
        for (const NodeId token : tokens) {
          outputs = {output[token]};
          for (int i = 0; i < options.negatives; i++)
            if (const NodeId negative = draw(negatives, draws); negative != token)
              outputs.push_back(output[negative]);
          const SkipGramStep step = {.input = &document,
                                     .num_inputs = 1,
                                     .output = outputs.data(),
                                     .num_outputs = int(outputs.size()),
                                     .columns = input.columns()};
          MGNN_DISPATCH(skip_gram_gradients, step, float(rate), gradient.data());
          MGNN_DISPATCH(skip_gram_update, step, gradient.data(), 0, step.columns,
                        SkipGramUpdate::inputs_only);
        }
      }
    });
  error.rethrow();
  return input.matrix();
}

}  // namespace mgnn
