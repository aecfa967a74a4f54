// Weights, time of an epoch, of a training and of inference, accuracy; each training by itself.

#include <array>

#include "experiments/comparison.h"
#include "experiments/experiments.h"

namespace mgnn {

Section efficiency(Study& study) {
  static constexpr std::array kMethods = {
      PaperMethod{"GAT", "gat"},     PaperMethod{"MixHop", "mixhop"},
      PaperMethod{"BGNN", "bgnn"},   PaperMethod{"EGAT", "egat"},
      PaperMethod{"ESAGE", "esage"}, PaperMethod{"EGAT+SAGE", "egat+sage"},
      PaperMethod{"MGNN", "mgnn"}};
  const std::string data = study.sized("roles", "pubmed", "pubmed");
  TableBlock block{"Sizes and times on " + data_title(data),
                   {.columns = {text_column("method"),
                                {"weights", Align::right},
                                score_column("paper", "paper_weights", 0),
                                score_column("ms per epoch", "ms_per_epoch", 1),
                                score_column("paper", "paper_ms_per_epoch", 1),
                                score_column("minutes", "minutes", 2),
                                score_column("paper", "paper_minutes", 2),
                                score_column("inference ms", "ms_inference", 2),
                                score_column("paper", "paper_ms_inference", 2),
                                score_column("accuracy"),
                                score_column("paper", "paper_accuracy")},
                    .rows = {}}};
  for (const PaperMethod& method : kMethods) {
    if (!is_chosen(study, method)) continue;
    std::vector<std::string> settings = paper_settings(study, data, method.ours);
    if (study.size() == Size::quick && study.options().epochs == 0)
      settings.push_back("train.epochs=10");  // times are what counts
    const CellScores ours = train_cells(study, data, method.ours, settings, 1, Timing::alone);
    const auto paper = [&](const char* column, double factor = 1) {
      const auto number = paper_number("efficiency", method.name, column);
      return number && same_data(data) ? Cell(factor * number->value) : Cell();
    };
    block.table.rows.push_back({method.name, ours.parameters, paper("parameters"),
                                1e3 * ours.seconds_per_epoch, paper("seconds_per_epoch", 1e3),
                                ours.seconds_total / 60, paper("minutes"),
                                1e3 * ours.seconds_inference, paper("ms_inference"),
                                ours.score().mean, paper("accuracy")});
    std::vector<std::string> tips(11);
    for (const size_t c : {1, 3, 5, 7, 9}) tips[c] = ours.from;
    block.tips.push_back(std::move(tips));
  }
  Section section{"Model size and efficiency", {}};
  section.blocks.push_back(Paragraph{
      "Ours on this machine's processor, the paper's on its GPU. Each network is trained by "
      "itself. "
      "The paper's counts of weights do not belong to the networks it describes (for instance "
      "24,144 "
      "is one layer of MixHop without biases where the text has two), so ours are not fitted to "
      "them. " +
      std::string(study.size() == Size::quick && study.options().epochs == 0
                      ? "Size quick: 10 epochs, so that minutes and accuracy say little. "
                      : "") +
      data_remark({data})});
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
