#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/ranks.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/base/csv.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/io/text_writer.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct RankVerb {
  std::string model, known, output = "-";
  RankOptions options = {};
  bool force = false;
};

using OptionalSupport = std::optional<Support>;  // if a list of known pairs was given

// The motifs that added most, at most three of them: "M13 M4 M8".
std::string carriers(const Contributions& motifs, int64_t pair) {
  std::vector<std::pair<float, size_t>> parts;
  for (size_t k = 0; k + 1 < motifs.names.size(); k++)
    if (const float value = motifs.value(pair, int64_t(k)); value > 0)
      parts.emplace_back(-value, k);
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(parts.size(), 3); i++)
    text += (text.empty() ? "" : " ") + motifs.names[parts[i].second];
  return text;
}

void write_ranking(const std::string& path, const Dataset& dataset, const Ranking& ranking,
                   const OptionalSupport& support) {
  TextWriter file(path);
  file.text("rank\tfrom\tto\tscore\tprobability");
  if (support) file.text("\tsupported");
  const Contributions& motifs = ranking.motifs;
  if (!motifs.names.empty()) file.text("\tmotifs");
  for (const std::string& name : motifs.names) file.text("\t" + csv_field(name, '\t'));
  file.text("\n");
  for (size_t i = 0; i < ranking.pairs.size(); i++) {
    const RankedPair& pair = ranking.pairs[i];
    file.number(i + 1);
    for (const NodeId end : {pair.from, pair.to})
      file.text("\t" + csv_field(dataset.ids.name(end), '\t'));
    file.text("\t");
    file.number(pair.score);
    file.text("\t");
    file.number(float(ranking.probability[i]));
    if (support) file.text(support->supported[i] ? "\tyes" : "\tno");
    if (!motifs.names.empty()) file.text("\t" + carriers(motifs, int64_t(i)));
    for (int64_t k = 0; k < motifs.value.cols; k++) {
      file.text("\t");
      file.number(motifs.value(int64_t(i), k));
    }
    file.text("\n");
  }
  file.commit();
}

std::vector<int64_t> depths(int64_t pairs) {
  std::vector<int64_t> ranks;
  for (const int64_t k : {1, 5, 10, 50, 100, 500, 1000, 5000, 10000})
    if (k < pairs) ranks.push_back(k);
  ranks.push_back(pairs);
  return ranks;
}

Json json_of(const RankVerb& verb, const TrainedModel& model, const Dataset& dataset,
             const Ranking& ranking, const OptionalSupport& support) {
  Json json = {{"model", model.config->model},
               {"dataset", dataset.name},
               {"candidates", ranking.candidates},
               {"ranked", ranking.pairs.size()},
               {"output", verb.output},
               {"warnings", ranking.warnings},
               {"seconds", ranking.seconds},
               {"peak_memory_bytes", peak_memory_bytes()}};
  if (support) {
    json["listed"] = support->listed;
    json["unknown_ids"] = support->unknown_ids;
    for (const int64_t k : depths(int64_t(ranking.pairs.size())))
      json["precision"][std::to_string(k)] = support->precision_at(k);
  }
  return json;
}

void print_ranking(const RankVerb& verb, const Ranking& ranking, const OptionalSupport& support) {
  print(fmt::format("{}: the best {} of {} pairs, scored in {}\n", verb.output,
                    human_count(int64_t(ranking.pairs.size())),
                    human_count(int64_t(ranking.candidates)), human_seconds(ranking.seconds)));
  if (!support) return;
  TextTable table{.columns = {{"k", Align::right}, {"precision", Align::decimal, 4}}, .rows = {}};
  for (const int64_t k : depths(int64_t(ranking.pairs.size())))
    table.rows.push_back({k, support->precision_at(k)});
  print(table);
}

void run(const RankVerb& verb, const Globals& globals) {
  if (verb.options.top < 1) fail_usage("--top is {}; use at least 1", verb.options.top);
  if (!verb.options.between.empty() && !verb.options.relation.empty())
    fail_usage("--relation and --between exclude each other; use one of them");
  TrainedModel model;
  Dataset dataset;
  all_or_none(ranks(), [&] {
    if (ranks().rank() == 0) check_writable(verb.output, verb.force);
    model = read_model(verb.model);
    if (!model.config->task().predicts_pairs())
      fail_usage("{}: is a run of --task {}; pairs are ranked by a run of train --task link",
                 verb.model, model.config->task_name);
    dataset = load_for_prediction(model, {}, globals.data_dir);
    tell_notes(dataset, globals);
  });
  if (ranks().size() > 1) {
    check_same_training(dataset);
    model.config->run.comm = &ranks();
  }
  const Ranking ranking = rank_links(model, dataset, verb.options);
  if (ranks().rank() > 0) return;
  OptionalSupport support;
  if (!verb.known.empty())
    support = support_of(verb.known, dataset, ranking.pairs, ranking.directed);
  for (const std::string& warning : ranking.warnings) spdlog::warn("{}: {}", verb.model, warning);
  const bool to_file = verb.output != "-";
  if (to_file || !globals.json) write_ranking(verb.output, dataset, ranking, support);
  if (support && !support->unknown_ids.empty())
    spdlog::warn("{}: {} ids are not in the graph, so their pairs are not ranked: {}", verb.known,
                 support->unknown_ids.size(), listed(support->unknown_ids));
  if (globals.json) return print_json(json_of(verb, model, dataset, ranking, support));
  if (to_file) print_ranking(verb, ranking, support);
}

}  // namespace

Action add_rank(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<RankVerb>();
  command.add_option("RUN", verb->model, "folder of a run of train --task link")->required();
  command
      .add_option("--between", verb->options.between,
                  "pairs of these node types (default: the run's)")
      ->type_name("A,B");
  command
      .add_option("--relation", verb->options.relation, "pairs of the node types of this relation")
      ->type_name("NAME");
  command.add_option("--for", verb->options.partner_of, "only partners of this node")
      ->type_name("NODE");
  command
      .add_option("--known", verb->known,
                  "edge list of pairs known from elsewhere: marks them, prints precision at k")
      ->type_name("FILE");
  command.add_option("--top", verb->options.top, "number of pairs")
      ->type_name("K")
      ->transform(decimal());
  command.add_option("-o,--output", verb->output, "TSV file; - is standard output")
      ->type_name("FILE");
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn rank runs/dag --between Disease,Gene --top 1000 -o ranking.tsv\n"
      "  mgnn rank runs/dag --for Disease::DOID:14330 --top 20\n"
      "  mgnn rank runs/dag --known literature.tsv -o ranking.tsv");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
