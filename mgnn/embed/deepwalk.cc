// DeepWalk: random walks as sentences. From every node walks to neighbours chosen with equal
// probability (or by weight); nodes that are near each other in many walks get similar vectors, by
// skip-gram. The paper's hierarchical softmax is replaced by negative sampling, as nearly
// everywhere since.
//
// The karateclub variant walks on a graph with self-loops and trains as the package calls gensim:
// CBOW, hierarchical softmax besides negative sampling, frequent nodes downsampled.
//
// Perozzi, Al-Rfou, Skiena. "DeepWalk: Online Learning of Social Representations", KDD 2014.

#include "mgnn/embed/methods.h"
#include "mgnn/embed/walk_vectors.h"

namespace mgnn {
namespace {

struct DeepWalkOptions {
  WalkVectorOptions walks = {};
  bool loops = false;  // a self-loop at every node
};

class DeepWalk : public Embedding {
 public:
  Options options() override {
    Options options = walk_vector_options(o_.walks);
    options.push_back(option("loops", o_.loops, "add a self-loop to every node"));
    return options;
  }

  Matrix run(const EmbedInput& input) const override {
    const Walker walker(input.graph, input.arc_weight, {.loops = o_.loops});
    return walk_vectors(walker, input.graph.num_nodes(), o_.walks);
  }

 private:
  DeepWalkOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_deepwalk() { return std::make_unique<DeepWalk>(); }

}  // namespace mgnn
