// Equality of datasets, part by part.
#pragma once

#include <cmath>
#include <cstring>

#include "mgnn/data/dataset.h"
#include "tests/util.h"

namespace mgnn::testing {

// Floats as they are stored, NaNs of the features among them.
inline bool same_floats(const Array<float>& a, const Array<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

inline void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.graph.out.start, b.graph.out.start);
  EXPECT_EQ(a.graph.out.index, b.graph.out.index);
  EXPECT_EQ(a.graph.in.start, b.graph.in.start);
  EXPECT_EQ(a.graph.in.index, b.graph.in.index);
  EXPECT_EQ(a.build.arcs_given, b.build.arcs_given);
  EXPECT_EQ(a.build.loops_dropped, b.build.loops_dropped);
  EXPECT_EQ(a.build.duplicates_dropped, b.build.duplicates_dropped);
  EXPECT_EQ(a.build.nodes_dropped, b.build.nodes_dropped);
  EXPECT_EQ(a.ids.number, b.ids.number);
  EXPECT_EQ(a.ids.text, b.ids.text);
  EXPECT_EQ(a.ids.text_start, b.ids.text_start);
  EXPECT_EQ(a.graph_start, b.graph_start);
  EXPECT_EQ(a.graph_ids.number, b.graph_ids.number);
  EXPECT_EQ(a.graph_ids.text, b.graph_ids.text);
  EXPECT_EQ(a.graph_ids.text_start, b.graph_ids.text_start);
  ASSERT_EQ(a.features.index(), b.features.index());
  if (const Matrix* x = std::get_if<Matrix>(&a.features)) {
    EXPECT_EQ(x->rows, std::get<Matrix>(b.features).rows);
    EXPECT_EQ(x->cols, std::get<Matrix>(b.features).cols);
    EXPECT_TRUE(same_floats(x->data, std::get<Matrix>(b.features).data));
  } else if (const SparseMatrix* s = std::get_if<SparseMatrix>(&a.features)) {
    const SparseMatrix& t = std::get<SparseMatrix>(b.features);
    EXPECT_EQ(s->pattern.cols, t.pattern.cols);
    EXPECT_EQ(s->pattern.start, t.pattern.start);
    EXPECT_EQ(s->pattern.index, t.pattern.index);
    EXPECT_EQ(s->value, t.value);
  }
  EXPECT_EQ(a.features_from, b.features_from);
  EXPECT_EQ(a.num_attributes, b.num_attributes);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.table_columns, b.table_columns);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.label_set, b.label_set);
  ASSERT_EQ(a.target.size(), b.target.size());
  for (size_t i = 0; i < a.target.size(); i++)
    EXPECT_TRUE(a.target[i] == b.target[i] || (std::isnan(a.target[i]) && std::isnan(b.target[i])))
        << a.target[i] << " and " << b.target[i] << " of item " << i;
  EXPECT_EQ(a.node_type, b.node_type);
  EXPECT_EQ(a.node_type_names, b.node_type_names);
  ASSERT_EQ(a.relations.size(), b.relations.size());
  for (size_t r = 0; r < a.relations.size(); r++) {
    EXPECT_EQ(a.relations[r].name, b.relations[r].name);
    EXPECT_EQ(a.relations[r].edges, b.relations[r].edges);
  }
  EXPECT_EQ(a.arc_weight, b.arc_weight);
  ASSERT_EQ(a.splits.size(), b.splits.size());
  for (size_t s = 0; s < a.splits.size(); s++) {
    EXPECT_EQ(a.splits[s].name, b.splits[s].name);
    EXPECT_EQ(a.splits[s].train, b.splits[s].train);
    EXPECT_EQ(a.splits[s].validation, b.splits[s].validation);
    EXPECT_EQ(a.splits[s].test, b.splits[s].test);
  }
  EXPECT_EQ(a.remarks, b.remarks);
}

}  // namespace mgnn::testing
