#include "mgnn/data/feature_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/features.h"
#include "mgnn/data/layout.h"

namespace mgnn {
namespace {

// each(row, column, value) for what is not zero, row by row, columns ascending.
template <class Each, class EndRow>
void each_value(const Features& features, Each each, EndRow end_row) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    const Csr& p = sparse->pattern;
    for (NodeId r = 0; r < p.rows; r++) {
      for (Offset e = p.start[r]; e < p.start[r + 1]; e++) each(r, p.index[e], sparse->value[e]);
      end_row(r);
    }
  } else if (const auto* dense = std::get_if<Matrix>(&features)) {
    for (NodeId r = 0; r < dense->rows; r++) {
      for (NodeId c = 0; c < dense->cols; c++)
        if (const float value = (*dense)(r, c); value != 0) each(r, c, value);
      end_row(r);
    }
  }
}

void keep_labels(Dataset& d) {
  SparseRows rows;
  const auto first = NodeId(d.num_attributes);
  each_value(
      d.features,
      [&](NodeId, NodeId c, float value) {
        if (c >= first) rows.push(c - first, value);
      },
      [&](NodeId) { rows.end_row(); });
  const auto columns = NodeId(num_features(d.features) - d.num_attributes);
  d.features = rows.finish(columns);
  if (!d.feature_names.empty())
    d.feature_names.erase(d.feature_names.begin(), d.feature_names.begin() + first);
  d.num_attributes = 0;
  d.features_from = fmt::format("node labels, one-hot ({} values)", columns);
}

void keep_attributes(Dataset& d) {
  Matrix kept(d.graph.num_nodes(), d.num_attributes);
  each_value(
      d.features,
      [&](NodeId r, NodeId c, float value) {
        if (c < d.num_attributes) kept(r, c) = value;
      },
      [](NodeId) {});
  d.features = std::move(kept);
  if (!d.feature_names.empty()) d.feature_names.resize(size_t(d.num_attributes));
  d.features_from = fmt::format("{} node attributes", d.num_attributes);
}

void make(Dataset& d, const std::string& kind, Rng rng) {
  const FeatureMaker& maker = feature_maker(kind);
  d.features = maker.make(d.graph, rng);
  d.features_from = kind;
  d.feature_names = maker.columns;
  d.num_attributes = maker.measured ? num_features(d.features) : 0;
}

SparseMatrix as_sparse(const Features& features, NodeId num_nodes) {
  SparseRows rows;
  each_value(
      features, [&](NodeId, NodeId c, float value) { rows.push(c, value); },
      [&](NodeId) { rows.end_row(); });
  if (num_features(features) == 0)
    for (NodeId u = 0; u < num_nodes; u++) rows.end_row();
  return rows.finish(NodeId(num_features(features)));
}

// A column by its name and whether it is measured: "a=b" may be either.
std::string column_key(const std::string& name, bool measured) {
  return (measured ? "m" : "h") + name;
}

}  // namespace

void set_features(Dataset& d, const Matrix& attributes,
                  const std::vector<std::string>& attribute_names,
                  const std::vector<LabelColumn>& labels, FeatureStorage storage) {
  constexpr NodeId kMaxDenseColumns = 1024;
  const NodeId num_nodes = d.graph.num_nodes(), num_attributes = NodeId(attributes.cols);
  d.num_attributes = num_attributes;
  d.feature_names = attribute_names;
  for (const LabelColumn& column : labels)
    for (const std::string& value : column.names)
      d.feature_names.push_back(column.name + "=" + value);
  const auto width = NodeId(d.feature_names.size());
  if (width == 0) return;
  const bool dense =
      storage == FeatureStorage::dense || (num_attributes > 0 && width <= kMaxDenseColumns);
  Matrix matrix(dense ? num_nodes : 0, dense ? width : 0);
  SparseRows rows;
  const auto put = [&](NodeId u, NodeId column, float value) {
    if (dense)
      matrix(u, column) = value;
    else
      rows.push(column, value);
  };
  for (NodeId u = 0; u < num_nodes; u++) {
    for (NodeId c = 0; c < num_attributes; c++) put(u, c, attributes(u, c));
    NodeId first = num_attributes;
    for (const LabelColumn& column : labels) {
      if (column.value[u] >= 0) put(u, first + column.value[u], 1);
      first += NodeId(column.names.size());
    }
    if (!dense) rows.end_row();
  }
  if (dense)
    d.features = std::move(matrix);
  else
    d.features = rows.finish(width);
  d.features_from.clear();
  if (num_attributes > 0) d.features_from = fmt::format("{} node attributes", num_attributes);
  if (width > num_attributes)
    d.features_from += fmt::format("{}node labels, one-hot ({} values)",
                                   num_attributes > 0 ? ", " : "", width - num_attributes);
}

void choose_features(Dataset& d, const std::string& kind, Rng rng) {
  const int64_t labels = num_features(d.features) - d.num_attributes;
  if (kind == "own") {
    if (num_features(d.features) > 0) return;
    make(d, "structure", rng);
    d.features_from = "degrees and motif counts, since the data have no features";
  } else if (kind == "labels") {
    check(labels > 0, "{}: nodes have no labels; use other features than labels", d.name);
    if (d.num_attributes > 0) keep_labels(d);
  } else if (kind == "attributes") {
    check(d.num_attributes > 0, "{}: nodes have no attributes; use other features than attributes",
          d.name);
    if (labels > 0) keep_attributes(d);
  } else {
    make(d, kind, rng);
  }
}

void add_type_features(Dataset& d) {
  if (d.node_type.empty())
    fail_usage(Hint::type_column, "{}: nodes have no types, which are asked for as features",
               d.name);
  const NodeId n = d.graph.num_nodes();
  const auto before = NodeId(num_features(d.features)), types = NodeId(d.node_type_names.size());
  std::vector<std::string> names = d.feature_names;
  for (NodeId c = NodeId(names.size()); c < before; c++)
    names.push_back(fmt::format("feature {}", c + 1));
  for (const std::string& type : d.node_type_names) {
    names.push_back("type=" + (type.empty() ? "(missing)" : type));
    if (std::find(names.begin(), names.end() - 1, names.back()) != names.end() - 1)
      fail_usage("{}: types are asked for as features, but {} is one already", d.name,
                 in_quotes(names.back()));
  }
  if (const auto* dense = std::get_if<Matrix>(&d.features)) {
    Matrix wider(n, before + types);
    for (NodeId u = 0; u < n; u++) {
      std::copy_n(dense->row(u).begin(), before, wider.row(u).begin());
      if (d.node_type[u] >= 0) wider(u, before + d.node_type[u]) = 1;
    }
    d.features = std::move(wider);
  } else {
    const SparseMatrix own = as_sparse(d.features, n);
    SparseRows rows;
    for (NodeId u = 0; u < n; u++) {
      for (Offset e = own.pattern.start[u]; e < own.pattern.start[u + 1]; e++)
        rows.push(own.pattern.index[e], own.value[e]);
      if (d.node_type[u] >= 0) rows.push(before + d.node_type[u], 1);
      rows.end_row();
    }
    d.features = rows.finish(before + types);
  }
  d.feature_names = std::move(names);
  d.features_from +=
      fmt::format("{}node types, one-hot ({} types)", d.features_from.empty() ? "" : ", ", types);
}

FeatureLayout feature_layout(const Dataset& d) {
  return {num_features(d.features), d.feature_names, d.num_attributes};
}

void align_features(Dataset& d, const FeatureLayout& layout) {
  const std::vector<std::string>& names = layout.names;
  if (names.empty() || d.feature_names.empty()) {
    if (num_features(d.features) != layout.columns)
      fail_data("{}: nodes have {} features, but the network was trained on {}", d.name,
                num_features(d.features), layout.columns);
    return;
  }
  if (d.feature_names == names && d.num_attributes == layout.num_attributes) return;
  const auto is_measured = [&](size_t c) { return int64_t(c) < d.num_attributes; };
  std::unordered_map<std::string, NodeId> here;
  for (size_t c = 0; c < d.feature_names.size(); c++)
    here.emplace(column_key(d.feature_names[c], is_measured(c)), NodeId(c));
  std::vector<NodeId> to(d.feature_names.size(), -1);
  for (size_t c = 0; c < names.size(); c++) {
    const bool measured = int64_t(c) < layout.num_attributes;
    const auto found = here.find(column_key(names[c], measured));
    if (found != here.end())
      to[found->second] = NodeId(c);
    else if (measured)
      fail_data("{}: there is no feature {}, on which the network was trained", d.name,
                in_quotes(names[c]));
  }
  Matrix aligned(d.graph.num_nodes(), int64_t(names.size()));
  int64_t unknown = 0;
  std::string example;
  each_value(
      d.features,
      [&](NodeId r, NodeId c, float value) {
        if (to[c] >= 0) {
          aligned(r, to[c]) = value;
        } else if (!is_measured(size_t(c)) && unknown++ == 0) {
          example = d.feature_names[c];
        }
      },
      [](NodeId) {});
  if (unknown > 0)
    d.remarks.push_back(
        fmt::format("{} values were in no training data, such as {}; they count as none",
                    human_count(unknown), in_quotes(example)));
  d.features = std::move(aligned);
  d.feature_names = names;
  d.num_attributes = layout.num_attributes;
}

}  // namespace mgnn
