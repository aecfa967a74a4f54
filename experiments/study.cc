#include "experiments/study.h"

#include <fmt/format.h>

#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/sha256.h"
#include "mgnn/data/locate.h"

namespace mgnn {

const char* name_of(Size size) {
  return size == Size::smallest ? "smallest" : size == Size::quick ? "quick" : "full";
}
const char* name_of(Protocol setting) { return setting == Protocol::paper ? "paper" : "fair"; }

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
  Json json = Json::parse(bytes.view().begin(), bytes.view().end(), nullptr, false);
  if (!json.is_object() || !json.contains("value") || !json.contains("times") ||
      json.value("sha256", Json()) != checksum_of(json["value"], json["times"]))
    fail_data("{}: is no stored result, or was changed; delete it to have it computed again", path);
  return json;
}

}  // namespace

std::string Study::file_of(const CellKey& key) const {
  std::string name = fmt::format("{}-{}-{}-{}-{}.json", key.kind, key.data, key.method, key.seed,
                                 sha256_of(json_of(key).dump()).substr(0, 16));
  for (char& c : name)
    if (c == '/' || c == ' ') c = '_';
  return name;
}

bool Study::has(const CellKey& key) const { return file_exists(o_.results + "/" + file_of(key)); }

void Study::store(const CellKey& key, const Stored& result) {
  make_folder(o_.results);
  Json program;
  for (const auto& [what, value] : o_.program) program[what] = value;
  const Json all = {{"cell", json_of(key)},
                    {"command", key.command},
                    {"value", result.value},
                    {"times", result.times},
                    {"sha256", checksum_of(result.value, result.times)},
                    {"program", program}};
  write_file(o_.results + "/" + file_of(key), all.dump(1) + "\n");
  computed_++;
  found_--;  // it will be looked up
}

Stored Study::cell(const CellKey& key, const std::function<Stored()>& compute) {
  if (!has(key)) store(key, compute());
  const std::string file = file_of(key);
  const Json json = parsed(o_.results + "/" + file);
  Stored result{json["value"], json["times"], file};
  found_++;
  note(key, result);
  return result;
}

void Study::note(const CellKey& key, const Stored& result) {
  std::string value = result.value.dump();
  if (const auto test = result.value.find("test"); test != result.value.end()) value = test->dump();
  if (value.size() > 60) value = value.substr(0, 57) + "…";
  sources_[result.file] = {key.data, key.method,  int64_t(key.seed),
                           value,    result.file, key.command};
}

const Dataset& Study::data(Config& config) {
  std::string key = config.task_name + "|" + config.source + "|" + config.run.features + "|" +
                    fmt::format("{}", config.load.seed);
  if (config.run.features == "random") key += fmt::format("|{}", config.run.seed);
  auto found = data_.find(key);
  if (found == data_.end()) {
    if (data_.size() >= 4) data_.clear();  // large ones are used one after the other
    found = data_.emplace(key, load_for_training(config)).first;
  }
  return found->second;
}

std::string Study::knowledge_graph() const {
  if (o_.size == Size::smallest) return "roles";
  const std::optional<DatasetEntry> entry = find_dataset_entry("chem2bio2rdf");
  LoadOptions load;
  load.data_dir = o_.data_dir;
  return entry && dataset_folder(*entry, load) ? "chem2bio2rdf" : "hetionet";
}

TableBlock Study::sources() {
  TableBlock block{
      "Where the numbers are from",
      {.columns =
           {{"data"}, {"method"}, {"seed", Align::right}, {"result"}, {"stored as"}, {"command"}},
       .rows = {}},
      {},
      true};
  for (auto& [file, row] : sources_) block.table.rows.push_back(std::move(row));
  sources_.clear();
  return block;
}

}  // namespace mgnn
