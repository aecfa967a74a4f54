// Datasets with every part on or off.
#pragma once

#include <cmath>

#include "mgnn/data/dataset.h"
#include "tests/util.h"

namespace mgnn::testing {

// Parts by the bits of `parts`, so that numbers below 2^kDatasetParts give every combination.
inline constexpr int kDatasetParts = 10;

inline NodeIds random_names(NodeId count, Rng& rng) {
  NodeIds ids;
  for (NodeId i = 0; i < count; i++)
    ids.push_back(std::string(rng.below(3), '\0') + std::to_string(i) + "ä\n\xFF");
  return ids;
}

inline Split random_split(const std::string& name, NodeId items, Rng& rng) {
  Split split{name, {}, {}, {}};
  for (NodeId i = 0; i < items; i++) {
    const uint64_t use = rng.below(4);
    if (use < 3) (use == 0 ? split.train : use == 1 ? split.validation : split.test).push_back(i);
  }
  return split;
}

// A set of graphs has no arcs between its graphs.
inline void set_random_graph(Dataset& d, NodeId nodes, bool set, Rng& rng) {
  const NodeId cut = nodes / 2;
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < nodes; v++)
      if (u != v && rng.chance(0.3) && (!set || (u < cut) == (v < cut))) edges.push_back({u, v});
  d.graph = make_graph(nodes, std::move(edges));
  if (set) d.graph_start = {0, cut, cut, nodes};  // one has no nodes
}

inline void set_random_features(Dataset& d, uint64_t kind, Rng& rng) {
  const NodeId n = d.graph.num_nodes();
  if (kind == 1) {
    Matrix dense(n, NodeId(rng.below(4)));
    for (float& x : dense.data) x = rng.chance(0.1) ? std::nanf("") : float(rng.below(100)) - 50;
    d.features = std::move(dense);
  } else if (kind == 2) {
    SparseMatrix sparse;
    sparse.pattern = Csr(n, 5, {0}, {});
    for (NodeId u = 0; u < n; u++) {
      for (NodeId c = 0; c < 5; c++)
        if (rng.chance(0.3)) sparse.pattern.index.push_back(c), sparse.value.push_back(float(c));
      sparse.pattern.start.push_back(Offset(sparse.pattern.index.size()));
    }
    d.features = std::move(sparse);
  }
  const int64_t columns = num_features(d.features);
  if (columns == 0) return;
  d.features_from = "table\tof nodes";
  d.num_attributes = int64_t(rng.below(uint64_t(columns) + 1));
  for (int64_t c = 0; c < columns; c++) d.feature_names.push_back("f" + std::to_string(c));
  d.table_columns = {"zip:category", "age:number"};
}

inline void set_random_answers(Dataset& d, uint64_t kind, bool target, NodeId items, Rng& rng) {
  if (kind > 0) d.class_names = {"a", "", "b\n"};
  for (NodeId i = 0; i < items; i++) {
    if (kind == 1) d.label.push_back(int32_t(rng.below(4)) - 1);
    if (kind == 2) {
      std::vector<int32_t>& labels = d.label_set.emplace_back();
      for (int32_t c = 0; c < 3; c++)
        if (rng.chance(0.5)) labels.push_back(c);
    }
    if (target) d.target.push_back(rng.chance(0.2) ? std::nan("") : double(rng.below(1000)) / 7);
  }
}

inline Dataset random_dataset(uint64_t parts, NodeId nodes, uint64_t seed) {
  Rng rng(seed);
  const auto on = [&](int part) { return (parts >> part & 1) != 0; };
  Dataset d;
  d.name = "random \xC3\xA4";
  set_random_graph(d, nodes, on(0), rng);
  d.build = {int64_t(rng.below(100)), 1, 2, 3};
  const NodeId items = d.is_set() ? d.num_graphs() : nodes;
  if (on(1)) d.ids = random_names(nodes, rng);
  if (on(0) && on(1)) d.graph_ids = random_names(items, rng);
  if (on(2) && !on(1))
    for (NodeId i = 0; i < nodes; i++) d.ids.number.push_back(int64_t(7 - 3 * i));
  set_random_features(d, on(3) ? 1 + on(4) : 0, rng);
  set_random_answers(d, on(5) ? 1 + on(4) : 0, on(6), items, rng);
  if (on(7) && nodes > 0) {
    for (NodeId i = 0; i < nodes; i++) d.node_type.push_back(int32_t(rng.below(2)));
    d.node_type_names = {"x", "y"};
    d.relations = {{"none", {}}, {"some", {{0, 0}, {nodes - 1, 0}}}, {"", arcs(d.graph)}};
  }
  if (on(8))
    for (Offset e = 0; e < d.graph.num_arcs(); e++) d.arc_weight.push_back(float(e) / 3 - 1);
  if (on(9)) {
    d.splits = {{"empty", {}, {}, {}}, random_split("s", items, rng), random_split("", items, rng)};
    d.remarks = {"one", ""};
  }
  return d;
}

}  // namespace mgnn::testing
