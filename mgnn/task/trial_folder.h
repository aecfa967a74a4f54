// Finished trainings of a search or a comparison on disk, so that an interrupted one goes on where
// it was.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "mgnn/task/checkpoint.h"
#include "mgnn/task/config.h"

namespace mgnn {

// Files: plan.json, NAME.json for every finished trial, and while one trains NAME-N.safetensors for
// its repetition N. All of them appear under their names only when complete.
class TrialFolder {
 public:
  using Json = nlohmann::ordered_json;

  // Makes the folder. `plan`: an object of all that decides the results. Throws Error (usage) if there
  // are trials in it already, unless `force`, which removes them, and if another process writes to it.
  static TrialFolder create(const std::string& path, const Json& plan, bool force);
  // What `create` would say, before there is anything to keep; makes nothing.
  static void check(const std::string& path, bool force);
  // To resume. Throws Error (data) if there is no plan, and (usage) if another process writes to it.
  static TrialFolder open(const std::string& path);

  // The folder that another process has, for those that work for it. Nothing: it is not to be seen here.
  static std::optional<TrialFolder> join(const std::string& path);

  Warning warn = {};  // see CheckpointOptions

  const std::string& path() const { return path_; }
  const Json& plan() const { return plan_; }
  // What whoever resumes should know, since the kernels have other instructions here; else empty.
  std::string note() const;
  // Throws Error (usage) that names what differs from the plan of the folder, but for instructions.
  void check_plan(const Json& plan) const;

  // A finished trial; nothing: it is not finished.
  std::optional<Json> find(const std::string& name) const;
  // Its checkpoints go.
  void add(const std::string& name, const Json& trial) const;
  // What `train_all` needs to write checkpoints of a trial and to read those of an earlier process.
  TrainingCallbacks checkpoints(const std::string& name) const;

 private:
  TrialFolder(std::string path, Json plan) : path_(std::move(path)), plan_(std::move(plan)) {}
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  std::string path_;
  Json plan_;
  std::shared_ptr<const void> lock_;  // see lock_folder
};

}  // namespace mgnn
