// From what a person types to a Dataset.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"
#include "mgnn/io/edge_list.h"

namespace mgnn {

struct LoadOptions {
  std::string data_dir;  // looked at first; then MGNN_DATA_DIR, then the cache
  bool download = true;  // fetch a named dataset that is not here
  uint64_t seed = 0;     // of embedded datasets that are generated
  EdgeListOptions edge_list;
  BuildOptions build;
  // The user's node table, joined to a graph file by id:
  std::string nodes;                                               // path; empty: none
  std::string id_column, label_column, type_column, split_column;  // empty: id, label, type, split
  std::vector<std::string> feature_columns;  // empty: all other numeric columns
};

// `what`: the name of a dataset, a graph file of any known format, or a folder in a known layout.
// Throws Error (usage) with the nearest known name, or (data) if the files are wrong.
Dataset load_dataset(const std::string& what, const LoadOptions& options = {});

}  // namespace mgnn
