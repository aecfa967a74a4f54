#include "experiments/study.h"

#include <fmt/chrono.h>

#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/json_text.h"
#include "mgnn/base/sha256.h"
#include "mgnn/data/locate.h"

namespace mgnn {
namespace {

Json json_of(const CellKey& key) {
  return {{"kind", key.kind},
          {"data", key.data},
          {"method", key.method},
          {"seed", key.seed},
          {"settings", key.settings}};
}

// Of what tables are made of: a number that was changed in the file is not taken for a result.
std::string checksum_of(const Json& value, const Json& times) {
  return sha256_of(value.dump() + times.dump());
}

Json parsed(const std::string& path) {
  const FileBytes bytes = map_file(path);
  check_json_depth(bytes.view(), path);
  Json json = Json::parse(bytes.view().begin(), bytes.view().end(), nullptr, false);
  if (!json.is_object() || !json.contains("value") || !json.contains("times") ||
      json.value("sha256", Json()) != checksum_of(json["value"], json["times"]))
    fail_data("{}: is not a stored result, or was changed; delete it to have it computed again",
              path);
  return json;
}

std::string file_of(const CellKey& key) {
  std::string name = fmt::format("{}-{}-{}-{}-{}.json", key.kind, key.data, key.method, key.seed,
                                 sha256_of(json_of(key).dump()).substr(0, 16));
  for (char& c : name)
    if (c == '/' || c == ' ') c = '_';
  return name;
}

std::string short_text(const Json& value) {
  const auto test = value.find("test");
  const std::string text = (test == value.end() ? value : *test).dump();
  return text.size() > 60 ? text.substr(0, 57) + "…" : text;
}

}  // namespace

std::string Study::path_of(const CellKey& key) const { return o_.results + "/" + file_of(key); }

bool Study::is_missing(const CellKey& key) const {
  if (file_exists(path_of(key))) return false;
  if (!o_.compute)
    throw NotStored(fmt::format("{} has no {} result of {} on {} with seed {}", o_.results,
                                key.kind, key.method, key.data, key.seed));
  return true;
}

void Study::store(const CellKey& key, const Stored& result) {
  make_folder(o_.results);
  Json program;
  for (const auto& [what, value] : o_.program) program[what] = value;
  const Json all = {{"cell", json_of(key)},
                    {"command", key.command},
                    {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
                    {"value", result.value},
                    {"times", result.times},
                    {"sha256", checksum_of(result.value, result.times)},
                    {"program", program}};
  write_file(path_of(key), all.dump(1) + "\n");
  computed_++;
}

Stored Study::load(const CellKey& key) {
  const Json json = parsed(path_of(key));
  const Stored result{json["value"], json["times"], file_of(key)};
  const std::string date = json.value("date", "unknown");
  sources_[result.file] = {key.data,    key.method, int64_t(key.seed), short_text(result.value),
                           result.file, date,       key.command};
  date_ = std::max(date_, date);
  loaded_++;
  return result;
}

Stored Study::cell(const CellKey& key, const std::function<Stored()>& compute) {
  if (is_missing(key)) store(key, compute());
  return load(key);
}

const Dataset& Study::data(Config& config) {
  std::string key = config.task_name + "|" + config.source + "|" + config.run.features + "|" +
                    fmt::format("{}", config.load.seed);
  if (config.run.features == "random") key += fmt::format("|{}", config.run.seed);
  auto entry = data_.find(key);
  if (entry == data_.end()) {
    if (data_.size() >= 4) data_.clear();  // large ones are used one after the other
    entry = data_.emplace(key, load_for_training(config)).first;
  }
  return entry->second;
}

std::string Study::knowledge_graph() const {
  if (o_.size == Size::smallest) return "roles";
  const std::optional<DatasetEntry> entry = find_dataset_entry("chem2bio2rdf");
  LoadOptions load;
  load.data_dir = o_.data_dir;
  return entry && dataset_folder(*entry, load) ? "chem2bio2rdf" : "hetionet";
}

TableBlock Study::sources() {
  TableBlock block{.caption = "Where the numbers are from",
                   .table = {.columns = {{"data"},
                                         {"method"},
                                         {"seed", Align::right},
                                         {"result"},
                                         {"stored as"},
                                         {"date"},
                                         {"command"}},
                             .rows = {}},
                   .folded = true};
  for (auto& [file, row] : sources_) block.table.rows.push_back(std::move(row));
  sources_.clear();
  date_.clear();
  return block;
}

}  // namespace mgnn
