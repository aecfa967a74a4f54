#include "mgnn/task/predict.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/config_options.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/run_folder.h"

namespace mgnn {
namespace {

struct PredictVerb {
  std::string model, output = "-", pairs;
  ConfigFlags data;
  bool force = false;
};

// Share of items with a known class that are predicted right; how many there are.
struct Known {
  int64_t items = 0;
  double accuracy = 0;
};
Known known(const TrainedModel& model, const Dataset& dataset, const Matrix& logits) {
  if (dataset.label.empty()) return {};
  const std::vector<int32_t> label = labels_by_name(model, dataset);
  std::vector<NodeId> rows;
  for (size_t i = 0; i < label.size(); i++)
    if (label[i] >= 0) rows.push_back(NodeId(i));
  return {int64_t(rows.size()), loss_accuracy(logits, label, rows).accuracy};
}

// Of a network for links: the pairs of a file, or those of validation and test.
void run_pairs(const PredictVerb& verb, const Globals& globals, TrainedModel& model) {
  const Stopwatch watch;
  const Dataset dataset = load_for_prediction(model, verb.data.flags, globals.data_dir);
  const Matrix out = predict(model, dataset).logits;
  const Decoder decoder = model.config->link.decoder;
  PairScores found;
  std::vector<std::string> unknown_ids;
  if (verb.pairs.empty()) {
    found = held_out_pairs(training_data(model, dataset));
  } else {
    found.pairs = read_pairs(verb.pairs, dataset, unknown_ids);
    for (size_t i = 0; i < found.pairs.size(); i++) {
      const auto [u, v] = found.pairs[i];
      const bool reverse = !is_directed(decoder) && dataset.graph.has_arc(v, u);
      found.positive.push_back(dataset.graph.has_arc(u, v) || reverse);
    }
  }
  found.score = pair_scores(out, decoder, found.pairs);
  const bool to_file = verb.output != "-";
  if (to_file || !globals.json)
    write_pair_predictions(verb.output, dataset, found, model.calibration, true);
  if (!unknown_ids.empty())
    spdlog::warn("{}: {} ids are not in the graph, so their pairs are left out: {}", verb.pairs,
                 unknown_ids.size(), listed(unknown_ids));
  if (globals.json)
    return print_json({{"model", model.config->model},
                       {"dataset", dataset.name},
                       {"pairs", found.pairs.size()},
                       {"unknown_ids", unknown_ids},
                       {"output", to_file ? verb.output : ""},
                       {"seconds", watch.seconds()}});
  if (to_file)
    print(fmt::format("{} of {} pairs with {} in {}\n", verb.output,
                      human_count(int64_t(found.pairs.size())), model.config->model,
                      human_seconds(watch.seconds())));
}

void run(const PredictVerb& verb, const Globals& globals) {
  check_overwrite(verb.output, verb.force);
  TrainedModel model = read_model(verb.model);
  if (model.task == "unsupervised")
    fail_usage("{}: has learned no classes to predict; mgnn embed --model {} gives its vectors",
               verb.model, verb.model);
  if (model.task == "link") return run_pairs(verb, globals, model);
  if (!verb.pairs.empty())
    fail_usage("{}: is a run of --task {}; --pairs is for runs of train --task link", verb.model,
               model.task);
  const Stopwatch watch;
  const Dataset dataset = load_for_prediction(model, verb.data.flags, globals.data_dir);
  const Prediction found = predict(model, dataset);
  const Known right = known(model, dataset, found.logits);
  const Matrix probability = softmax_rows(found.logits, model.temperature);
  const bool to_file = verb.output != "-";
  if (to_file || !globals.json)
    write_predictions(verb.output, dataset, model.class_names, probability, nullptr, true);
  if (globals.json)
    return print_json({{"model", model.config->model},
                       {"dataset", dataset.name},
                       {"items", probability.rows},
                       {"labelled", right.items},
                       {"accuracy", right.items > 0 ? nlohmann::ordered_json(right.accuracy)
                                                    : nlohmann::ordered_json(nullptr)},
                       {"output", to_file ? verb.output : ""},
                       {"seconds", watch.seconds()}});
  if (!to_file) return;
  print(fmt::format("{} of {} items with {} in {}{}\n", verb.output, human_count(probability.rows),
                    model.config->model, human_seconds(watch.seconds()),
                    right.items > 0 ? fmt::format("; {:.4f} of the {} with a known class are right "
                                                  "(training items among them)",
                                                  right.accuracy, human_count(right.items))
                                    : ""));
}

}  // namespace

Action add_predict(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<PredictVerb>();
  command.add_option("RUN", verb->model, "folder of a run, or its model.safetensors")->required();
  add_data_options(command, verb->data,
                   "other data with the same features (default: those of the training)");
  command.add_option("--pairs", verb->pairs, "of links: score the pairs of this edge list")
      ->type_name("FILE");
  command.add_option("-o,--output", verb->output, "CSV file; - is standard output")
      ->type_name("FILE");
  command.add_flag("--force", verb->force, "replace a file that is there");
  command.footer(
      "  mgnn predict runs/x -o predictions.csv\n"
      "  mgnn predict runs/links --pairs candidates.tsv -o scores.csv\n"
      "  mgnn predict runs/x new_edges.csv --nodes new_nodes.csv -o predictions.csv");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
