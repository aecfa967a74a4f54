// node2vec: skip-gram with negative sampling on second-order walks. From v, reached from t, a walk
// goes to x with probability proportional to the weight of v -> x times 1/p if x = t, 1 if x -> t
// is an arc, and 1/q otherwise (graph/walks.h).
//
// Grover, Leskovec. "node2vec: Scalable Feature Learning for Networks", KDD 2016.

#include "mgnn/embed/methods.h"
#include "mgnn/embed/walk_vectors.h"

namespace mgnn {
namespace {

struct Node2VecOptions {
  double p = 1;    // return parameter
  double q = 0.5;  // in-out parameter
  WalkVectorOptions walks = {};
};

class Node2Vec : public Embedding {
 public:
  Options options() override {
    Options options = {
        searched_in_log(option("p", o_.p, "return parameter; small: walks turn back often"), 0.25,
                        4),
        searched_in_log(option("q", o_.q, "in-out parameter; small: walks go far"), 0.25, 4)};
    append(options, walk_vector_options(o_.walks));
    return options;
  }

  Matrix run(const EmbedInput& input) const override {
    const Walker walker(input.graph, input.arc_weight, {.p = o_.p, .q = o_.q});
    return walk_vectors(walker, input.graph.num_nodes(), o_.walks);
  }

 private:
  Node2VecOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_node2vec() { return std::make_unique<Node2Vec>(); }

}  // namespace mgnn
