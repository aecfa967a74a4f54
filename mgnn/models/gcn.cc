// GCN: graph convolutional network. With M the messages along arcs and a loop at every node,
//
//   H' = relu(M̂ H W + b),   M̂ = D^-½ M D^-½,   D the degrees, loops counted
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
    Options all = stack_options(stack_);
    append(all, {choice("norm", norm_, message_norm_names(), "normalisation of messages"),
                 option("loops", loops_, "every node also hears itself")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.fixed = {message_operator(graph, norm_, loops_)}};
  }

 private:
  MessageNorm norm_ = MessageNorm::sym_in;
  bool loops_ = true;
};

}  // namespace

std::unique_ptr<Model> make_gcn() { return std::make_unique<Gcn>(); }

}  // namespace mgnn
