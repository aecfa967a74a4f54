#include "mgnn/task/checkpoint.h"

#include <fmt/format.h>

#include <filesystem>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/task/weights_file.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double kSecondsAtStake = 300;  // the most that a crash may cost
constexpr const char* kEnding = ".safetensors";

std::string checkpoint_path(const std::string& prefix, size_t run) {
  return fmt::format("{}{}{}", prefix, run, kEnding);
}

}  // namespace

TrainingCallbacks checkpoints_at(const std::string& prefix, const CheckpointOptions& options) {
  TrainingCallbacks callbacks;
  callbacks.checkpoint_every = options.every;
  callbacks.checkpoint_seconds = kSecondsAtStake;
  callbacks.checkpoint = [prefix](size_t run, const Repetition& state) {
    write_checkpoint(checkpoint_path(prefix, run), state);
  };
  if (options.resume)
    callbacks.restore = [prefix](size_t run, Repetition& state) {
      const std::string path = checkpoint_path(prefix, run);
      if (file_exists(path)) read_checkpoint(path, state);
    };
  return callbacks;
}

void remove_checkpoints(const std::string& prefix) {
  const fs::path begin(prefix);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(begin.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin.filename().string()) && name.ends_with(kEnding))
      fs::remove(entry.path(), ignored);
  }
}

void write_checkpoint(const std::string& path, const Repetition& run) {
  const TrainingState& s = run.state;
  SafeTensors file;
  add_weights(file, s.weights, s.weights.value, "weights.");
  if (!s.best_weights.empty()) add_weights(file, s.weights, s.best_weights, "best.");
  add_weights(file, s.weights, s.adam.mean, "adam.mean.");
  add_weights(file, s.weights, s.adam.square, "adam.square.");
  if (!s.adam.largest.empty()) add_weights(file, s.weights, s.adam.largest, "adam.largest.");
  Json history = Json::array();
  for (const EpochRecord& record : s.history) history.push_back(json_of(record));
  const Json state = {{"seed", run.seed},
                      {"fold", run.fold},
                      {"epoch", s.epoch},
                      {"steps", s.steps},
                      {"train_loss", s.train_loss},
                      {"done", s.done},
                      {"seconds", s.seconds},
                      {"best", json_of(s.best)},
                      {"has_best", !s.best_weights.empty()},
                      {"adam_steps", s.adam.steps},
                      {"has_largest", !s.adam.largest.empty()},
                      {"schedule_best", s.schedule.best},
                      {"schedule_reached", s.schedule.reached},
                      {"schedule_waited", s.schedule.waited},
                      {"history", history}};
  file.metadata = {{"mgnn.version", MGNN_VERSION}, {"state", state.dump()}};
  write_safetensors(path, file);
}

void read_checkpoint(const std::string& path, Repetition& run) {
  const SafeTensors file = read_safetensors(path);
  const Json state = parsed(path, required(file, path, "state"));
  if (value_in<uint64_t>(state, path, "seed") != run.seed ||
      value_in<int64_t>(state, path, "fold") != run.fold)
    fail_data("{}: is of another seed or fold than the run to resume", path);
  TrainingState& s = run.state;
  s.weights.value = read_weights(file, path, s.weights, "weights.");
  if (value_in<bool>(state, path, "has_best"))
    s.best_weights = read_weights(file, path, s.weights, "best.");
  s.adam.mean = read_weights(file, path, s.weights, "adam.mean.");
  s.adam.square = read_weights(file, path, s.weights, "adam.square.");
  if (value_in<bool>(state, path, "has_largest"))
    s.adam.largest = read_weights(file, path, s.weights, "adam.largest.");
  s.adam.steps = value_in<int64_t>(state, path, "adam_steps");
  s.schedule.best = value_in<double>(state, path, "schedule_best");
  s.schedule.reached = value_in<double>(state, path, "schedule_reached");
  s.schedule.waited = value_in<int64_t>(state, path, "schedule_waited");
  s.epoch = value_in<int64_t>(state, path, "epoch");
  s.steps = value_in<int64_t>(state, path, "steps");
  s.train_loss = value_in<double>(state, path, "train_loss");
  s.done = value_in<bool>(state, path, "done");
  s.seconds = value_in<double>(state, path, "seconds");
  s.best = record_in(value_in<Json>(state, path, "best"), path);
  s.history.clear();
  for (const Json& record : value_in<Json>(state, path, "history"))
    s.history.push_back(record_in(record, path));
}

}  // namespace mgnn
