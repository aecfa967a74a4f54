// What the handles of graphs and datasets hold.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "c/call.h"
#include "mgnn/base/options.h"
#include "mgnn/data/dataset.h"
#include "mgnn/graph/graph.h"

struct mgnn_graph {
  std::shared_ptr<const mgnn::Graph> graph;
  std::shared_ptr<const mgnn::NodeIds> ids;
  mgnn::BuildStats build;

  // Made when somebody asks first.
  mutable std::once_flag summarised = {};
  mutable uint64_t fingerprint = 0;
  mutable bool undirected = false;
};

// A training keeps what it was given: from then on it does not change.
struct mgnn_dataset {
  std::shared_ptr<mgnn::Dataset> data;
  std::string source = {};       // that it was loaded from; empty: made of arrays
  mgnn::Settings settings = {};  // … and with
  mutable std::atomic<bool> in_use = false;
};

namespace mgnn::c {

mgnn_graph* new_graph(Graph graph, NodeIds ids, const BuildStats& build);
mgnn_graph* new_graph(std::shared_ptr<const Graph> graph, std::shared_ptr<const NodeIds> ids,
                      const BuildStats& build);
mgnn_dataset* new_dataset(Dataset dataset);

inline const Graph& graph_of(const mgnn_graph* graph) { return *needed(graph, "graph").graph; }
inline const Dataset& dataset_of(const mgnn_dataset* dataset) {
  return *needed(dataset, "dataset").data;
}

// A NodeId for each of `count` numbers. Throws Error (usage) that names the first that is not below `end`.
std::vector<NodeId> node_list(const int64_t* nodes, int64_t count, int64_t end, const char* name);
// Where each graph begins, checked.
std::vector<NodeId> graph_starts(const int64_t* start, int64_t num_graphs, int64_t num_nodes);
// Rows of the caller, of either type of index; columns are checked.
Csr csr_of(int64_t rows, int64_t cols, const void* indptr, int32_t indptr_type, const void* indices,
           int32_t indices_type);
std::vector<std::string> names_of(int64_t count, const char* const* names, const char* what);

// Settings of the interface: TOML or lines of key=value.
Settings settings_of(const char* text);

mgnn_ids ids_of(const NodeIds& ids, int64_t count);

}  // namespace mgnn::c
