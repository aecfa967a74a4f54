#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/csv.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/data/locate.h"
#include "mgnn/data/node_names.h"
#include "mgnn/io/text_writer.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

// Of a run that was not compared with heuristics only the network is there.
enum class Score { automatic, network, combined };
constexpr auto enum_names(Score) {
  return std::to_array<Named<Score>>(
      {{"auto", Score::automatic}, {"network", Score::network}, {"combined", Score::combined}});
}

struct RankVerb {
  std::string model, known, names, score = "auto", output = "-";
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

// Closed motifs that the edge would make, at most three, those with most instances first: "M5x12 M6x3".
std::string closed_instances(const PairEvidence& evidence) {
  std::vector<std::pair<int64_t, int>> counts;
  for (const int k : MotifSet::closed().numbers())
    if (const int64_t count = evidence.instances[size_t(k - 1)]; count > 0)
      counts.emplace_back(-count, k);
  std::sort(counts.begin(), counts.end());
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(counts.size(), 3); i++)
    text +=
        fmt::format("{}{}x{}", i > 0 ? " " : "", motif_label(counts[i].second), -counts[i].first);
  return text;
}

// Names for people, or ids where there are none.
struct Labels {
  const Dataset& dataset;
  const std::vector<std::string>& names;  // (n), or empty

  std::string name(NodeId v) const { return names.empty() ? "" : names[size_t(v)]; }
  std::string label(NodeId v) const { return name(v).empty() ? dataset.ids.name(v) : name(v); }
  // At most three, and how many more.
  std::string listed(const std::vector<NodeId>& nodes) const {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(nodes.size(), 3); i++)
      text += (i > 0 ? ", " : "") + label(nodes[i]);
    if (nodes.size() > 3) text += fmt::format(" and {} more", nodes.size() - 3);
    return text;
  }
};

void write_ranking(const std::string& path, const Dataset& dataset, const Ranking& ranking,
                   const OptionalSupport& support, const std::vector<std::string>& names) {
  TextWriter file(path);
  const Labels labels{dataset, names};
  file.text("rank\tfrom\tto");
  if (!names.empty()) file.text("\tfrom_name\tto_name");
  file.text("\tscore\tprobability");
  if (support) file.text("\tsupported");
  file.text("\tcloses\tshared");
  const Contributions& motifs = ranking.motifs;
  const bool by_motifs = ranking.scored_by == RankScore::network && !motifs.names.empty();
  if (by_motifs) file.text("\tmotifs");
  for (const std::string& name : motifs.names) file.text("\t" + csv_field(name, '\t'));
  file.text("\n");
  for (size_t i = 0; i < ranking.pairs.size(); i++) {
    const RankedPair& pair = ranking.pairs[i];
    file.number(i + 1);
    for (const NodeId end : {pair.from, pair.to})
      file.text("\t" + csv_field(dataset.ids.name(end), '\t'));
    for (const NodeId end : {pair.from, pair.to})
      if (!names.empty()) file.text("\t" + csv_field(labels.name(end), '\t'));
    file.text("\t");
    file.number(pair.score);
    file.text("\t");
    file.number(float(ranking.probability[i]));
    if (support) file.text(support->supported[i] ? "\tyes" : "\tno");
    file.text("\t" + closed_instances(ranking.evidence[i]));
    file.text("\t" + csv_field(labels.listed(ranking.evidence[i].shared), '\t'));
    if (by_motifs) file.text("\t" + carriers(motifs, int64_t(i)));
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
               {"score", name_of(ranking.scored_by)},
               {"output", verb.output},
               {"warnings", ranking.warnings},
               {"seconds", ranking.seconds},
               {"peak_memory_bytes", peak_memory_bytes()}};
  if (support) {
    json["listed"] = support->listed;
    json["listed_edges"] = support->edges;
    json["unknown_ids"] = support->unknown_ids;
    for (const int64_t k : depths(int64_t(ranking.pairs.size())))
      json["precision"][std::to_string(k)] = support->precision_at(k);
  }
  return json;
}

void print_ranking(const RankVerb& verb, const Ranking& ranking, const OptionalSupport& support) {
  print(fmt::format("{}: the best {} of {} pairs by the score {}, scored in {}\n", verb.output,
                    human_count(int64_t(ranking.pairs.size())),
                    human_count(int64_t(ranking.candidates)), name_of(ranking.scored_by),
                    human_seconds(ranking.seconds)));
  if (!support) return;
  TextTable table{.columns = {{"k", Align::right}, {"precision", Align::decimal, 4}}, .rows = {}};
  for (const int64_t k : depths(int64_t(ranking.pairs.size())))
    table.rows.push_back({k, support->precision_at(k)});
  print(table);
}

RankScore score_of(const RankVerb& verb, const TrainedModel& model) {
  const auto score = parse_name<Score>("--score", verb.score);
  if (score != Score::automatic)
    return score == Score::network ? RankScore::network : RankScore::combined;
  return model.fitted.contains("combined.intercept") ? RankScore::combined : RankScore::network;
}

// Those that the user names, else those beside the data.
std::vector<std::string> names_of(const RankVerb& verb, const TrainedModel& model,
                                  const Dataset& dataset, const Globals& globals) {
  if (!verb.names.empty()) return node_names(verb.names, dataset);
  LoadOptions load = model.config->load;
  if (!globals.data_dir.empty()) load.data_dir = globals.data_dir;
  std::string folder = model.config->source;
  if (!std::filesystem::is_directory(folder)) {
    folder.clear();
    if (const auto entry = find_dataset_entry(model.config->source))
      folder = dataset_folder(*entry, load).value_or("");
  }
  const std::string table = table_of_node_names(folder);
  return table.empty() ? std::vector<std::string>() : node_names(table, dataset);
}

void run(RankVerb& verb, const Globals& globals) {
  if (verb.options.at_most_per_node < 0)
    fail_usage("--at-most-per-node is {}; use at least 1, or 0 for any number",
               verb.options.at_most_per_node);
  if (verb.options.top < 1) fail_usage("--top is {}; use at least 1", verb.options.top);
  if (!verb.options.between.empty() && !verb.options.relation.empty())
    fail_usage("--relation and --between exclude each other; use one of them");
  check_writable(verb.output, verb.force);
  TrainedModel model = read_model(verb.model);
  if (!model.config->task().predicts_pairs())
    fail_usage("{}: is a run of --task {}; pairs are ranked by a run of train --task link",
               verb.model, model.config->task_name);
  const Dataset dataset = load_for_prediction(model, {}, globals.data_dir);
  tell_notes(dataset, globals);
  verb.options.score = score_of(verb, model);
  const std::vector<std::string> names = names_of(verb, model, dataset, globals);
  const Ranking ranking = rank_links(model, dataset, verb.options);
  OptionalSupport support;
  if (!verb.known.empty())
    support = support_of(verb.known, dataset, ranking.pairs, ranking.directed);
  for (const std::string& warning : ranking.warnings) spdlog::warn("{}: {}", verb.model, warning);
  const bool to_file = verb.output != "-";
  if (to_file || !globals.json) write_ranking(verb.output, dataset, ranking, support, names);
  if (support && !support->unknown_ids.empty())
    spdlog::warn("{}: {} ids are not in the graph, so their pairs are not ranked: {}", verb.known,
                 support->unknown_ids.size(), listed(support->unknown_ids));
  if (support && support->edges > 0)
    spdlog::warn("{}: {} of the {} pairs are edges of {} already, so they are not ranked",
                 verb.known, support->edges, support->listed, dataset.name);
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
  command
      .add_option("--score", verb->score,
                  "combined: the network, heuristics, degrees and motif counts; network: its score "
                  "alone; auto: combined where the run has it")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--at-most-per-node", verb->options.at_most_per_node,
                  "pairs of the list in which a node may be, so that hubs do not fill it (0: any)")
      ->type_name("N")
      ->transform(decimal());
  command
      .add_option("--names", verb->names,
                  "table with a column name and one of ids: names of nodes beside their ids "
                  "(default: the data's, if they have one)")
      ->type_name("FILE");
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
