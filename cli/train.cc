#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/config_options.h"
#include "cli/result_tables.h"
#include "cli/train_report.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/run_task.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct TrainVerb {
  ConfigFlags config;
  std::string output, resume, log, report;
  int64_t checkpoint_every = 0;
  bool force = false, show_config = false, dry_run = false, no_output = false;
};

// Settings of the run to resume, but for what the command line says of threads and the like.
void resume_config(TrainVerb& verb) {
  if (verb.resume.empty()) return;
  if (!verb.config.flags.empty() || !verb.config.sets.empty() || !verb.config.file.empty())
    fail_usage("--resume goes on with the settings of {}; give no others", verb.resume);
  verb.config.file = RunFolder::open(verb.resume).file("config.toml");
}

Json facts_of(const Config& config, const Dataset& dataset, const Result& result) {
  Json facts = json_of(result, config.model, dataset.name);
  for (const auto& [what, value] : build_facts()) facts[what] = value;
  facts["seed"] = config.seed;
  facts["seeds"] = config.seeds;
  facts["dataset_sha256"] = fingerprint(dataset);
  facts["features"] = dataset.features_from;
  facts["split"] = config.data.split;
  return facts;
}

void print_link_plan(const Config& config, const Dataset& dataset) {
  const auto edges = int64_t(asked_pairs(dataset, config.link).size());
  print(fmt::format(
      "link prediction of {} with {}: {} nodes, {} arcs, features: {}\n{} edges asked about, of "
      "which {:.0f} % for validation and {:.0f} % for test; at most {} epochs for each of {} "
      "seeds\n",
      dataset.name, config.model, human_count(dataset.graph.num_nodes()),
      human_count(dataset.graph.num_arcs()), dataset.features_from, human_count(edges),
      100 * config.link.validation_share, 100 * config.link.test_share, config.train.epochs,
      config.seeds));
}

void print_plan(const Config& config, const Dataset& dataset, const std::string& task) {
  Parameters weights;
  Rng rng(config.seed);
  const std::unique_ptr<Model> model = new_network(config);
  if (task == "link") return print_link_plan(config, dataset);
  const Shape shape = shape_of(config, dataset, task);
  model->build(shape, weights, rng);
  const int64_t arcs = dataset.graph.num_arcs();
  const int64_t bytes =
      int64_t(dataset.graph.num_nodes()) * 13 * 16 * 4 * 4 + arcs * 13 * 8 + weights.count() * 24;
  print(fmt::format(
      "{} of {} with {}: {} nodes, {} arcs, {} features, {} outputs\n{} weights, at most {} epochs "
      "for each of {} seeds, about {} of memory\n",
      task_title(task), dataset.name, config.model, human_count(dataset.graph.num_nodes()),
      human_count(arcs), human_count(shape.in), shape.out, human_count(weights.count()),
      config.train.epochs, config.seeds, human_bytes(bytes)));
}

void run(TrainVerb& verb, const Globals& globals) {
  resume_config(verb);
  const auto asked = [&](const std::string& task) {
    for (const Setting& setting : verb.config.flags)
      if (setting.name == "task" && text_of(setting.value) == task) return true;
    return false;
  };
  const std::unique_ptr<Config> config = verb.config.resolve(globals, asked("graph")  ? "triads"
                                                                      : asked("link") ? "toykg"
                                                                                      : "roles");
  if (verb.show_config) return print(toml_of(*config));
  for (const std::string& path : {verb.log, verb.report}) check_overwrite(path, verb.force);
  const Dataset dataset = load_for_training(*config);
  const std::string task = task_of(*config, dataset);
  config->task = task;
  if (verb.dry_run) return print_plan(*config, dataset, task);
  const bool resumed = !verb.resume.empty();
  std::string path = resumed ? verb.resume : verb.output;
  if (path.empty()) path = default_run_path(task, config->model, config->data.source);
  std::unique_ptr<RunFolder> folder;
  if (!verb.no_output)
    folder = std::make_unique<RunFolder>(resumed ? RunFolder::open(path)
                                                 : RunFolder::create(path, *config, verb.force));
  const Watch watch = folder ? folder->watch(verb.checkpoint_every, resumed) : Watch{};
  const Result result = run_task(*config, dataset, watch);
  if (folder) folder->finish(*config, dataset, result, facts_of(*config, dataset, result));
  if (!verb.log.empty()) write_curves(verb.log, result, verb.force);
  if (!verb.report.empty())
    write_file(verb.report, html_of(train_page(*config, dataset, result, globals.command)),
               verb.force);
  if (globals.json) {
    Json json = json_of(result, config->model, dataset.name);
    json["run_dir"] = folder ? Json(path) : Json(nullptr);
    return print_json(json);
  }
  print_result(*config, dataset, result);
  if (folder)
    print(fmt::format("{} and settings are in {}\n",
                      result.logits.rows > 0 ? "Model, predictions" : "Model", path));
}

}  // namespace

Action add_train(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<TrainVerb>();
  add_config_options(command, verb->config);
  command.add_option("-o,--output", verb->output, "folder of the run (default: below runs/)")
      ->type_name("DIR");
  command.add_option("--resume", verb->resume, "go on with an interrupted run")->type_name("DIR");
  command
      .add_option("--checkpoint-every", verb->checkpoint_every,
                  "epochs between checkpoints; 0: only when interrupted")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber.description(""));
  command.add_option("--log", verb->log, "write loss and scores of every epoch (.csv)")
      ->type_name("FILE");
  command
      .add_option("--report", verb->report,
                  "write a page with curves, confusions, motifs and a map of the items (.html)")
      ->type_name("FILE");
  command.add_flag("--show-config", verb->show_config, "print all settings, and stop");
  command.add_flag("-n,--dry-run", verb->dry_run, "print the plan with its sizes, and stop");
  command.add_flag("--force", verb->force, "replace a run or file that is there");
  command.add_flag("--no-output", verb->no_output, "keep nothing; print the result only");
  command.footer(
      "  mgnn train cora --seeds 5 --report cora.html\n"
      "  mgnn train --edges e.csv --nodes n.csv --label-column type --features a,b,c\n"
      "  mgnn train mutag --seeds 3\n"
      "  mgnn train --graphs FOLDER --folds 10 --set readout=mean\n"
      "  mgnn train cora --task unsupervised --objective vgae --probe --seeds 5\n"
      "  mgnn train pubmed --model gcn --set dropout=0.3 -o runs/gcn\n"
      "  mgnn train hetionet --task link --relation DaG -o runs/dag\n"
      "  mgnn train cora --profile published --epochs 3000 --patience 0");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
