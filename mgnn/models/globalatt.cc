// GlobalATT: GraphSAGE with mean aggregation and attention readout,
//
//   r = Σ_v α_v h_v,   α = softmax over the nodes v of a graph of (g · h_v + b)
//
// as in PyG's network for graph kernels (the original uses gated layers): GraphSAGE with other
// defaults.
//
// Li, Tarlow, Brockschmidt, Zemel. "Gated graph sequence neural networks", ICLR 2016.

#include "mgnn/models/methods.h"

namespace mgnn {

std::unique_ptr<Model> make_globalatt() {
  std::unique_ptr<Model> model = make_sage();
  const Options options = model->options();
  for (const char* setting :
       {"aggregate=mean", "layers=[16, 16, 16]", "input_dropout=0", "readout=attention"})
    set_option(options, setting);
  return model;
}

}  // namespace mgnn
