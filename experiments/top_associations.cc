// The likeliest pairs that the network has not seen, and how many of them are among the
// associations held out for test. The paper counts pairs that a database of literature supports
// instead, which is not at hand.

#include <algorithm>
#include <set>

#include "experiments/experiments.h"
#include "experiments/links.h"
#include "mgnn/task/config.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/rank_pairs.h"

namespace mgnn {
namespace {

constexpr int64_t kTop = 1000, kShown = 15;

// Pairs without an edge of training, ranked; edges of validation are among them and count as
// misses.
Stored ranked(Config& config, const Dataset& dataset) {
  const Result result = run_task(config, dataset);
  const LinkOptions& link = link_options_of(config);
  const Repetition& best = result.runs[result.best];
  Parameters weights = best.state.weights;
  const LinkData data =
      link_data(dataset, *result.model, link, config.run.features, best.seed, scale_in(weights));
  Matrix out;
  evaluate(*result.model, weights, data.batch,
           [&](const Output<float>& output) { out = copied(output.out); });
  const EndMatrices ends = end_matrices(out, link.decoder);
  const RankQuestion question = rank_question(dataset, link);
  const std::vector<RankedPair> pairs =
      rank_pairs(ends.left, ends.right, question, data.split.graph, kTop);
  std::set<std::pair<NodeId, NodeId>> held_out;
  for (size_t i = 0; i < data.split.test.size(); i++) {
    const Edge pair = data.split.test[i];
    held_out.insert(std::minmax(pair.from, pair.to));
  }
  Json hits = Json::array(), shown = Json::array();
  for (size_t i = 0; i < pairs.size(); i++) {
    const bool hit = held_out.contains(std::minmax(pairs[i].from, pairs[i].to));
    hits.push_back(hit ? 1 : 0);
    if (int64_t(i) < kShown)
      shown.push_back({dataset.ids.name(pairs[i].from), dataset.ids.name(pairs[i].to), hit});
  }
  const double candidates = double(question.sources.size()) * double(question.targets.size());
  return {{{"hits", hits},
           {"shown", shown},
           {"held_out", held_out.size()},
           {"candidates", candidates},
           {"auroc", best.test.metric}},
          {}};
}

double precision_at(const Json& hits, size_t k) {
  double sum = 0;
  for (size_t i = 0; i < k; i++) sum += double(hits[i]);
  return sum / double(k);
}

}  // namespace

Section top_associations(Study& study) {
  const std::string data = link_data_name(study);
  const std::vector<std::string> settings = link_settings(study);
  const auto config = config_of(study, data, "mgnn", settings);
  const CellKey key{.kind = "ranking",
                    .data = data,
                    .method = "mgnn",
                    .settings = Json(toml_of(*config)),
                    .command = command_of(data, "mgnn", settings)};
  const Stored stored = study.cell(key, [&] { return ranked(*config, study.data(*config)); });

  TableBlock pairs{"The likeliest pairs",
                   {.columns = {{"rank", Align::right},
                                text_column("from"),
                                text_column("to"),
                                text_column("held-out edge")},
                    .rows = {}}};
  int64_t rank = 0;
  for (const Json& pair : stored.value["shown"]) {
    pairs.table.rows.push_back({++rank, pair[0].get<std::string>(), pair[1].get<std::string>(),
                                pair[2].get<bool>() ? "yes" : "no"});
    pairs.tips.push_back({"", stored.file, stored.file, stored.file});
  }
  const Json& hits = stored.value["hits"];
  TableBlock precision{"Precision at k",
                       {.columns = {{"k", Align::right},
                                    score_column("precision"),
                                    score_column("by chance", "chance", 5)},
                        .rows = {}}};
  const double chance = double(stored.value["held_out"]) / double(stored.value["candidates"]);
  for (const size_t k : {10, 50, 100, 500, 1000}) {
    if (k > hits.size()) break;
    precision.table.rows.push_back({int64_t(k), precision_at(hits, k), chance});
    precision.tips.push_back({"", stored.file, ""});
  }
  Section section{"Top associations", {}};
  section.blocks.push_back(Paragraph{
      link_remark(study) +
      fmt::format(
          "All pairs that training has not seen are ranked by MGNN; {} of the candidates are "
          "edges held out for test. The paper finds literature on 103 of its first 1,000 "
          "pairs, which is another question: pairs without support there may be true. ",
          int64_t(stored.value["held_out"])) +
      size_remark(study) + data_remark({data})});
  section.blocks.push_back(std::move(precision));
  section.blocks.push_back(std::move(pairs));
  return section;
}

}  // namespace mgnn
