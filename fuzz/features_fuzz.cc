// A table's columns as labels, targets, a split and features, these filled and scaled as for training on
// every other row.
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/data/column_scale.h"
#include "mgnn/data/table_columns.h"
#include "mgnn/data/table_features.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  const char* const text = reinterpret_cast<const char*>(data);
  try {
    const Table table = parse_table(FileBytes(Array<char>(text, text + size)), "fuzz");
    Dataset dataset;
    dataset.graph = build_graph(NodeId(table.num_rows()), {}).graph;
    std::vector<NodeId> node_of, train;
    for (NodeId r = 0; r < table.num_rows(); r++) {
      node_of.push_back(r);
      if (r % 2 == 0) train.push_back(r);
    }
    const int64_t label = label_column(table, {}), target = target_column(table, {});
    const std::vector<int64_t> split = split_columns(dataset, table, {});
    if (label >= 0 && table.num_rows() > 0) set_labels(dataset, table, label, node_of);
    if (target >= 0)
      dataset.target = read_targets(table, target, node_of, NodeId(table.num_rows()));
    if (!split.empty()) dataset.splits.push_back(read_split(table, split, node_of));
    set_table_features(dataset, table, node_of, {.taken = {0}});
    validate(dataset);
    if (auto* x = std::get_if<Matrix>(&dataset.features)) {
      rescale(*x, column_scale(*x, dataset.num_attributes, train));
      for (const float value : x->data)
        if (std::isnan(value)) __builtin_trap();
    }
  } catch (const Error&) {
  }
  return 0;
}
