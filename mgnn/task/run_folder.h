// A run on disk: configuration, scores, curves, model, predictions.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "mgnn/base/file.h"
#include "mgnn/task/checkpoint.h"
#include "mgnn/task/repeat.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

// Files: config.toml, run.json, metrics.jsonl, model.safetensors, ids.tsv, predictions.csv, and
// while it trains checkpoint-N.safetensors for repetition N.
class RunFolder {
 public:
  // Makes the folder and config.toml. Throws Error (usage) if there is a run in it already, unless
  // `force`, which replaces it, and if another process writes to the folder.
  static RunFolder create(const std::string& path, Config& config, bool force);
  // What `create` would say, before there is anything to keep; makes nothing.
  static void check(const std::string& path, bool force);
  // To resume: must have a config.toml. Throws Error (data), and (usage) if another process writes to
  // the folder.
  static RunFolder open(const std::string& path);

  // One that another rank writes: for checkpoints alone.
  static RunFolder join(const std::string& path) { return RunFolder(path); }

  bool finished() const { return file_exists(file("run.json")); }  // it is written last

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  // What `train_all` needs to write checkpoints every `every` epochs (0: not by epochs), every five
  // minutes and when interrupted, and to read those of an earlier run if `resume`, of the same data.
  // `warn`: see CheckpointOptions.
  TrainingCallbacks callbacks(int64_t every, bool resume, const Dataset& dataset,
                              const Warning& warn = {}) const;
  // What whoever resumes should know; empty if nothing. See note_on_checkpoints.
  std::string note() const;

  // Everything of a finished run; the checkpoints go.
  void finish(Config& config, const Dataset& dataset, const Result& result,
              const nlohmann::ordered_json& facts) const;

  // After a failure: removes what was written to a folder that `create` made, unless there are
  // checkpoints to resume from.
  void discard() const noexcept;

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
  bool is_new_ = false;               // `create` made it
  std::shared_ptr<const void> lock_;  // see lock_folder
};

// runs/<date>-<task>-<model>-<data>; see make_new_folder for where that is taken.
std::string default_run_path(const std::string& task, const std::string& model,
                             const std::string& data);

// The contract of `train --json`, without the run's folder.
nlohmann::ordered_json json_of(const Task& task, const Result& result, const std::string& model,
                               const std::string& dataset);

// What run.json says: the same, what made it (pairs of what and its value), settings and data.
nlohmann::ordered_json run_facts(const Config& config, const Dataset& dataset, const Result& result,
                                 const std::vector<std::pair<std::string, std::string>>& program);
// The validated epochs of all repetitions, as in metrics.jsonl.
nlohmann::ordered_json epochs_json(const Result& result);

// One line per validated epoch: run, seed, fold, epoch, train_loss, validation_loss,
// validation_<metric>.
void write_curves(const std::string& path, const Result& result, bool overwrite);

}  // namespace mgnn
