#include "mgnn/task/run_folder.h"

#include <fmt/chrono.h>

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "mgnn/base/csv.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/temporary.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/io/text_writer.h"
#include "mgnn/task/checkpoint.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kConfig = "config.toml";
constexpr const char* kModel = "model.safetensors";

constexpr const char* kCheckpoint = "checkpoint-";  // and the number of the repetition

Json json_of(const MeanStd& scores, const std::vector<Repetition>& runs, Scores Repetition::*of) {
  Json each = Json::array();
  bool any = false;  // a score of no items is null
  for (const Repetition& run : runs) {
    const Scores& part = run.*of;
    any |= part.count > 0;
    each.push_back(part.count > 0 ? Json(part.metric) : Json(nullptr));
  }
  return {{"mean", any ? Json(scores.mean) : Json(nullptr)},
          {"std", any ? Json(scores.std) : Json(nullptr)},
          {"runs", each}};
}

void write_ids(const std::string& path, const Dataset& dataset) {
  TextWriter file(path);
  file.text("node\tid\n");
  for (NodeId v = 0; v < dataset.graph.num_nodes(); v++) {
    file.number(v);
    file.text("\t" + dataset.ids.name(v) + "\n");
  }
  file.commit();
}

}  // namespace

void RunFolder::check(const std::string& path, bool force) {
  const RunFolder folder(path);
  if (file_exists(path) && !is_directory(path))
    fail_usage("{}: is a file; a run needs a folder", path);
  if (!force && (file_exists(folder.file(kConfig)) || file_exists(folder.file(kModel))))
    fail_usage(Hint(Hint::resume, path), "{}: has a run already", path);
  check_folder_writable(path);
}

RunFolder RunFolder::create(const std::string& path, Config& config, bool force) {
  RunFolder folder(path);
  check(path, force);
  folder.is_new_ = !file_exists(path);
  make_folder(path);
  folder.lock_ = lock_folder(path);
  check(path, force);  // another process may have been faster
  sweep_temporaries(path);
  if (force) {
    remove_file(folder.file("run.json"));
    remove_checkpoints(folder.file(kCheckpoint));
  }
  write_file(folder.file(kConfig), stored_toml(config));
  return folder;
}

RunFolder RunFolder::open(const std::string& path) {
  RunFolder folder(path);
  if (!file_exists(folder.file(kConfig)))
    fail_data("{}: there is no run to resume: it has no {}", path, kConfig);
  folder.lock_ = lock_folder(path);
  sweep_temporaries(path);
  if (folder.finished()) remove_checkpoints(folder.file(kCheckpoint));  // it was killed just then
  return folder;
}

TrainingCallbacks RunFolder::callbacks(int64_t every, bool resume, const Dataset& dataset,
                                       const Warning& warn) const {
  return checkpoints_at(
      file(kCheckpoint),
      {.every = every, .resume = resume, .data = fingerprint_for_training(dataset), .warn = warn});
}

std::string RunFolder::note() const { return note_on_checkpoints(file(kCheckpoint)); }

void RunFolder::finish(Config& config, const Dataset& dataset, const Result& result,
                       const Json& facts) const {
  write_model(file(kModel), config, dataset, result, /*overwrite=*/true);
  TextWriter metrics(file("metrics.jsonl"));
  for (const Json& epoch : epochs_json(result)) metrics.text(epoch.dump() + "\n");
  metrics.commit();
  if (!dataset.is_set()) write_ids(file("ids.tsv"), dataset);
  config.task().write_predictions(file("predictions.csv"), dataset, result);
  write_file(file("run.json"), facts.dump(2) + "\n");
  remove_checkpoints(file(kCheckpoint));
}

void RunFolder::discard() const noexcept {
  if (!is_new_) return;
  std::error_code error;
  try {
    for (const auto& entry : fs::directory_iterator(path_))
      if (entry.path().filename().string().starts_with(kCheckpoint)) return;
    for (const char* name :
         {kConfig, kModel, "metrics.jsonl", "ids.tsv", "predictions.csv", "run.json"})
      fs::remove(file(name), error);
    fs::remove(path_, error);        // unless somebody else has put something in
  } catch (const std::exception&) {  // memory may be short; then the folder stays
  }
}

std::string default_run_path(const std::string& task, const std::string& model,
                             const std::string& data) {
  return fmt::format("runs/{:%Y-%m-%d}-{}-{}-{}", fmt::localtime(std::time(nullptr)), task, model,
                     fs::path(data).stem().string());
}

Json json_of(const Task& task, const Result& result, const std::string& model,
             const std::string& dataset) {
  Json json = {{"task", result.task},
               {"model", model},
               {"dataset", dataset},
               {"metric", result.metric.name},
               {"test", json_of(result.test(), result.runs, &Repetition::test)},
               {"validation", json_of(result.validation(), result.runs, &Repetition::validation)},
               {"epochs", result.epochs()},
               {"seconds_per_epoch", result.seconds_per_epoch()},
               {"seconds_total", result.seconds_total},
               {"parameters", result.parameters},
               {"peak_memory_bytes", peak_memory_bytes()}};
  if (!result.validation_metric.name.empty())
    json["validation_metric"] = result.validation_metric.name;
  for (const auto& [name, number] : result.runs[0].extra_metrics) {
    const MeanStd score = result.extra_metric(name);
    Json& entry = json["extra_metrics"][name] = {{"mean", score.mean}, {"std", score.std}};
    for (const Repetition& run : result.runs) entry["runs"].push_back(run.extra_metrics.at(name));
  }
  task.add_json(result, json);
  return json;
}

Json run_facts(const Config& config, const Dataset& dataset, const Result& result,
               const std::vector<std::pair<std::string, std::string>>& program) {
  Json facts = json_of(config.task(), result, config.model, dataset.name);
  for (const auto& [what, value] : program) facts[what] = value;
  facts["seed"] = config.run.seed;
  facts["seeds"] = config.run.seeds;
  facts["dataset_sha256"] = fingerprint(dataset);
  facts["features"] = dataset.features_from;
  facts["split"] = split_name(dataset, config.run.split);
  return facts;
}

Json epochs_json(const Result& result) {
  Json epochs = Json::array();
  const auto add = [&](const Repetition& run, const TrainingState& state, size_t member) {
    for (const EpochRecord& r : state.history) {
      epochs.push_back({{"seed", run.seed},
                        {"fold", run.fold},
                        {"epoch", r.epoch},
                        {"train_loss", r.train_loss},
                        {"validation_loss", r.validation.loss},
                        {"validation_" + result.validation_name(), r.validation.metric}});
      if (result.ensemble > 1) epochs.back()["member"] = member;
    }
  };
  for (const Repetition& run : result.runs) {
    add(run, run.state, 1);
    for (size_t m = 0; m < run.others.size(); m++) add(run, run.others[m], m + 2);
  }
  return epochs;
}

void write_curves(const std::string& path, const Result& result, bool overwrite) {
  TextWriter file(path, overwrite);
  file.text("run,seed,fold,epoch,train_loss,validation_loss,validation_" +
            result.validation_name() + "\n");
  for (size_t r = 0; r < result.runs.size(); r++)
    for (const EpochRecord& record : result.runs[r].state.history)
      file.text(fmt::format("{},{},{},{},{},{},{}\n", r, result.runs[r].seed, result.runs[r].fold,
                            record.epoch, record.train_loss, record.validation.loss,
                            record.validation.metric));
  file.commit();
}

}  // namespace mgnn
