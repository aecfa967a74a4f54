// Which genes are associated with which diseases: AUROC of every network with a decoder by inner
// products, on associations held out.

#include <array>

#include "experiments/experiments.h"
#include "experiments/links.h"

namespace mgnn {

// No code for links was released; all networks have the settings of graph autoencoders.
std::vector<std::string> link_settings(const Study& study) {
  const bool small = study.size() == Size::smallest;
  return {"task=link",
          "profile=gae",
          small ? "link.relation=associates" : "link.relation=DaG",
          "data.features=degree-profile",
          "train.direction=in",
          fmt::format("train.epochs={}", study.sized(8, 40, 1000)),
          "train.patience=0"};
}

std::string link_data_name(const Study& study) {
  return study.size() == Size::smallest ? "toykg" : study.knowledge_graph();
}

std::string link_remark(const Study& study) {
  return "Edges asked about: " +
         std::string(study.size() == Size::smallest ? "associates, of the embedded graph toykg"
                                                    : "disease-gene associations") +
         "; 85 / 5 / 10% of them to train, validate, test, as many negatives of the same node "
         "types. "
         "The encoder, its motif matrices and the degree features see edges of training only. No "
         "code "
         "for links was released with the paper: networks have the settings of graph "
         "autoencoders. ";
}

Section link_prediction_table(Study& study) {
  static constexpr std::array kMethods = {
      PaperMethod{"GCN", "gcn"},           PaperMethod{"GraphSAGE", "sage"},
      PaperMethod{"GAT", "gat"},           PaperMethod{"GIN", "gin"},
      PaperMethod{"MotifNet", "motifnet"}, PaperMethod{"MixHop", "mixhop"},
      PaperMethod{"CADNet", "cadnet"},     PaperMethod{"MGNN", "mgnn"}};
  const std::string data = link_data_name(study);
  std::vector<Compared> rows;
  Bars bars{.axis = "test AUROC", .groups = {}, .series = {{"AUROC", {}, {}, {}}}};
  for (const PaperMethod& method : kMethods) {
    if (!is_chosen(study, method)) continue;
    const CellScores ours =
        train_cells(study, data, method.ours, link_settings(study), study.seeds(1, 2, 5));
    rows.push_back({method.name, ours, {}});
    bars.groups.push_back(method.name);
    bars.series[0].value.emplace_back(ours.score().mean);
    bars.series[0].error.push_back(ours.score().std);
  }
  Section section{"Link prediction", {}};
  section.blocks.push_back(Paragraph{link_remark(study) +
                                     "Five degree statistics as features, as in the paper, which "
                                     "prints its result as bars without "
                                     "numbers (MGNN close to 1). Setting paper. " +
                                     size_remark(study) + data_remark({data})});
  section.blocks.push_back(comparison_table("AUROC on " + data_title(data), "method", rows, data));
  section.blocks.push_back(
      Figure{"link_prediction", "AUROC on " + data_title(data), std::move(bars)});
  return section;
}

}  // namespace mgnn
