#include "mgnn/task/compare.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/config_options.h"
#include "cli/notes.h"
#include "cli/ranks.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct CompareVerb {
  ConfigFlags config;
  TrialFlags trial_flags = {};
  std::string models = "mgnn,gcn,gat";
  bool csv = false, markdown = false, force = false;
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::stringstream words(list);
  for (std::string word; std::getline(words, word, ',');) names.push_back(word);
  if (names.empty()) fail_usage("--models names no model; use a list as in mgnn,gcn,gat");
  check_models(names);
  return names;
}

std::unique_ptr<Config> config_of(const CompareVerb& verb, const Globals& globals,
                                  const std::string& model) {
  ConfigFlags flags = verb.config;
  flags.flags.emplace_back("model.name", model);
  return flags.resolve(globals);
}

// Notes that the first network has not.
void tell_other_notes(const Configs& configs) {
  std::vector<std::string> told = configs[0]->notes;
  for (const auto& config : configs)
    for (const std::string& note : config->notes) {
      if (std::find(told.begin(), told.end(), note) != told.end()) continue;
      spdlog::warn("{}", note);
      told.push_back(note);
    }
}

// Takes the networks from the folder.
void resume_comparison(CompareVerb& verb, const TrialFolder& folder) {
  try {
    verb.models = folder.plan().at("models");
  } catch (const nlohmann::json::exception&) {
    fail_data("{}/plan.json: does not say which models to compare", folder.path());
  }
}

void show(const CompareVerb& verb, const Globals& globals, const Comparison& comparison) {
  if (globals.json) return print_json(json_of(comparison));
  const std::string head = headline(comparison) + "\n" + direction_line(comparison) + "\n",
                    significance = significance_line(comparison);
  if (verb.csv || verb.markdown) {  // the table alone is for others to read
    if (comparison.directed) spdlog::warn("{}", direction_line(comparison));
    if (!significance.empty() && !globals.quiet) fmt::print(stderr, "mgnn: {}\n", significance);
    const TextTable table = table_for_others(comparison);
    return print(verb.csv ? csv_of(table) : markdown_of(table));
  }
  print(emphasised(head) + "\n");
  print(table_of(comparison));
  if (!significance.empty()) print("\n" + significance + "\n");
}

// What is known before the first training.
struct Prepared {
  std::optional<TrialFolder> folder;
  std::vector<std::string> names;
  Configs configs;
  Dataset dataset;
};

void prepare(CompareVerb& verb, const Globals& globals, Prepared& to) {
  auto& [folder, names, configs, dataset] = to;
  folder = folder_to_resume(verb.trial_flags, "compare", verb.config, globals);
  if (folder) resume_comparison(verb, *folder);
  names = names_in(verb.models);
  for (const Setting& setting : verb.config.flags)
    if (setting.name == "model.name")
      fail_usage("--model names one network; use --models {}", verb.models);
  if (!folder && verb.config.file.empty())
    verb.config.flags.emplace(verb.config.flags.begin(), "seeds", int64_t(5));
  check_folder(verb.trial_flags, verb.force);
  // All mistakes are reported before anything is trained.
  configs = comparison_configs(
      names, [&](const std::string& network) { return config_of(verb, globals, network); });
  dataset = load_for_training(*configs[0]);
  tell_notes(dataset, globals, configs[0]->notes);
  check_comparable(configs, dataset, names);
  tell_other_notes(configs);
  Json plan = plan_of("compare", verb.config, globals, dataset);
  plan["models"] = verb.models;
  std::string settings;
  for (const auto& config : configs) settings += toml_of(*config);
  plan["configuration"] = settings;
  start_folder(folder, verb.trial_flags, plan,
               default_run_path("compare", names[0], configs[0]->source), verb.force);
  if (folder && verb.trial_flags.resumes() && is_finished(*folder, names))
    spdlog::warn("{}: is finished, so there is nothing to resume", folder->path());
}

void run(CompareVerb& verb, const Globals& globals) {
  Prepared prepared;
  all_or_none(ranks(), [&] { prepare(verb, globals, prepared); });
  auto& [folder, names, configs, dataset] = prepared;
  check_same_training(dataset);
  share_folder(folder);
  try {
    const Comparison result = compare(configs, dataset, names, folder, &ranks());
    if (ranks().rank() == 0) show(verb, globals, result);
  } catch (const Error& error) {
    throw with_resume_command(error, folder, "compare");
  }
}

}  // namespace

Action add_compare(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<CompareVerb>();
  add_config_options(command, verb->config);
  CLI::Option* models =
      command
          .add_option(
              "--models", verb->models,
              "networks, or embeddings with logistic regression; differences are to the first")
          ->type_name("A,B,…")
          ->capture_default_str();
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  command.add_flag("--markdown", verb->markdown, "print a Markdown table")->excludes(csv);
  add_trial_flags(command, verb->trial_flags);
  verb->trial_flags.fixed = {models};
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn compare cora --models mgnn,gcn,gat,gin --seeds 10\n"
      "  mgnn compare cora --models mgnn,node2vec,deepwalk,grarep,hope\n"
      "  mgnn compare pubmed --models mgnn,sage --epochs 500 --csv > table.csv\n"
      "  mgnn compare --resume runs/2026-11-18-compare-mgnn-cora");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
