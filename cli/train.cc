#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/config_options.h"
#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/result_tables.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/config.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/train_report.h"

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

void print_plan(const Config& config, const Dataset& dataset) {
  Parameters weights;
  Rng rng(config.run.seed);
  const Task& task = config.task();
  Shape shape = task.shape(dataset);
  if (shape.in == 0) shape.in = dataset.graph.num_nodes();  // one-hot identities
  task.adapted(new_network(config))->build(shape, weights, rng);
  const int64_t arcs = dataset.graph.num_arcs();
  const int64_t bytes =
      int64_t(dataset.graph.num_nodes()) * 13 * 16 * 4 * 4 + arcs * 13 * 8 + weights.count() * 24;
  print(fmt::format(
      "{} of {} with {}: {} nodes, {} arcs, {} features ({}), {} outputs\n{} weights, at most {} "
      "epochs for each of {} seeds, about {} of memory\n",
      config.entry().title, dataset.name, config.model, human_count(dataset.graph.num_nodes()),
      human_count(arcs), human_count(shape.in), dataset.features_from, shape.out,
      human_count(weights.count()), config.run.training.epochs, config.run.seeds,
      human_bytes(bytes)));
}

// run_task, and writes the run; whoever interrupts it is told how to go on. Where it fails, no half of
// a run stays.
Result trained(Config& config, const Dataset& dataset, const RunFolder* folder,
               const TrainingCallbacks& callbacks) {
  try {
    Result result = run_task(config, dataset, callbacks);
    if (folder)
      folder->finish(config, dataset, result, run_facts(config, dataset, result, build_facts()));
    return result;
  } catch (const Error& error) {
    if (folder && error.kind() != ErrorKind::interrupted) folder->discard();
    if (!folder || error.kind() != ErrorKind::interrupted) throw;
    throw Error(error.kind(), fmt::format("interrupted; mgnn train --resume {} goes on from here",
                                          shell_quoted(folder->path())));
  } catch (...) {
    if (folder) folder->discard();
    throw;
  }
}

void run(TrainVerb& verb, const Globals& globals) {
  resume_config(verb);
  if (!verb.resume.empty() && RunFolder::open(verb.resume).finished())
    return print(
        fmt::format("{}: is finished, so there is nothing to resume; its scores are in "
                    "run.json\n",
                    verb.resume));
  const std::unique_ptr<Config> config = verb.config.resolve(globals);
  if (verb.show_config && globals.json) return print_json(json_of(config->used_options()));
  if (verb.show_config) return print(toml_of(*config));
  const bool resumed = !verb.resume.empty();
  for (const std::string& path : {verb.log, verb.report}) check_writable(path, verb.force);
  if (resumed || (verb.output.empty() && !verb.no_output && !verb.dry_run))
    check_folder_writable(resumed ? verb.resume : "runs");
  else if (!verb.no_output && !verb.dry_run)
    RunFolder::check(verb.output, verb.force);
  const Dataset dataset = load_for_training(*config);
  tell_notes(dataset, globals, config->notes);
  if (verb.dry_run) return print_plan(*config, dataset);
  std::string path = resumed ? verb.resume : verb.output;
  if (path.empty() && !verb.no_output)
    path = make_new_folder(default_run_path(config->task_name, config->model, config->source));
  std::unique_ptr<RunFolder> folder;
  if (!verb.no_output)
    folder = std::make_unique<RunFolder>(resumed ? RunFolder::open(path)
                                                 : RunFolder::create(path, *config, verb.force));
  const TrainingCallbacks callbacks =
      folder ? folder->callbacks(verb.checkpoint_every, resumed, dataset, warn_of_checkpoint)
             : TrainingCallbacks{};
  if (resumed)
    if (const std::string note = folder->note(); !note.empty()) spdlog::warn("{}", note);
  const Result result = trained(*config, dataset, folder.get(), callbacks);
  if (!verb.log.empty()) write_curves(verb.log, result, verb.force);
  if (!verb.report.empty())
    write_file(verb.report,
               html_of(train_page(*config, dataset, result, globals.command, build_facts())),
               verb.force);
  const std::vector<std::string> warnings = config->task().warnings(dataset, result);
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
  if (globals.json) {
    Json json = json_of(config->task(), result, config->model, dataset.name);
    json["warnings"] = warnings;
    json["run_dir"] = folder ? Json(path) : Json(nullptr);
    return print_json(json);
  }
  print_result(*config, dataset, result);
  if (folder)
    print(fmt::format("{} and settings are in {}\n",
                      result.output.rows > 0 ? "Model, predictions" : "Model", path));
}

}  // namespace

Action add_train(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<TrainVerb>();
  add_config_options(command, verb->config);
  command
      .add_option(
          "-o,--output", verb->output,
          "folder for the model, its settings and predictions (default: a new one in runs/)")
      ->type_name("DIR");
  command.add_option("--resume", verb->resume, "continue an interrupted run")->type_name("DIR");
  command
      .add_option(
          "--checkpoint-every", verb->checkpoint_every,
          "epochs between checkpoints beside those every 5 minutes and when interrupted; 0: none")
      ->type_name("N")
      ->transform(decimal())
      ->check(CLI::NonNegativeNumber.description(""));
  command
      .add_option("--log", verb->log, "write the losses and validation scores of all epochs (.csv)")
      ->type_name("FILE");
  command
      .add_option("--report", verb->report,
                  "write a page with learning curves, confusion matrix, motif counts and a map of "
                  "the items (.html)")
      ->type_name("FILE");
  command.add_flag("--show-config", verb->show_config, "print all settings as TOML, then stop");
  command.add_flag("-n,--dry-run", verb->dry_run,
                   "load the data, print the sizes of data and network, then stop");
  add_force_flag(command, verb->force);
  command.add_flag("--no-output", verb->no_output, "write no folder, only print the result");
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
