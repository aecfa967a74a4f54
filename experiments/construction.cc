// How long it takes to make motif matrices: the usual constructions, and our pass.

#include "experiments/comparison.h"
#include "experiments/experiments.h"
#include "experiments/motifs_by_enumeration.h"
#include "experiments/motifs_by_product.h"
#include "mgnn/base/clock.h"

namespace mgnn {
namespace {

struct Way {
  const char* name;
  const char* what;
  const char* paper;  // column of the paper, or null
  MotifMatrices (*make)(const Graph& graph);
};

MotifSet only(int motif) {
  MotifSet set;
  set.insert(motif);
  return set;
}

constexpr Way kWays[] = {
    {"M1 by matrix product", "closed", "product",
     [](const Graph& g) { return motif_matrices_by_product(g, Counting::subgraph, only(1)); }},
    {"M1, our pass", "closed", nullptr,
     [](const Graph& g) { return motif_matrices(g, {.motifs = only(1)}); }},
    {"M13 by enumeration", "open", "enumeration",
     [](const Graph& g) { return motif_matrices_by_enumeration(g, Counting::subgraph, only(13)); }},
    {"M13 without enumeration, ours", "open", "non-enumeration",
     [](const Graph& g) { return motif_matrices(g, {.motifs = only(13)}); }},
    {"all thirteen, our pass", "all", nullptr, [](const Graph& g) { return motif_matrices(g); }},
};

// The best of a few, at least one and at most a second of them.
Stored timed(const Way& way, const Graph& graph) {
  double best = 1e300, spent = 0;
  Json sums = Json::object();
  for (int i = 0; i < 5 && spent < 1; i++) {
    const Stopwatch watch;
    const MotifMatrices matrices = way.make(graph);
    const double seconds = watch.seconds();
    best = std::min(best, seconds);
    spent += seconds;
    for (int k = 1; k <= kNumMotifs; k++)
      if (matrices.has(k)) sums[motif_label(k)] = matrices.sum(k);
  }
  return {{{"nodes", graph.num_nodes()}, {"sums", sums}}, {{"seconds", best}}};
}

}  // namespace

Section construction(Study& study) {
  const auto all_data =
      study.sized<std::vector<std::string>>({"roles"}, {"cora", "pubmed", study.knowledge_graph()},
                                            {"cora", "pubmed", study.knowledge_graph()});
  TableBlock block{"Seconds to make motif matrices",
                   {.columns = {text_column("dataset"),
                                {"nodes", Align::right},
                                text_column("construction"),
                                score_column("seconds", "", 4),
                                score_column("paper", "", 3),
                                score_column("paper / ours", "ratio", 0)},
                    .rows = {}}};
  for (const std::string& name : all_data) {
    const auto config = config_of(study, name);
    for (const Way& way : kWays) {
      const CellKey key{.kind = "construction",
                        .data = name,
                        .method = way.name,
                        .settings = Json::object(),
                        .command = "mgnn reproduce construction --" + name_of(study.size())};
      const Stored stored = study.cell(key, [&] { return timed(way, study.data(*config).graph); });
      const double seconds = stored.times["seconds"];
      std::optional<double> printed, ratio;
      if (way.paper)
        if (const auto paper = paper_number("construction", paper_data(name), way.paper))
          printed = paper->value;
      if (printed && same_data(name) && seconds > 0) ratio = *printed / seconds;
      block.table.rows.push_back({data_title(name), int64_t(stored.value["nodes"]), way.name,
                                  seconds, cell_of(printed), cell_of(ratio)});
      block.tips.push_back({"", "", "", stored.file, "", ""});
    }
  }
  Section section{"Construction of motif matrices", {}};
  section.blocks.push_back(Paragraph{
      "The best of up to five times, all threads for our pass, one for the others. The results are "
      "the same entry by entry, which tests hold. " +
      data_remark(all_data)});
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
