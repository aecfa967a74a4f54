// What all experiments share: their size, the stored results, the data.
//
// A result is stored as one file of a folder, under a name that ends with a hash of everything that
// decides it. Stored results are not computed again; deleted ones are, to the same value.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "mgnn/report/html.h"
#include "mgnn/task/config.h"

namespace mgnn {

using Json = nlohmann::ordered_json;

enum class Size { smallest, quick, full };  // seconds on embedded data; minutes; as the paper
constexpr auto enum_names(Size) {
  return std::to_array<Named<Size>>(
      {{"smallest", Size::smallest}, {"quick", Size::quick}, {"full", Size::full}});
}

enum class Protocol { paper, fair };
constexpr auto enum_names(Protocol) {
  return std::to_array<Named<Protocol>>({{"paper", Protocol::paper}, {"fair", Protocol::fair}});
}

struct StudyOptions {
  Size size = Size::quick;
  std::vector<Protocol> settings = {Protocol::paper, Protocol::fair};
  int64_t seeds = 0;   // repetitions; 0: as the size has them
  int64_t epochs = 0;  // maximum, of networks that classify; 0: as the size has them
  std::vector<std::string> data = {};  // of the tables of methods; none: as the size has them
  std::string results = "results";     // folder
  bool compute = true;                 // false: missing results throw NotStored
  std::string data_dir = {};
  // Version, compiler, …; stored with every result.
  std::vector<std::pair<std::string, std::string>> program = {};
};

// A result is missing, and the study does not compute.
class NotStored : public Error {
 public:
  explicit NotStored(const std::string& message) : Error(ErrorKind::usage, message) {}
};

// What decides a result, and the command that computes it by hand.
struct CellKey {
  std::string kind, data, method;  // part of the file's name
  uint64_t seed = 0;
  Json settings;        // all that matters besides
  std::string command;  // of the tool
};

// `value` is the same whenever it is computed; `times` are not.
struct Stored {
  Json value, times;
  std::string file = {};  // its name in the folder
};

class Study {
 public:
  explicit Study(StudyOptions options) : o_(std::move(options)) {}

  const StudyOptions& options() const { return o_; }
  Size size() const { return o_.size; }
  // smallest, quick or full, whichever is asked for.
  template <class T>
  T sized(T smallest, T quick, T full) const {
    return o_.size == Size::smallest ? smallest : o_.size == Size::quick ? quick : full;
  }

  // Repetitions with seeds 0, 1, ….
  int64_t seeds(int64_t smallest, int64_t quick, int64_t full) const {
    return o_.seeds > 0 ? o_.seeds : sized(smallest, quick, full);
  }

  // Whether the result must be computed. Throws NotStored if so and the study does not compute.
  bool is_missing(const CellKey& key) const;
  void store(const CellKey& key, const Stored& result);
  // Throws Error (data) if the file is not there, damaged or changed.
  Stored load(const CellKey& key);
  // Loads the result, after storing what `compute` gives if it is missing.
  Stored cell(const CellKey& key, const std::function<Stored()>& compute);

  // Loaded once for the same data settings.
  const Dataset& data(Config& config);

  // Chem2Bio2RDF, or hetionet where it is not at hand (an embedded graph in the smallest size).
  std::string knowledge_graph() const;

  // The results loaded since the last call of `sources`: the date of the newest ("2026-11-17"), and
  // where they are from, a table to show folded.
  const std::string& date() const { return date_; }
  TableBlock sources();

  int64_t computed() const { return computed_; }
  int64_t found() const { return loaded_ - computed_; }  // loaded without having been computed

 private:
  std::string path_of(const CellKey& key) const;

  StudyOptions o_;
  std::map<std::string, Dataset> data_;
  std::map<std::string, std::vector<Cell>> sources_;  // by file
  std::string date_;
  int64_t computed_ = 0, loaded_ = 0;
};

}  // namespace mgnn
