// GCN: graph convolutional network. With M the adjacency matrix, a self loop added at every node,
//
//   H' = relu(M̂ H W + b),   M̂ = D^-½ M D^-½,   D the in-degrees, self loops counted
//
// Kipf, Welling. "Semi-supervised classification with graph convolutional networks", ICLR 2017.

#include "mgnn/models/convolution.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

class Gcn : public Convolution {
 public:
  Options options() override {
    Options options = stack_options(stack_);
    append(options, {choice("norm", norm_, "normalisation of the adjacency matrix"),
                     option("loops", loops_, "add self loops")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.adjacency =
                message_operator(view, norm_, loops_ ? SelfLoops::added : SelfLoops::none)};
  }
  ArcWeights arc_weights() const override { return weights_for(norm_); }

 private:
  MessageNorm norm_ = MessageNorm::sym_in;
  bool loops_ = true;
};

}  // namespace

std::unique_ptr<Model> make_gcn() { return make_model<Gcn>(); }

}  // namespace mgnn
