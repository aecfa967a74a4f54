// The datasets that mgnn knows by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mgnn/data/dataset.h"

namespace mgnn {

struct RemoteFile {
  std::string path;      // below the dataset's folder
  std::string url;       // where it is public; empty: cannot be downloaded
  std::string sha256;    // empty: not known, none is claimed
  bool archive = false;  // unpacked into the dataset's folder after the download
};

struct LoadOptions;

struct DatasetEntry {
  std::string name;     // "cora"
  std::string task;     // "node", "graph", "link"
  std::string summary;  // one line
  std::string citation;
  std::string folder;             // below a data folder: "planetoid/Cora"
  std::vector<RemoteFile> files;  // essential files last: if they are here, all are
  bool embedded = false;          // made by our own code: always here
  // Sizes to show without loading; 0: not known.
  int64_t nodes = 0, arcs = 0, graphs = 0, features = 0, classes = 0;
  // Whether `folder` holds the files that `load` needs; null if embedded.
  bool (*present)(const DatasetEntry& entry, const std::string& folder) = nullptr;
  // From the files in `folder`; null if embedded.
  Dataset (*load)(const DatasetEntry& entry, const std::string& folder,
                  const LoadOptions& options) = nullptr;
};

// All but the sets of the TU collection that have no entry of their own, in the order to list them.
const std::vector<DatasetEntry>& dataset_entries();

// The entry of that name, in upper or lower case; also "tu:NAME" for any set of the TU collection,
// and the names of `tu_names` as such.
std::optional<DatasetEntry> find_dataset_entry(const std::string& name);

// Entry for the TU set NAME, whether or not such a set exists.
DatasetEntry tu_entry(const std::string& name);
// Well-known sets of the collection, besides those in `dataset_entries`.
const std::vector<std::string>& tu_names();

}  // namespace mgnn
