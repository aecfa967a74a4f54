// Which columns of features a network is given, and on which scale.
#pragma once

#include <span>

#include "mgnn/base/rng.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

// What kind a node is, one of a few.
struct LabelColumn {
  std::string name;                // "label"
  std::vector<int32_t> value;      // (n); -1: none
  std::vector<std::string> names;  // of the values
};
enum class FeatureStorage {
  automatic,  // dense if there are attributes: they are seldom zero, and label values few
  dense
};
// Attributes first, (n, columns) or none, then the labels one-hot. Sets features, features_from,
// feature_names and num_attributes.
void set_features(Dataset& dataset, const Matrix& attributes,
                  const std::vector<std::string>& attribute_names,
                  const std::vector<LabelColumn>& labels,
                  FeatureStorage storage = FeatureStorage::automatic);

// Sets the same. `kind`:
//   own         those of the data: attributes, labels, or both; degrees and motif counts if none
//   attributes  the measured columns of the data
//   labels      the others, one-hot
// or a maker's name (features.h). Throws Error (usage) on any other, or if the data have none of
// the kind.
void choose_features(Dataset& dataset, const std::string& kind, Rng rng);

// Appends the types of nodes, one-hot: type=NAME. Features without names get the names feature 1, feature
// 2, … Throws Error (usage) if there are no types, or they are among the features already.
void add_type_features(Dataset& dataset);

// Columns of the data that a network was trained on.
struct FeatureLayout {
  int64_t columns = 0;
  std::vector<std::string> names = {};  // (columns) or empty
  int64_t num_attributes = 0;           // the first are measured, the others one-hot
};
FeatureLayout feature_layout(const Dataset& dataset);
// Brings the columns into the order of `layout`, by their names. A one-hot column may be absent, then no
// node has that value; nodes with a value that is not in it have none, and a remark says so. Throws
// Error (data) if a measured column is absent, or columns without names are not equally many.
void align_features(Dataset& dataset, const FeatureLayout& layout);

}  // namespace mgnn
