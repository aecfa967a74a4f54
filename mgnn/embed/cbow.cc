// CBOW: the mean of the window's inputs is the one input that predicts the centre, and its update is
// added to every input of the window. With hierarchical softmax the inner nodes on the target's path
// through a Huffman tree are outputs, too: a turn to the first child is a positive example, a turn to
// the second a negative one. One thread.
//
// Mikolov, Chen, Corrado, Dean. "Efficient Estimation of Word Representations in Vector Space", 2013.

#include <algorithm>
#include <queue>

#include "mgnn/base/interrupt.h"
#include "mgnn/embed/skip_gram_training.h"

namespace mgnn {
namespace {

struct Turn {
  NodeId node;  // an inner node of the tree, 0..vocabulary-2, the root last
  bool second;  // child
};

// (vocabulary) from each token up to the root.
std::vector<std::vector<Turn>> huffman_paths(const std::vector<int64_t>& count) {
  const size_t tokens = count.size();
  std::vector<std::vector<Turn>> paths(tokens);
  if (tokens < 2) return paths;
  using Subtree = std::pair<int64_t, size_t>;  // occurrences; a token, or `tokens` + an inner node
  std::priority_queue<Subtree, std::vector<Subtree>, std::greater<>> roots;
  for (size_t t = 0; t < tokens; t++) roots.emplace(count[t], t);
  std::vector<Turn> parent(2 * tokens - 1);
  for (size_t inner = 0; inner + 1 < tokens; inner++) {
    int64_t sum = 0;
    for (const bool second : {false, true}) {
      parent[roots.top().second] = {NodeId(inner), second};
      sum += roots.top().first;
      roots.pop();
    }
    roots.emplace(sum, tokens + inner);
  }
  for (size_t t = 0; t < tokens; t++)
    for (size_t at = t; at + 2 < 2 * tokens; at = tokens + parent[at].node)
      paths[t].push_back(parent[at]);
  return paths;
}

class CbowTrainer {
 public:
  explicit CbowTrainer(SkipGramTraining& training)
      : training_(training),
        mean_(2, training.options.dimension),
        inner_(training.options.hierarchical ? training.corpus.vocabulary : 0,
               training.options.dimension) {
    if (training.options.hierarchical) paths_ = huffman_paths(training.count);
  }

  void run_epoch() {
    SkipGramItem item;
    for (int64_t i = 0; i < training_.corpus.num_items; i++) {
      check_interrupted();
      training_.load_item(i, item);
      const float rate = training_.learning_rate();
      for (size_t place = 0; place < item.tokens.size(); place++) {
        training_.draw_target(item, place, target_);
        if (target_.pieces.empty()) continue;
        if (!paths_.empty()) add_path(item.tokens[place], rate);
        learn(rate);
      }
      training_.advance(int64_t(item.tokens.size()));
    }
  }

 private:
  // Outputs after the negatives.
  void add_path(NodeId observed, float rate) {
    path_rate_.clear();
    for (const Turn& turn : paths_[observed]) {
      target_.output.push_back(inner_[turn.node]);
      path_rate_.push_back(turn.second ? 0 : rate);
    }
    target_.gradient.resize(skip_gram_gradients_size(1, int64_t(target_.output.size())));
  }

  void learn(float rate) {
    const int columns = training_.input.columns();
    float* const before = mean_[0];
    float* after = mean_[1];
    std::fill_n(before, columns, 0.f);
    for (const float* x : target_.input)
      for (int c = 0; c < columns; c++) before[c] += x[c] / float(target_.input.size());
    std::copy_n(before, columns, after);
    const SkipGramStep step = {.input = &after,
                               .num_inputs = 1,
                               .output = target_.output.data(),
                               .num_outputs = int(target_.output.size()),
                               .columns = columns};
    MGNN_DISPATCH(skip_gram_gradients, step, rate, target_.gradient.data());
    const size_t path = target_.output.size() - path_rate_.size();
    for (size_t k = 0; k < path_rate_.size(); k++) target_.gradient[path + k] += path_rate_[k];
    MGNN_DISPATCH(skip_gram_update, step, target_.gradient.data(), 0, columns,
                  SkipGramUpdate::inputs_and_outputs);
    for (float* x : target_.input)
      for (int c = 0; c < columns; c++) x[c] += after[c] - before[c];
  }

  SkipGramTraining& training_;
  SkipGramTarget target_;
  AlignedRows mean_;   // (2, dimension) before and after an update
  AlignedRows inner_;  // (vocabulary, dimension) of the Huffman tree
  std::vector<std::vector<Turn>> paths_;
  std::vector<float> path_rate_;  // of the target's path: the learning rate where positive, else 0
};

}  // namespace

void train_cbow(SkipGramTraining& training) {
  CbowTrainer trainer(training);
  for (int64_t epoch = 0; epoch < training.options.epochs; epoch++) {
    training.begin_epoch(epoch);
    trainer.run_epoch();
  }
}

}  // namespace mgnn
