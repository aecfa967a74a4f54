// R-GCN: relational graph convolutional network. A weight for each relation of the data, along the
// arcs and against them, and one for the node itself:
//
//   h'_i = relu(Σ_r mean_{j in N_r(i)} W_r h_j + W_root h_i + b)
//
// With `bases` B > 0 the weights share basis matrices, W_r = Σ_b a_rb V_b, so that rare relations
// do not overfit. Where the data have no relations, all arcs are one relation, and it is GraphSAGE
// with means over in- and out-neighbours. Weights of arcs are not used: they belong to arcs of the
// graph, of which a pair of nodes has one, whatever the number of its relations.
//
// Schlichtkrull et al. "Modeling relational data with graph convolutional networks", ESWC 2018.

#include "mgnn/models/methods.h"
#include "mgnn/models/relational.h"

namespace mgnn {
namespace {

struct Layer {
  RelationalWeight weight;
  Parameter bias;  // (1, d)
};

class Rgcn : public Model {
 public:
  Options options() override {
    Options options = stack_options(stack_);
    options.push_back(option("bases", bases_,
                             "basis matrices that the weights of relations share; 0: a weight of "
                             "its own for each relation"));
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.relational = relational_operator(view)};
  }
  bool uses_relations() const override { return true; }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      Layer layer{make_relational_weight(name, in, width, shape.relations, bases_, weights, rng),
                  {}};
      layer.bias = weights.add(name + ".bias", 1, width, {.kind = Init::zeros}, rng);
      return layer;
    };
    head_ = build_stack(shape, stack_, weights, rng, layers_, make);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, stack_, layers_, head_, [&](const Layer& layer, const Input<T>& h) {
      const Var<T> hw = step.reuse_across_passes(
          h.deterministic(), [&] { return times(h, relational_weight(step, layer.weight)); });
      return relu(add_bias(relational_sum(step, layer.weight, hw), step.weight(layer.bias)));
    });
  }

 private:
  StackOptions stack_;
  int64_t bases_ = 0;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_rgcn() { return make_model<Rgcn>(); }

}  // namespace mgnn
