// A dataset as named arrays: the one layout in which whole datasets are stored.
#pragma once

#include <deque>
#include <span>
#include <variant>

#include "mgnn/data/dataset.h"

namespace mgnn {

inline constexpr std::string_view kDatasetFormat = "mgnn dataset";
inline constexpr int64_t kDatasetVersion = 1;

struct DatasetPart {
  std::string name;
  std::vector<int64_t> shape;
  std::variant<std::span<const int32_t>, std::span<const int64_t>, std::span<const float>,
               std::span<const double>, std::span<const char>, std::vector<std::string>>
      values;
};

// All parts that are not empty. Lists of lists are one array and the starts of the lists in it, with
// the end of the last:
//
//   name, features_from            one text each
//   graph/start, graph/index       the out-neighbours of every node
//   build                          four counts: see BuildStats
//   ids/number, or ids/text and ids/text_start; graph_ids likewise
//   graph_start
//   features/dense (n, d), or features/start, features/index, features/value, features/columns
//   num_attributes, feature_names, table_columns
//   label, class_names, label_sets/start, label_sets/label, target
//   node_type, node_type_names
//   relations/name, relations/start, relations/edge (edges, 2)
//   arc_weight
//   splits/name, splits/start, splits/item   train, validation and test of each split in turn
//   remarks
//
// `reading`, which is about the file that the dataset came from, is not among them.
struct DatasetParts {
  explicit DatasetParts(const Dataset& dataset);  // which must live as long
  DatasetParts(const DatasetParts&) = delete;
  DatasetParts& operator=(const DatasetParts&) = delete;

  std::vector<DatasetPart> parts;

 private:
  template <class Values>
  void add(const std::string& name, const Values& values);
  template <class T>
  void add_owned(const std::string& name, Array<T> values);
  void add_texts(const std::string& name, std::vector<std::string> texts);
  void add_ids(const std::string& name, const NodeIds& ids);
  void add_features(const Features& features);
  void add_relations(const std::vector<Relation>& relations);
  void add_label_sets(const std::vector<std::vector<int32_t>>& sets);
  void add_splits(const std::vector<Split>& splits);

  std::deque<std::variant<Array<int32_t>, Array<int64_t>>> owned_;  // what is in no dataset so
};

}  // namespace mgnn
