#include "mgnn/task/trial_folder.h"

#include "mgnn/base/cpu.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/json_text.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/temporary.h"
#include "mgnn/task/checkpoint.h"

namespace mgnn {
namespace {

using Json = TrialFolder::Json;

constexpr const char* kPlan = "plan.json";
constexpr const char* kPlanInstructions = "instruction_set";

Json read_json(const std::string& path) {
  const FileBytes bytes = map_file(path);
  check_json_depth(bytes.view(), path);
  Json json = Json::parse(bytes.view(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) fail_data("{}: is not a JSON object, so it cannot be resumed", path);
  return json;
}

void remove_trials(const std::string& folder) {
  for (const std::string& name : names_in_folder(folder))
    if (name.ends_with(".json") || name.ends_with(".safetensors")) remove_file(folder + "/" + name);
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The first lines of two texts that are not the same.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  const auto line_at = [](const std::string& text, size_t at) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  size_t i = 0;
  while (i < std::min(a.size(), b.size()) && a[i] == b[i]) i++;
  return {line_at(a, i), line_at(b, i)};
}

}  // namespace

void TrialFolder::check(const std::string& path, bool force) {
  if (file_exists(path) && !is_directory(path))
    fail_usage("{}: is a file; trials need a folder", path);
  if (file_exists(path + "/config.toml"))
    fail_usage("{}: is the folder of a training; trials need another", path);
  if (!force && file_exists(path + "/" + kPlan))
    fail_usage(Hint(Hint::resume, path), "{}: has a run already", path);
  check_folder_writable(path);
}

TrialFolder TrialFolder::create(const std::string& path, const Json& plan, bool force) {
  check(path, force);
  TrialFolder folder(path, plan);
  make_folder(path);
  folder.lock_ = lock_folder(path);
  check(path, force);  // another process may have been faster
  sweep_temporaries(path);
  if (force && file_exists(folder.file(kPlan))) remove_trials(path);
  write_file(folder.file(kPlan), plan.dump(2) + "\n");
  return folder;
}

TrialFolder TrialFolder::open(const std::string& path) {
  const std::string plan = path + "/" + kPlan;
  if (!file_exists(plan)) fail_data("{}: there is nothing to resume: it has no {}", path, kPlan);
  TrialFolder folder(path, read_json(plan));
  folder.lock_ = lock_folder(path);
  sweep_temporaries(path);
  return folder;
}

std::optional<TrialFolder> TrialFolder::join(const std::string& path) {
  const std::string plan = path + "/" + kPlan;
  if (!file_exists(plan)) return {};
  return TrialFolder(path, read_json(plan));
}

void TrialFolder::check_plan(const Json& plan) const {
  for (const auto& [key, now] : plan.items()) {
    const Json before = plan_.value(key, Json());
    if (before == now || key == kPlanInstructions) continue;
    if (key == "data") fail_usage("{}: the data are not those that it was begun with", path_);
    const auto [was, is] = first_difference(shown(before), shown(now));
    fail_usage("{}: was begun with a different {}: {} then, {} now", path_, key, in_quotes(was),
               in_quotes(is));
  }
}

std::string TrialFolder::note() const {
  const std::string before = plan_.value(kPlanInstructions, std::string());
  const std::string now = name_of(instruction_set());
  if (before == now) return "";
  return fmt::format(
      "{}: was begun with {} instructions and goes on with {}: results will differ from those "
      "without interruption by the rounding of sums",
      path_, before.empty() ? "unknown" : before, now);
}

std::optional<Json> TrialFolder::find(const std::string& name) const {
  const std::string path = file(name + ".json");
  if (!file_exists(path)) return {};
  return read_json(path);
}

void TrialFolder::add(const std::string& name, const Json& trial) const {
  write_file(file(name + ".json"), trial.dump(2) + "\n");
  remove_checkpoints(file(name + "-"));
}

TrainingCallbacks TrialFolder::checkpoints(const std::string& name) const {
  return checkpoints_at(file(name + "-"),
                        {.resume = true, .data = plan_.value("data", std::string()), .warn = warn});
}

}  // namespace mgnn
