// The table of datasets: sizes as our readers find them. The paper counts an undirected edge once,
// and arcs of Chem2Bio2RDF one by one; Cora and CiteSeer before loops and repetitions are dropped.

#include <cmath>

#include "experiments/comparison.h"
#include "experiments/experiments.h"

namespace mgnn {
namespace {

Stored sizes_of(const Dataset& data) {
  int64_t pairs = 0;  // joined in either direction
  for (NodeId u = 0; u < data.graph.num_nodes(); u++)
    for (const NodeId v : data.graph.out.row(u)) pairs += u < v || !data.graph.has_arc(v, u);
  const auto graphs = double(data.num_graphs());
  return {{{"graphs", data.num_graphs()},
           {"nodes", double(data.graph.num_nodes()) / graphs},
           {"edges", double(pairs) / graphs},
           {"arcs", double(data.graph.num_arcs()) / graphs},
           {"features", num_features(data.features)},
           {"classes", data.num_classes()}},
          {}};
}

// A count, or a mean over graphs.
Cell count_cell(double value) {
  return value == std::floor(value) ? Cell(int64_t(value)) : Cell(value);
}

}  // namespace

Section datasets(Study& study) {
  std::vector<std::string> names = {"roles", "triads"};
  if (study.size() != Size::smallest)
    names = {"cora", "citeseer", "pubmed", study.knowledge_graph(), "mutag", "enzymes", "aids"};
  TableBlock block{"Sizes, ours and the paper's",
                   {.columns = {text_column("dataset")}, .rows = {}}};
  const std::vector<std::string> counts = {"graphs", "nodes", "edges", "features", "classes"};
  for (const std::string& count : counts) {
    const int digits = count == "nodes" || count == "edges" ? 2 : 0;
    block.table.columns.push_back(score_column(count, "", digits));
    block.table.columns.push_back(score_column("paper", "paper_" + count, digits));
  }
  for (const std::string& name : names) {
    const CellKey key{.kind = "sizes",
                      .data = name,
                      .method = "-",
                      .settings = Json::object(),
                      .command = "mgnn info " + name + " --json"};
    const Stored stored = study.cell(key, [&] {
      const auto config = config_of(study, name);
      return sizes_of(study.data(*config));
    });
    std::vector<Cell> row = {data_title(name)};
    std::vector<std::string> tips = {""};
    for (const std::string& count : counts) {
      row.push_back(count_cell(stored.value[count]));
      const auto paper = paper_number("datasets", paper_data(name), count);
      row.emplace_back();
      if (paper) row.back() = count_cell(paper->value);
      tips.insert(tips.end(), {stored.file + "\n" + key.command, ""});
    }
    block.table.rows.push_back(std::move(row));
    block.tips.push_back(std::move(tips));
  }
  Section section{"Datasets", {}};
  section.blocks.push_back(Paragraph{
      "Nodes and edges of a set are means over its graphs; an edge is a pair of nodes joined in "
      "either direction. The paper counts the edges of citation graphs as their files list them, "
      "with loops and repetitions, which we drop. " +
      data_remark(names)});
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
