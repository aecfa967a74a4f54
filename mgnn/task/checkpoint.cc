#include "mgnn/task/checkpoint.h"

#include <fmt/format.h>

#include <filesystem>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/task/weights_file.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double kSecondsAtStake = 300;  // the most that a crash may cost
constexpr const char* kEnding = ".safetensors";

constexpr const char* kCheckpointData = "dataset_sha256";
constexpr const char* kCheckpointInstructions = "instruction_set";

std::string checkpoint_path(const std::string& prefix, size_t run) {
  return fmt::format("{}{}{}", prefix, run, kEnding);
}

std::vector<fs::path> checkpoints_with(const std::string& prefix) {
  const fs::path begin(prefix);
  std::vector<fs::path> paths;
  for (const std::string& name : names_in_folder(begin.parent_path().string()))
    if (name.starts_with(begin.filename().string()) && name.ends_with(kEnding))
      paths.push_back(begin.parent_path() / name);
  return paths;
}

// Of a file that somebody else may have written.
void check_counts(const TrainingState& s, const std::string& path) {
  constexpr int64_t kMax = int64_t(1) << 53;
  for (const int64_t count : {s.epoch, s.steps, s.adam.steps, s.schedule.waited})
    if (count < 0 || count > kMax)
      fail_data("{}: invalid number of epochs or steps {}", path, count);
  int64_t before = -1;
  for (const EpochRecord& record : s.history) {
    if (record.epoch <= before || record.epoch > s.epoch)
      fail_data("{}: its history has epoch {} after {}, and ends at {}", path, record.epoch, before,
                s.epoch);
    before = record.epoch;
  }
  if (s.best.epoch < -1 || s.best.epoch > s.epoch || !(s.seconds >= 0))
    fail_data("{}: invalid best epoch {}, or seconds {}", path, s.best.epoch, s.seconds);
}

}  // namespace

TrainingCallbacks checkpoints_at(const std::string& prefix, const CheckpointOptions& options) {
  TrainingCallbacks callbacks;
  callbacks.checkpoint_every = options.every;
  callbacks.checkpoint_seconds = kSecondsAtStake;
  callbacks.checkpoint = [prefix, options](size_t run, const Repetition& state) {
    try {
      write_checkpoint(checkpoint_path(prefix, run), state, options.data);
    } catch (const Error& error) {
      if (!options.warn) throw;
      options.warn(error.what());
    }
  };
  if (options.resume)
    callbacks.restore = [prefix, data = options.data](size_t run, Repetition& state) {
      const std::string path = checkpoint_path(prefix, run);
      if (file_exists(path)) read_checkpoint(path, state, data);
    };
  return callbacks;
}

void remove_checkpoints(const std::string& prefix) {
  for (const fs::path& path : checkpoints_with(prefix)) remove_file(path.string());
}

std::string note_on_checkpoints(const std::string& prefix) {
  const std::string now = name_of(instruction_set());
  for (const fs::path& path : checkpoints_with(prefix)) {
    const SafeTensors file = read_safetensors(path.string());
    const std::string before = required(file, path.string(), kCheckpointInstructions);
    if (before != now)
      return fmt::format(
          "the training was begun with {} instructions and goes on with {}: the result will differ "
          "from that of a training without interruption by the rounding of sums",
          before, now);
  }
  return "";
}

namespace {

SafeTensors checkpoint_of(const Repetition& run, const std::string& data) {
  const TrainingState& s = run.state;
  SafeTensors file;
  add_weights(file, s.weights, s.weights.value, "weights.");
  if (!s.best_weights.empty()) add_weights(file, s.weights, s.best_weights, "best.");
  const bool has_adam = !s.adam.mean.empty();  // a training that is done may have it no more
  if (has_adam) {
    add_weights(file, s.weights, s.adam.mean, "adam.mean.");
    add_weights(file, s.weights, s.adam.square, "adam.square.");
  }
  if (!s.adam.largest.empty()) add_weights(file, s.weights, s.adam.largest, "adam.largest.");
  if (!s.average.empty()) add_weights(file, s.weights, s.average, "average.");
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
                      {"has_average", !s.average.empty()},
                      {"has_adam", has_adam},
                      {"adam_steps", s.adam.steps},
                      {"has_largest", !s.adam.largest.empty()},
                      {"schedule_best", s.schedule.best},
                      {"schedule_reached", s.schedule.reached},
                      {"schedule_waited", s.schedule.waited},
                      {"history", history}};
  file.metadata = {{"mgnn.version", MGNN_VERSION},
                   {kCheckpointData, data},
                   {kCheckpointInstructions, name_of(instruction_set())},
                   {"state", state.dump()}};
  return file;
}

void restore(const SafeTensors& file, const std::string& path, Repetition& run,
             const std::string& data) {
  if (required(file, path, kCheckpointData) != data)
    fail_data("{}: the data are not those that the training was begun with", path);
  const Json state = parsed(path, required(file, path, "state"));
  if (value_in<uint64_t>(state, path, "seed") != run.seed ||
      value_in<int64_t>(state, path, "fold") != run.fold)
    fail_data("{}: is of another seed or fold than the run to resume", path);
  TrainingState& s = run.state;
  s.weights.value = read_weights(file, path, s.weights, "weights.");
  if (value_in<bool>(state, path, "has_best"))
    s.best_weights = read_weights(file, path, s.weights, "best.");
  if (state.contains("has_average") && value_in<bool>(state, path, "has_average"))
    s.average = read_weights(file, path, s.weights, "average.");
  s.done = value_in<bool>(state, path, "done");
  if (!state.contains("has_adam") || value_in<bool>(state, path, "has_adam") || !s.done) {
    s.adam.mean = read_weights(file, path, s.weights, "adam.mean.");
    s.adam.square = read_weights(file, path, s.weights, "adam.square.");
  }
  if (value_in<bool>(state, path, "has_largest"))
    s.adam.largest = read_weights(file, path, s.weights, "adam.largest.");
  s.adam.steps = value_in<int64_t>(state, path, "adam_steps");
  s.schedule.best = value_in<double>(state, path, "schedule_best");
  s.schedule.reached = value_in<double>(state, path, "schedule_reached");
  s.schedule.waited = value_in<int64_t>(state, path, "schedule_waited");
  s.epoch = value_in<int64_t>(state, path, "epoch");
  s.steps = value_in<int64_t>(state, path, "steps");
  s.train_loss = value_in<double>(state, path, "train_loss");
  s.seconds = value_in<double>(state, path, "seconds");
  s.best = record_in(value_in<Json>(state, path, "best"), path);
  s.history.clear();
  for (const Json& record : value_in<Json>(state, path, "history"))
    s.history.push_back(record_in(record, path));
  check_counts(s, path);
}

}  // namespace

void write_checkpoint(const std::string& path, const Repetition& run, const std::string& data) {
  write_safetensors(path, checkpoint_of(run, data));
}

void read_checkpoint(const std::string& path, Repetition& run, const std::string& data) {
  restore(read_safetensors(path), path, run, data);
}

std::string checkpoint_bytes(const Repetition& run) {
  return safetensors_bytes(checkpoint_of(run, ""));
}

void read_checkpoint_bytes(std::string_view bytes, Repetition& run) {
  const char* const kFrom = "the state of a training on another rank";
  restore(parse_safetensors(bytes, kFrom), kFrom, run, "");
}

}  // namespace mgnn
