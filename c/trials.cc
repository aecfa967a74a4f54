// Comparisons and searches.

#include <algorithm>

#include "c/run.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/file.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/task/compare.h"
#include "mgnn/task/search.h"

namespace mgnn::c {
namespace {

// The folder, if one is wanted: a new one, or what is there of the same plan.
std::optional<TrialFolder> folder_for(const char* path, const Json& plan) {
  if (!path) return {};
  if (!file_exists(std::string(path) + "/plan.json"))
    return TrialFolder::create(path, plan, /*force=*/false);
  TrialFolder folder = TrialFolder::open(path);
  folder.check_plan(plan);
  return folder;
}

Json plan_of(const char* verb, const char* settings, const std::string& configuration,
             const Dataset& dataset) {
  return {{"verb", verb},
          {"version", MGNN_VERSION},
          {"settings", text_of(settings)},
          {"configuration", configuration},
          {"instruction_set", name_of(instruction_set())},
          {"data", fingerprint_for_training(dataset)}};
}

Json compared_as_asked(const mgnn_dataset* dataset, const mgnn_compare_options& asked) {
  const std::vector<std::string> names = names_of(asked.num_models, asked.models, "models");
  check(!names.empty(), "models names no model");
  check_models(names);
  const Configs configs = comparison_configs(names, [&](const std::string& network) {
    return config_of(asked.settings, dataset, {{"model.name", Value(network)}});
  });
  const std::shared_ptr<const Dataset> data = data_for(*configs[0], dataset);
  check_comparable(configs, *data, names);
  std::string configuration;
  for (const auto& config : configs) configuration += toml_of(*config);
  Json plan = plan_of("compare", asked.settings, configuration, *data);
  plan["models"] = names;
  return json_of(compare(configs, *data, names, folder_for(asked.folder, plan)));
}

Json searched_as_asked(const mgnn_dataset* dataset, const mgnn_search_options& asked) {
  check(asked.trials >= 0, "{} trials", asked.trials);
  const std::unique_ptr<Config> config = config_of(asked.settings, dataset);
  const std::shared_ptr<const Dataset> data = data_for(*config, dataset);
  SearchOptions options{.trials = asked.trials > 0 ? asked.trials : 30, .seed = asked.seed};
  if (asked.rungs && *asked.rungs) {
    check(asked.trials == 0, "rungs say how many trials there are; {} trials are given as well",
          asked.trials);
    options.rungs = parse_rungs(asked.rungs);
  }
  const Options settings = config->options();
  for (const std::string& text : names_of(asked.num_dimensions, asked.dimensions, "dimensions"))
    options.space.push_back(parse_dimension(text, settings));
  if (options.space.empty()) options.space = default_space(settings);
  Json plan = plan_of("search", asked.settings, toml_of(*config), *data);
  plan["trials"] = options.trials;
  plan["rungs"] = text_of(asked.rungs, "");
  plan["seed"] = options.seed;
  plan["space"] = names_of(asked.num_dimensions, asked.dimensions, "dimensions");
  const std::optional<TrialFolder> folder = folder_for(asked.folder, plan);
  Progress progress("trials", num_trainings(options));
  std::vector<SearchTrial> trials = search(
      config->layers, *data, options, [&](const SearchTrial&) { progress.advance(1); },
      folder ? &*folder : nullptr);
  std::sort(trials.begin(), trials.end(), ranks_before);
  return trials_json(trials);
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_compare(const mgnn_call* call, const mgnn_dataset* dataset,
                 const mgnn_compare_options* options, mgnn_buffer** json) {
  return in_call(call, [&] {
    needed(json, "json");
    const auto asked = given(&needed(options, "options"), "mgnn_compare_options");
    *json = new_buffer(compared_as_asked(dataset, asked));
  });
}

int mgnn_search(const mgnn_call* call, const mgnn_dataset* dataset,
                const mgnn_search_options* options, mgnn_buffer** json) {
  return in_call(call, [&] {
    needed(json, "json");
    *json = new_buffer(searched_as_asked(dataset, given(options, "mgnn_search_options")));
  });
}
