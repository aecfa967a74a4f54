#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/config_options.h"
#include "cli/result_tables.h"
#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/run_task.h"
#include "mgnn/task/significance.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct CompareVerb {
  ConfigFlags config;
  std::string models = "mgnn,gcn,gat";
  bool csv = false, markdown = false;
};

struct Compared {
  std::string model;
  Result result;
  std::optional<double> p_value;  // of the difference to the first
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::stringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    find_method(word);
    if (!seen.insert(word).second) fail_usage("--models names {} twice", word);
    names.push_back(word);
  }
  if (names.empty()) fail_usage("--models names no model; use a list as in mgnn,gcn,gat");
  return names;
}

std::unique_ptr<Config> config_of(const CompareVerb& verb, const Globals& globals,
                                  const std::string& model) {
  ConfigFlags flags = verb.config;
  if (flags.file.empty()) flags.flags.insert(flags.flags.begin(), "seeds=5");
  flags.flags.push_back("model.name=" + model);
  return flags.resolve(globals, "roles");
}

std::vector<double> test_scores(const Result& result) {
  std::vector<double> scores;
  for (const Repetition& run : result.runs) scores.push_back(run.test.metric);
  return scores;
}

Cell cell_of(const std::optional<double>& value) {
  return value ? Cell(*value) : Cell(std::monostate{});
}

TextTable table_of(const std::vector<Compared>& all) {
  TextTable table{.columns = {{"model"},
                              {"test", Align::decimal, 4},
                              {"±", Align::decimal, 4, "test_std"},
                              {"validation", Align::decimal, 4},
                              {"±", Align::decimal, 4, "validation_std"},
                              {"difference", Align::decimal, 4},
                              {"p", Align::decimal, 4, "p_value"},
                              {"weights", Align::right, 0, "parameters"},
                              {"epochs", Align::right},
                              {"ms/epoch", Align::decimal, 2, "ms_per_epoch"},
                              {"total s", Align::decimal, 1, "seconds_total"},
                              {"inference ms", Align::decimal, 2, "ms_inference"}},
                  .rows = {}};
  for (const Compared& one : all) {
    const Result& r = one.result;
    const MeanStd test = r.test(), validation = r.validation();
    const bool first = &one == &all[0];
    std::optional<double> difference, inference;
    if (!first) difference = test.mean - all[0].result.test().mean;
    if (r.seconds_inference > 0) inference = 1e3 * r.seconds_inference;
    table.rows.push_back({one.model, test.mean, test.std, validation.mean, validation.std,
                          cell_of(difference), cell_of(one.p_value), r.parameters, r.epochs(),
                          1e3 * r.seconds_per_epoch(), r.seconds_total, cell_of(inference)});
  }
  return table;
}

Json json_of_all(const std::vector<Compared>& all, const Dataset& dataset) {
  Json json;
  json["dataset"] = dataset.name;
  json["task"] = all[0].result.task;
  json["metric"] = all[0].result.metric;
  json["compared_with"] = all[0].model;
  for (const Compared& one : all) {
    Json entry = json_of(one.result, one.model, dataset.name);
    entry["seconds_inference"] = one.result.seconds_inference;
    entry["difference"] = one.result.test().mean - all[0].result.test().mean;
    entry["p_value"] = one.p_value ? Json(*one.p_value) : Json(nullptr);
    json["models"].push_back(entry);
  }
  return json;
}

void run(const CompareVerb& verb, const Globals& globals) {
  const std::vector<std::string> names = names_in(verb.models);
  for (const std::string& setting : verb.config.flags)
    if (setting.starts_with("model.name="))
      fail_usage("--model names one network; use --models {}", verb.models);
  // All mistakes are told before anything is trained.
  std::vector<std::unique_ptr<Config>> configs;
  for (const std::string& name : names) configs.push_back(config_of(verb, globals, name));
  const Dataset dataset = load_for_training(*configs[0]);
  for (const auto& config : configs)
    if (task_of(*config, dataset) == "unsupervised" && !config->unsupervised.probe)
      fail_usage("networks without labels are compared by what their vectors know; add --probe");

  std::vector<Compared> all;
  for (const auto& config : configs) {
    Watch watch;
    watch.label = config->model;
    all.push_back({config->model, run_task(*config, dataset, watch), {}});
    if (all.size() > 1)
      all.back().p_value =
          paired_p_value(test_scores(all.back().result), test_scores(all[0].result));
  }
  if (globals.json) return print_json(json_of_all(all, dataset));
  const TextTable table = table_of(all);
  if (verb.csv) return print(csv_of(table));
  if (verb.markdown) return print(markdown_of(table));
  print(emphasised(fmt::format("{} of {}: {} over {} splits, the same for all\n\n",
                               task_title(all[0].result.task), dataset.name, all[0].result.metric,
                               all[0].result.runs.size())));
  print(table);
  if (all.size() > 1)
    print(fmt::format(
        "\ndifference to {}; p: two-sided paired t-test over the splits, which overlap, so that p "
        "is rather too small\n",
        all[0].model));
}

}  // namespace

Action add_compare(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<CompareVerb>();
  add_config_options(command, verb->config);
  command.add_option("--models", verb->models, "the networks; differences are those to the first")
      ->type_name("A,B,…")
      ->capture_default_str();
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  command.add_flag("--markdown", verb->markdown, "print a Markdown table")->excludes(csv);
  command.footer(
      "  mgnn compare cora --models mgnn,gcn,gat,gin --seeds 10\n"
      "  mgnn compare pubmed --models mgnn,sage --epochs 500 --csv > table.csv");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
