// What all experiments share: their size, the stored results, the data.
//
// A result is stored as one file of a folder, under a name that ends with a hash of everything that
// decides it. What is there is not computed again; what is deleted is computed again, to the same
// value.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "mgnn/report/html.h"
#include "mgnn/task/config.h"

namespace mgnn {

using Json = nlohmann::ordered_json;

enum class Size { smallest, quick, full };  // seconds on embedded data; minutes; as the paper
enum class Protocol { paper, fair };
const char* name_of(Size size);
const char* name_of(Protocol setting);

struct StudyOptions {
  Size size = Size::quick;
  std::vector<Protocol> settings = {Protocol::paper, Protocol::fair};
  int64_t seeds = 0;   // repetitions; 0: as the size has them
  int64_t epochs = 0;  // at most, of networks that classify; 0: as the size has them
  std::vector<std::string> data = {};  // of the tables of methods; none: as the size has them
  std::string results = "results";     // folder
  std::string data_dir = {};
  std::vector<std::pair<std::string, std::string>> program = {};  // version, compiler, …; kept
                                                                  // with every result
};

// What decides a result, and how to have it again by hand.
struct CellKey {
  std::string kind, data, method;  // part of the file's name
  uint64_t seed = 0;
  Json settings;        // all that matters besides
  std::string command;  // of the tool
};

// `value` is the same whenever it is computed; `times` are not.
struct Stored {
  Json value, times;
  std::string file;  // its name in the folder
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

  bool has(const CellKey& key) const;
  // The stored result, or what `compute` gives, which is stored.
  Stored cell(const CellKey& key, const std::function<Stored()>& compute);
  void store(const CellKey& key, const Stored& result);

  // Loaded once for the same data settings.
  const Dataset& data(Config& config);

  // Chem2Bio2RDF, or hetionet where it is not at hand (an embedded graph in the smallest size).
  std::string knowledge_graph() const;

  // Where the numbers since the last call are from; a table to show folded.
  TableBlock sources();
  int64_t computed() const { return computed_; }
  int64_t found() const { return found_; }

 private:
  std::string file_of(const CellKey& key) const;
  void note(const CellKey& key, const Stored& result);

  StudyOptions o_;
  std::map<std::string, Dataset> data_;
  std::map<std::string, std::vector<Cell>> sources_;  // by file
  int64_t computed_ = 0, found_ = 0;
};

}  // namespace mgnn
