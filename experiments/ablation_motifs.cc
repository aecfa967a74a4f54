// What motifs add: MGNN against its base layer, on all seven datasets.

#include "experiments/ablation.h"
#include "experiments/experiments.h"

namespace mgnn {

Section ablation_motifs(Study& study) {
  const auto all_data = study.sized<std::vector<std::string>>(
      {"roles", "triads"}, {"cora", "citeseer", "pubmed", study.knowledge_graph(), "mutag"},
      {"cora", "citeseer", "pubmed", study.knowledge_graph(), "mutag", "enzymes", "aids"});
  return ablation(
      study, "Ablation of motifs", "ablation_motifs", all_data,
      {{"MGNN"}, {"without motifs", {"model.motifs=none"}}},
      "Without motifs a layer of MGNN is its base layer, a GCN with a weight of its own "
      "for the node. The paper prints these as bars without numbers. ");
}

}  // namespace mgnn
