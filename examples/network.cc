// A network of one's own: SGC, which is S^hops X W + b with S the normalised adjacency matrix and no
// activation in between (Wu et al., "Simplifying graph convolutional networks", ICML 2019). Once it
// is in the table, everything that takes the name of a network takes it: settings, training, model
// files, predictions.
//   network [DATA]     a dataset's name or a graph file with labels (default: roles)
#include <mgnn/mgnn.h>

#include <cstdio>

namespace {

using namespace mgnn;

class Sgc : public Model {
 public:
  Options options() override {
    return {option("hops", hops_, "multiplications by the adjacency matrix"),
            option("dropout", head_options_.dropout, "on the input of the linear layer")};
  }

  Operators operators(const GraphView& view) const override {
    return {.adjacency = message_operator(view, MessageNorm::sym_in, SelfLoops::added)};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_probability("dropout", head_options_.dropout);
    input_ = make_linear("input", shape.in, kWidth, weights, rng, {.bias = false});
    head_ = make_head(shape, kWidth, head_options_, weights, rng);
  }

  // One formula for both scalars: float to train, double to check gradients.
  template <class T>
  Output<T> run(Step<T>& step) const {
    Var<T> h = times_weight(step, features_of(step), input_.weight);
    for (int64_t hop = 0; hop < hops_; hop++) h = spmm(step.batch.operators.adjacency, h);
    return apply(step, head_, h);
  }

 private:
  static constexpr int64_t kWidth = 32;
  int64_t hops_ = 2;
  HeadOptions head_options_;
  Linear input_;
  Head head_;
};

MeanStd accuracy(const std::string& network, const std::string& data) {
  const std::unique_ptr<Config> config = resolve_config({.sets = {{"model.name", network},
                                                                  {"data.source", data},
                                                                  {"train.epochs", int64_t(200)},
                                                                  {"seeds", int64_t(3)}}});
  const Dataset dataset = load_for_training(*config);
  return run_task(*config, dataset).test();
}

}  // namespace

int main(int argc, char** argv) try {
  add_method({"sgc", "simplified graph convolution", "Wu et al., ICML 2019",
              [] { return make_model<Sgc>(); }});
  for (const char* network : {"sgc", "gcn", "mgnn"}) {
    const MeanStd score = accuracy(network, argc > 1 ? argv[1] : "roles");
    std::printf("%-5s accuracy %.3f ± %.3f\n", network, score.mean, score.std);
  }
} catch (const Error& error) {
  std::fprintf(stderr, "network: %s\n", error.what());
  return int(error.kind());
}
