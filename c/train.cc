#include <algorithm>

#include "c/options_json.h"
#include "c/run.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/classification.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"

namespace mgnn::c {
namespace {

// Settings that say how data are read are of no use to data that are there.
void refuse_loading(const Settings& settings, const Dataset& dataset) {
  LoadOptions load;
  Options loading = load_options(load);
  std::string source;
  loading.push_back(option("source", source, "the data"));
  for (const Setting& setting : settings) {
    const bool of_data = setting.name.starts_with("data.");
    const std::string name = of_data ? last_part(setting.name) : setting.name;
    for (const Option& o : loading)
      if (o.name == name)
        fail_usage("{}: the dataset {} is given, and is read already; say so when it is loaded",
                   setting.name, dataset.name);
  }
}

Json json_of(const MatrixOf<int64_t>& matrix) {
  Json rows = Json::array();
  for (int64_t r = 0; r < matrix.rows; r++)
    rows.push_back(std::vector<int64_t>(matrix.row(r).begin(), matrix.row(r).end()));
  return rows;
}

Json entry_of(const Method& method) {
  return {{"name", method.name},
          {"summary", method.summary},
          {"paper", method.paper},
          {"nodes", method.supports(Level::node)},
          {"graphs", method.supports(Level::graph)},
          {"options", json_of_options(method.make()->options())}};
}

TrainingCallbacks with_epochs(TrainingCallbacks callbacks, const mgnn_train_options& asked) {
  if (!asked.validated) return callbacks;
  callbacks.is_enough = [&asked](size_t run, const EpochRecord& record) {
    const mgnn_epoch epoch{.size = sizeof(mgnn_epoch),
                           .run = int64_t(run),
                           .epoch = record.epoch,
                           .train_loss = record.train_loss,
                           .validation_loss = record.validation.loss,
                           .validation_metric = record.validation.metric};
    return asked.validated(asked.context, &epoch) != 0;
  };
  return callbacks;
}

// run_task, and writes the run. Where it fails, no half of one stays; where it is interrupted, its
// checkpoints do.
Result trained(Config& config, const Dataset& dataset, const RunFolder* folder,
               const TrainingCallbacks& callbacks) {
  try {
    Result result = run_task(config, dataset, callbacks);
    check_interrupted();
    if (folder)
      folder->finish(config, dataset, result, run_facts(config, dataset, result, program_facts()));
    return result;
  } catch (const Error& error) {
    if (folder && error.kind() != ErrorKind::interrupted) folder->discard();
    throw;
  } catch (...) {
    if (folder) folder->discard();
    throw;
  }
}

Json result_json(const Config& config, const Dataset& dataset, const Result& result,
                 const std::vector<std::string>& notes, const char* folder) {
  Json json = run_facts(config, dataset, result, program_facts());
  json["class_names"] = dataset.class_names;
  json["notes"] = notes;
  json["warnings"] = config.task().warnings(dataset, result);
  json["run_dir"] = folder ? Json(folder) : Json(nullptr);
  return json;
}

Json confusion_json(const Config& config, const Result& result) {
  const bool has_one = dynamic_cast<const ClassificationTask*>(&config.task()) != nullptr;
  return has_one ? json_of(confusion_of(result.best_run())) : Json(nullptr);
}

mgnn_run* train_as_asked(const mgnn_dataset* dataset, const mgnn_train_options& asked) {
  std::unique_ptr<Config> config = config_of(asked.settings, dataset);
  if (asked.output) RunFolder::check(asked.output, asked.overwrite != 0);
  const std::shared_ptr<const Dataset> data = data_for(*config, dataset);
  std::vector<std::string> notes = data->remarks;
  notes.insert(notes.end(), config->notes.begin(), config->notes.end());
  std::optional<RunFolder> folder;
  TrainingCallbacks callbacks;
  if (asked.output) {
    folder = RunFolder::create(asked.output, *config, asked.overwrite != 0);
    callbacks = folder->callbacks(0, /*resume=*/false, *data,
                                  [&](const std::string& sentence) { notes.push_back(sentence); });
  }
  Result result =
      trained(*config, *data, folder ? &*folder : nullptr, with_epochs(callbacks, asked));
  std::unique_ptr<mgnn_run> run = new_run(model_bytes(*config, *data, result), "the trained model");
  run->data = data;
  run->result = result_json(*config, *data, result, notes, asked.output);
  run->history = epochs_json(result);
  run->confusion = confusion_json(*config, result);
  for (Repetition& repetition : result.runs)
    repetition.state.adam = {};  // nothing goes on from here
  run->training =
      std::make_unique<mgnn_training>(mgnn_training{std::move(config), std::move(result)});
  return run.release();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> program_facts() {
  return {{"version", MGNN_VERSION}, {"threads", std::to_string(num_threads())}};
}

std::unique_ptr<Config> config_of(const char* settings, const mgnn_dataset* dataset,
                                  const Settings& others) {
  ConfigLayers layers{.file = {}, .flags = others, .sets = settings_of(settings)};
  if (dataset) {
    refuse_loading(layers.sets, *dataset->data);
    layers.file.emplace_back("data.source", dataset->source);
    for (const Setting& setting : dataset->settings)
      if (setting.name != "data_dir" && setting.name != "seed")
        layers.file.emplace_back("data." + setting.name, setting.value);
  }
  std::unique_ptr<Config> config = resolve_config(std::move(layers));
  if (!dataset && config->source.empty())
    fail_usage("no data; give a dataset, or the setting data.source");
  config->load.seed = config->run.seed;
  return config;
}

std::shared_ptr<const Dataset> data_for(Config& config, const mgnn_dataset* dataset) {
  if (!dataset) return std::make_shared<const Dataset>(load_for_training(config));
  dataset->in_use = true;
  return prepared_for_training(config, std::shared_ptr<const Dataset>(dataset->data));
}

}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_tasks(mgnn_buffer** json) {
  return guarded([&] {
    Json list = Json::array();
    for (const TaskEntry& entry : tasks())
      list.push_back({{"name", entry.name},
                      {"title", entry.title},
                      {"options", json_of_options(entry.make()->options())}});
    needed(json, "json") = new_buffer(list);
  });
}

int mgnn_networks(mgnn_buffer** json) {
  return guarded([&] {
    Json list = Json::array();
    for (const Method& method : methods()) list.push_back(entry_of(method));
    needed(json, "json") = new_buffer(list);
  });
}

int mgnn_settings(const char* settings, mgnn_buffer** json) {
  return guarded([&] {
    needed(json, "json");
    const std::unique_ptr<Config> config = resolve_config({.sets = settings_of(settings)});
    *json = new_buffer(json_of_options(config->used_options()));
  });
}

int mgnn_train(const mgnn_call* call, const mgnn_dataset* dataset,
               const mgnn_train_options* options, mgnn_run** run) {
  return in_call(call, [&] {
    needed(run, "run");
    *run = train_as_asked(dataset, given(options, "mgnn_train_options"));
  });
}
