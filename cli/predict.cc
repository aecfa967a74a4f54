#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/config_options.h"
#include "cli/notes.h"
#include "cli/ranks.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/cluster/divided_batch.h"
#include "mgnn/data/drawn_dataset.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct PredictVerb {
  std::string model, output = "-", pairs;
  ConfigFlags data;
  bool force = false;
};

Json json_of(const PredictVerb& verb, const TrainedModel& model, const Dataset& dataset,
             const PredictSummary& summary, const std::string& lines, double seconds) {
  Json json = {{"model", model.config->model},
               {"task", model.config->task_name},
               {"dataset", dataset.name},
               {summary.unit, summary.count},
               {"labelled", summary.known}};
  if (!lines.empty()) {
    Json& predictions = json["predictions"] = Json::array();
    std::istringstream rows(lines);
    for (std::string line; std::getline(rows, line);) predictions.push_back(Json::parse(line));
  }
  for (const auto& [name, value] : summary.scores) json[name] = value;
  if (!verb.pairs.empty()) json["unknown_ids"] = summary.unknown_ids;
  json["output"] = verb.output == "-" ? "" : verb.output;
  json["seconds"] = seconds;
  return json;
}

std::string scores_text(const PredictSummary& summary) {
  std::vector<std::string> scores;
  for (const auto& [name, value] : summary.scores)
    scores.push_back(fmt::format("{} {:.4f}", name, value));
  if (scores.empty()) return "";
  return fmt::format("; {} on the {} whose answer is known (training items among them)",
                     fmt::join(scores, ", "), human_count(summary.known));
}

// Where the nodes are divided, the other ranks have their part in what the first one asks for.
void compute_with_others(TrainedModel& model, const Dataset& dataset) {
  const bool of_nodes = model.config->task().shape(dataset).level == Level::node;
  if (of_nodes && is_divided(&ranks(), dataset.graph.num_nodes())) predict(model, dataset);
}

// The graph, of which each node has its row of the predictions.
void draw_predictions(const PredictVerb& verb, const Dataset& dataset, const std::string& lines) {
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  std::vector<Json> row(size_t(dataset.graph.num_nodes()));
  std::vector<std::string> columns;
  std::istringstream texts(lines);
  for (std::string line; std::getline(texts, line);) {
    Json json = Json::parse(line);
    const Json& id = json.at("id");
    const NodeId u = nodes.find(id.is_string() ? id.get<std::string>() : id.dump());
    if (u < 0) fail("{}: the prediction of {} is of no node", verb.output, in_quotes(id.dump()));
    if (columns.empty())
      for (const auto& [name, value] : json.items())
        if (name != "id" && name != "label") columns.push_back(name);  // a label is the class
    row[size_t(u)] = std::move(json);
  }
  DrawnGraph drawn = drawn_graph(dataset, DrawnFeatures::no);
  std::erase_if(drawn.node_attributes, [&](const DrawnAttribute& attribute) {
    return std::find(columns.begin(), columns.end(), attribute.name) != columns.end();
  });
  for (const std::string& column : columns) {
    const bool is_text = std::any_of(row.begin(), row.end(), [&](const Json& json) {
      return json.contains(column) && json[column].is_string();
    });
    drawn.node_attributes.push_back(
        {column, is_text ? DrawnAttribute::Kind::text : DrawnAttribute::Kind::number,
         [&row, column](int64_t u, std::string& text) {
           const Json& json = row[size_t(u)];
           if (!json.contains(column) || json[column].is_null()) return false;
           text += json[column].is_string() ? json[column].get<std::string>() : json[column].dump();
           return true;
         }});
  }
  write_drawn(verb.output, drawn, drawn_format(verb.output), verb.force);
}

void check_drawable(const PredictVerb& verb, const Task& task) {
  if (!drawn_format(verb.output)) return;
  if (task.predicts_pairs())
    fail_usage("{}: holds predictions of nodes; write .csv, .tsv or .jsonl", verb.output);
  if (drawn_format(verb.output) == draw_sif)
    fail_usage(
        "{}: SIF files hold no predictions; write .graphml, .gexf, .json, .csv, .tsv or "
        ".jsonl",
        verb.output);
}

void run(const PredictVerb& verb, const Globals& globals) {
  const bool to_file = verb.output != "-";
  const bool is_first = ranks().rank() == 0;
  const Stopwatch watch;
  TrainedModel model;
  Dataset dataset;
  all_or_none(ranks(), [&] {
    if (is_first) check_writable(verb.output, verb.force);
    model = read_model(verb.model);
    if (!verb.pairs.empty() && !model.config->task().predicts_pairs())
      fail_usage("{}: is a run of --task {}; --pairs is for runs of train --task link", verb.model,
                 model.config->task_name);
    check_drawable(verb, model.config->task());
    dataset = load_for_prediction(model, verb.data.flags, globals.data_dir);
    tell_notes(dataset, globals);
    if (drawn_format(verb.output) && dataset.is_set())
      fail_usage("{}: holds predictions of nodes; write .csv, .tsv or .jsonl", verb.output);
  });
  const Task& task = model.config->task();
  if (ranks().size() > 1) {
    check_same_training(dataset);
    model.config->run.comm = &ranks();
    // All that only the first rank can do is left to it.
    if (!is_first) return compute_with_others(model, dataset);
  }
  const bool drawn = drawn_format(verb.output);
  const std::string output = !drawn && (to_file || !globals.json) ? verb.output : "";
  std::string lines;  // with --json and no file the object holds the predictions
  const PredictSummary summary = task.write_predictions(
      model, dataset,
      {.output = output, .pairs = verb.pairs, .json_lines = output.empty() ? &lines : nullptr});
  if (drawn) {
    draw_predictions(verb, dataset, lines);
    lines.clear();  // a file has them
  }
  if (!summary.unknown_ids.empty())
    spdlog::warn("{}: {} ids are not in the graph, so their pairs are left out: {}", verb.pairs,
                 summary.unknown_ids.size(), listed(summary.unknown_ids));
  if (globals.json)
    return print_json(json_of(verb, model, dataset, summary, lines, watch.seconds()));
  if (to_file)
    print(fmt::format("{} of {} {} with {} in {}{}\n", verb.output, human_count(summary.count),
                      summary.unit, model.config->model, human_seconds(watch.seconds()),
                      scores_text(summary)));
}

}  // namespace

Action add_predict(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<PredictVerb>();
  command.add_option("RUN", verb->model, "folder of a run, or its model.safetensors")->required();
  add_data_options(command, verb->data,
                   "other data with the same features (default: those of the training)");
  command.add_option("--pairs", verb->pairs, "score the pairs of this edge list (link prediction)")
      ->type_name("FILE");
  command
      .add_option(
          "-o,--output", verb->output,
          "CSV file, or TSV or JSON lines by its ending (.tsv, .jsonl), or the graph with the "
          "predictions of its nodes for Cytoscape and Gephi (.graphml, .gexf, .json); - is "
          "standard "
          "output")
      ->type_name("FILE");
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn predict runs/x -o predictions.csv\n"
      "  mgnn predict runs/x -o predictions.gexf\n"
      "  mgnn predict runs/links --pairs candidates.tsv -o scores.csv\n"
      "  mgnn predict runs/x new_edges.csv --nodes new_nodes.csv -o predictions.csv");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
