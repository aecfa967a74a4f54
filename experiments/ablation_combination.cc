// Concatenation of the motifs' parts against maximum, sum and mean.

#include "experiments/ablation.h"
#include "experiments/experiments.h"

namespace mgnn {

Section ablation_combination(Study& study) {
  return ablation(study, "Combination of motifs", "ablation_combination", three_graphs(study),
                  {{"concat"},
                   {"max", {"model.combine=max"}},
                   {"sum", {"model.combine=sum"}},
                   {"mean", {"model.combine=mean"}}},
                  "How the parts of the motifs are put together; declines are those from concat. ");
}

}  // namespace mgnn
