// The output of the three motifs that do best alone and the three that do worst for 15 nodes: the
// columns of the last layer's output that belong to these motifs.

#include <set>

#include "experiments/comparison.h"
#include "experiments/experiments.h"
#include "experiments/ranking.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/task/config.h"

namespace mgnn {
namespace {

constexpr int kNodes = 15;

// The output of every motif for some nodes, from one training with all motifs.
Stored blocks_of(Config& config, const Dataset& data) {
  const Result result = run_task(config, data);
  Rng rng(0);
  Json nodes = Json::array(), values = Json::array();
  std::set<int64_t> chosen;
  while (int64_t(chosen.size()) < std::min<int64_t>(kNodes, result.representation.rows))
    chosen.insert(int64_t(rng.below(uint64_t(result.representation.rows))));
  for (const int64_t v : chosen) {
    nodes.push_back(data.ids.name(NodeId(v)));
    const auto row = result.representation.row(v);
    values.push_back(std::vector<float>(row.begin(), row.end()));
  }
  return {{{"nodes", nodes}, {"values", values}}, {}};
}

}  // namespace

Section motif_heatmap(Study& study) {
  const std::string data = study.knowledge_graph();
  const std::vector<RankedMotif> ranking = motif_ranking(study);
  const std::vector<std::string> settings = paper_settings(study, data, "mgnn");
  const auto config = config_of(study, data, "mgnn", settings);
  const CellKey key{.kind = "heatmap",
                    .data = data,
                    .method = "mgnn",
                    .settings = {{"config", toml_of(*config)}, {"nodes", kNodes}},
                    .command = command_of(data, "mgnn", settings)};
  const Stored stored = study.cell(key, [&] { return blocks_of(*config, study.data(*config)); });

  HeatMap map{
      .row_axis = "node", .column_axis = "motif and dimension", .rows = stored.value["nodes"]};
  const Json& values = stored.value["values"];
  const size_t width = values[0].size() / kNumMotifs;
  std::vector<int> chosen;
  for (size_t i = 0; i < 3; i++) chosen.push_back(ranking[i].motif);
  for (size_t i = 3; i > 0; i--) chosen.push_back(ranking[ranking.size() - i].motif);
  TableBlock table{"How much of each block is zero",
                   {.columns = {text_column("motif"), text_column("place alone"),
                                score_column("zeros %", "zeros", 1)},
                    .rows = {}}};
  for (size_t m = 0; m < chosen.size(); m++) {
    if (m > 0) map.breaks.push_back(int64_t(m * width));
    for (size_t c = 0; c < width; c++)
      map.columns.push_back(fmt::format("{}.{}", motif_label(chosen[m]), c + 1));
    int zeros = 0;
    for (const Json& row : values)
      for (size_t c = 0; c < width; c++)
        zeros += double(row[size_t(chosen[m] - 1) * width + c]) == 0;
    table.table.rows.push_back({motif_label(chosen[m]), m < 3 ? "best three" : "last three",
                                100. * zeros / double(width * values.size())});
    table.tips.push_back({"", "", stored.file});
  }
  for (const Json& row : values)
    for (const int motif : chosen)
      for (size_t c = 0; c < width; c++) map.value.push_back(row[size_t(motif - 1) * width + c]);
  Section section{"Motif heat map", {}};
  section.blocks.push_back(Paragraph{
      "Fifteen random nodes; what the last layer of MGNN gives for the three motifs that do best "
      "alone and the three that do worst. " +
      size_remark(study) + data_remark({data})});
  section.blocks.push_back(
      Figure{"motif_heatmap", "Six motifs of 15 nodes of " + data_title(data), std::move(map)});
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace mgnn
