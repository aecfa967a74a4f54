// What redundancy minimisation adds.

#include "experiments/ablation.h"
#include "experiments/experiments.h"

namespace mgnn {

Section ablation_delta(Study& study) {
  return ablation(study, "Ablation of redundancy minimisation", "ablation_delta",
                  three_graphs(study), {{"MGNN"}, {"without Δ", {"model.delta=false"}}},
                  "Without Δ the parts of the motifs go through relu as they are. The paper prints "
                  "these as bars without numbers. ");
}

}  // namespace mgnn
