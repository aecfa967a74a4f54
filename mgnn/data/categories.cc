#include "mgnn/data/categories.h"

#include <algorithm>

namespace mgnn {
namespace {

// How many of the last features are a label, one-hot.
int64_t num_label_columns(const Dataset& dataset) {
  if (dataset.feature_names.empty()) return 0;
  return int64_t(dataset.feature_names.size()) - dataset.num_attributes;
}

std::vector<int32_t> label_columns(const Matrix& x, int64_t count) {
  std::vector<int32_t> label;
  for (int64_t u = 0; u < x.rows; u++) {
    const auto last = x.row(u).last(size_t(count));
    label.push_back(int32_t(std::max_element(last.begin(), last.end()) - last.begin()));
  }
  return label;
}

std::vector<int32_t> label_columns(const SparseMatrix& x, int64_t count) {
  std::vector<int32_t> label(size_t(x.pattern.rows), -1);
  for (NodeId u = 0; u < x.pattern.rows; u++)
    for (const NodeId c : x.pattern.row(u))
      if (const int64_t place = c - (x.pattern.cols - count); place >= 0) label[u] = int32_t(place);
  return label;
}

}  // namespace

std::vector<int32_t> node_categories(const Dataset& dataset) {
  if (!dataset.node_type.empty()) return dataset.node_type;
  const int64_t count = num_label_columns(dataset);
  if (count <= 0 || count > num_features(dataset.features)) return {};
  if (const auto* dense = std::get_if<Matrix>(&dataset.features))
    return label_columns(*dense, count);
  return label_columns(std::get<SparseMatrix>(dataset.features), count);
}

std::vector<int32_t> arc_categories(const Dataset& dataset) {
  if (dataset.relations.empty()) return {};
  const Csr& out = dataset.graph.out;
  std::vector<int32_t> category(size_t(out.nnz()), -1);
  for (size_t r = 0; r < dataset.relations.size(); r++)
    for (const Edge& edge : dataset.relations[r].edges) {
      const auto row = out.row(edge.from);
      const auto found = std::lower_bound(row.begin(), row.end(), edge.to);
      if (found != row.end() && *found == edge.to)
        category[size_t(out.start[edge.from] + (found - row.begin()))] = int32_t(r);
    }
  return category;
}

}  // namespace mgnn
