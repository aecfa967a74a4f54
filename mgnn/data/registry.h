// The datasets that mgnn knows by name.
#pragma once

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

struct DatasetEntry {
  std::string name;     // "cora"
  std::string task;     // "node", "graph", "link"
  std::string summary;  // one line
  std::string citation;
  std::string folder;  // below a data folder: "planetoid/Cora"
  std::vector<RemoteFile> files;
  bool embedded = false;  // made by our own code: always here
  // Sizes to show without loading; 0: not known.
  int64_t nodes = 0, arcs = 0, graphs = 0, features = 0, classes = 0;
  Dataset (*load)(const DatasetEntry& entry, const std::string& folder) = nullptr;
};

const std::vector<DatasetEntry>& dataset_entries();

}  // namespace mgnn
