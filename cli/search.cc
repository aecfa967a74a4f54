#include "mgnn/task/search.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/config_options.h"
#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/ranks.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/base/file.h"
#include "mgnn/base/progress.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/significance.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRungs = "40x1,10x3,3x6";

struct SearchVerb {
  ConfigFlags config;
  std::vector<std::string> space;
  int64_t trials = 30, show = 10;
  std::string rungs;  // empty: one of `trials`
  std::string output;
  bool force = false;
  TrialFlags trial_flags = {};
};

std::vector<std::string> texts_of(const Settings& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : settings) texts.push_back(setting.text());
  return texts;
}

std::string joined(const Settings& settings) {
  if (settings.empty()) return "(as given)";
  return fmt::format("{}", fmt::join(texts_of(settings), " "));
}

// Differences are to the first trial, over the runs that both have: the same seeds and splits.
TextTable table_of(const std::vector<SearchTrial>& trials, size_t most) {
  TextTable table{.columns = {{"validation", Align::decimal, 4, "validation"},
                              {"std", Align::decimal, 4},
                              {"runs", Align::right},
                              {"difference", Align::decimal, 4},
                              {"p", Align::decimal, 4, "p_value"},
                              {"settings"}},
                  .rows = {}};
  for (size_t i = 0; i < std::min(most, trials.size()); i++) {
    const SearchTrial& trial = trials[i];
    const size_t pairs = std::min(trial.runs.size(), trials[0].runs.size());
    const std::span<const double> own(trial.runs.data(), pairs), best(trials[0].runs.data(), pairs);
    double difference = 0;
    for (size_t k = 0; k < pairs; k++) difference += (own[k] - best[k]) / double(pairs);
    const std::optional<double> p = i > 0 ? paired_p_value(own, best) : std::nullopt;
    table.rows.push_back({trial.validation.mean, trial.validation.std, int64_t(trial.runs.size()),
                          i > 0 && pairs > 0 ? Cell(difference) : Cell(), p ? Cell(*p) : Cell(),
                          joined(trial.settings)});
  }
  return table;
}

// What trains with the settings of a trial: those that were given, then those that it drew.
std::string command_of(const ConfigFlags& given, const Config& config, const SearchTrial& trial) {
  std::string command = fmt::format("mgnn train {} --model {}", shell_quoted(config.source),
                                    shell_quoted(config.model));
  if (config.profile != "auto") command += " --profile " + shell_quoted(config.profile);
  if (!given.file.empty()) command += " -c " + shell_quoted(given.file);
  const auto add = [&](const Setting& setting) {
    static const std::set<std::string> kElsewhere = {"data.source", "model.name", "profile", "seed",
                                                     "seeds"};
    if (!kElsewhere.contains(setting.name)) command += " --set " + shell_quoted(setting.text());
  };
  for (const auto* layer : {&given.flags, &given.sets, &trial.settings})
    for (const Setting& setting : *layer) add(setting);
  return command;
}

// Prints them, best first, and if these are all, writes them where asked for.
void show_trials(const SearchVerb& verb, const Globals& globals, const Config& config,
                 const Dataset& dataset, std::vector<SearchTrial> trials, bool complete) {
  std::sort(trials.begin(), trials.end(), ranks_before);
  if (complete && !verb.output.empty())
    write_file(verb.output, csv_of(table_of(trials, trials.size())), verb.force);
  if (globals.json)
    return print_json(
        {{"model", config.model}, {"dataset", dataset.name}, {"trials", trials_json(trials)}});
  print(table_of(trials, size_t(verb.show)));
  print("\nBest: " + command_of(verb.config, config, trials.front()) + "\n");
}

// Takes what to try from the folder.
void resume_search(SearchVerb& verb, const TrialFolder& folder) {
  try {
    verb.trials = folder.plan().at("trials");
    verb.space = folder.plan().at("space");
    verb.rungs = folder.plan().at("rungs");
  } catch (const nlohmann::json::exception&) {
    fail_data("{}/plan.json: does not say what to try", folder.path());
  }
}

// What is known before the first trial.
struct Search {
  std::optional<TrialFolder> folder;
  std::unique_ptr<Config> config;
  SearchOptions options;
  Dataset dataset;
};

bool states_seeds(const SearchVerb& verb) {
  for (const Settings* layer : {&verb.config.flags, &verb.config.sets})
    for (const Setting& setting : *layer)
      if (setting.name == "seeds") return true;
  return false;
}

// Successive halving, unless a number of trials or seeds is stated.
void choose_rungs(SearchVerb& verb) {
  if (!verb.rungs.empty() && states_seeds(verb))
    fail_usage("--rungs says how many seeds each rung has; give --seeds with --trials");
  const bool stated = verb.trial_flags.fixed[0]->count() > 0 || states_seeds(verb);
  if (verb.rungs.empty() && !stated) verb.rungs = kRungs;
}

void prepare(SearchVerb& verb, const Globals& globals, Search& to) {
  if (ranks().rank() == 0) check_writable(verb.output, verb.force);
  to.folder = folder_to_resume(verb.trial_flags, "search", verb.config, globals);
  if (to.folder) resume_search(verb, *to.folder);
  check_folder(verb.trial_flags, verb.force);
  to.config = verb.config.resolve(globals);
  if (!to.folder) choose_rungs(verb);
  if (!verb.rungs.empty() && to.config->run.seeds != 1)
    spdlog::warn("seeds {} is not used: each rung of {} has its own; give --trials for one of all",
                 to.config->run.seeds, verb.rungs);
  to.options = {.trials = verb.trials, .seed = to.config->run.seed, .ranks = &ranks()};
  if (!verb.rungs.empty()) to.options.rungs = parse_rungs(verb.rungs);
  to.dataset = load_for_training(*to.config);
  tell_notes(to.dataset, globals, to.config->notes);
  const Options settings = to.config->options();
  for (const std::string& text : verb.space)
    to.options.space.push_back(parse_dimension(text, settings));
  if (to.options.space.empty()) to.options.space = default_space(settings);
  Json plan = plan_of("search", verb.config, globals, to.dataset);
  plan["trials"] = verb.trials;
  plan["rungs"] = verb.rungs;
  plan["space"] = verb.space;
  plan["configuration"] = toml_of(*to.config);
  start_folder(to.folder, verb.trial_flags, plan,
               default_run_path("search", to.config->model, to.config->source), verb.force);
  if (to.folder && verb.trial_flags.resumes() && finished(*to.folder, to.options))
    spdlog::warn("{}: is finished, so there is nothing to resume", to.folder->path());
}

void run(SearchVerb& verb, const Globals& globals) {
  Search prepared;
  all_or_none(ranks(), [&] { prepare(verb, globals, prepared); });
  auto& [folder, config, options, dataset] = prepared;
  check_same_training(dataset);
  share_folder(folder);
  std::vector<SearchTrial> trials;
  std::exception_ptr stopped;  // what was found until then is given all the same
  try {
    Progress progress("trials", num_trainings(options));
    double best = 0;
    std::map<int64_t, SearchTrial> by_number;  // as it is after its last rung
    search(
        config->layers, dataset, options,
        [&](const SearchTrial& trial) {
          const double score = trial.validation.mean;
          if (by_number.empty() || trial.metric.better(score, best)) best = score;
          by_number[trial.number] = trial;
          trials.clear();
          for (const auto& [number, one] : by_number) trials.push_back(one);
          progress.advance(1);
          progress.note(fmt::format("best validation {:.4f}", best));
        },
        folder ? &*folder : nullptr);
  } catch (const Error& error) {
    const Error told = with_resume_command(error, folder, "search");
    const bool mistake = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::data;
    if (mistake || trials.empty()) throw told;
    stopped = std::make_exception_ptr(told);
  }
  if (ranks().rank() == 0) show_trials(verb, globals, *config, dataset, trials, !stopped);
  if (stopped) std::rethrow_exception(stopped);
}

}  // namespace

Action add_search(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<SearchVerb>();
  add_config_options(command, verb->config);
  CLI::Option* trials =
      command
          .add_option(
              "--trials", verb->trials,
              "settings to try, all with the same seeds (--seeds); the first are those given")
          ->type_name("N")
          ->transform(decimal())
          ->check(CLI::PositiveNumber.description(""));
  CLI::Option* rungs =
      command
          .add_option(
              "--rungs", verb->rungs,
              fmt::format("successive halving: trials x seeds of each rung, the best of one "
                          "going on to the next (default: {}, unless --trials or --seeds "
                          "is given)",
                          kRungs))
          ->type_name("NxS,…")
          ->excludes(trials);
  CLI::Option* space =
      command
          .add_option(
              "--space", verb->space,
              "what to try: key=low..high, key=low~high (logarithmic), key=a|b (default: "
              "learning rate, weight decay, dropouts, number of layers and what else a network "
              "declares)")
          ->type_name("KEY=RANGE")
          ->allow_extra_args(false);
  add_trial_flags(command, verb->trial_flags);
  verb->trial_flags.fixed = {trials, space, rungs};
  command.add_option("--show", verb->show, "best trials to print")
      ->type_name("N")
      ->transform(decimal());
  command.add_option("-o,--output", verb->output, "write all trials (.csv)")->type_name("FILE");
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn search cora -s 100\n"
      "  mgnn search cora --rungs 60x1,12x3,4x8\n"
      "  mgnn search cora --trials 50 --seeds 3\n"
      "  mgnn search cora --model gcn --space dropout=0..0.7 --space 'layers=16|32|16,16'\n"
      "  mgnn search --resume runs/2026-11-18-search-gcn-cora");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
