// From what a person types to a Dataset, and back to a file.
#pragma once

#include <span>
#include <string>

#include "mgnn/base/options.h"
#include "mgnn/data/dataset.h"
#include "mgnn/io/edge_list.h"

namespace mgnn {

struct LoadOptions {
  std::string data_dir = {};  // looked at first; then MGNN_DATA_DIR, then the cache
  bool download = true;  // fetch a named dataset that is not here (never if MGNN_OFFLINE is set)
  uint64_t seed = 0;     // of embedded datasets that are generated
  EdgeListOptions edge_list = {};
  bool undirected = false;         // add the reverse of every arc
  bool weighted = true;            // keep the weights of arcs; false: all arcs count alike
  bool largest_component = false;  // keep only the largest weakly connected component
  // The user's node table, joined to a graph file by id:
  std::string nodes = {};  // path; empty: none
  // Of the node table, or of the table of graphs. Empty: id, label, type, split, or as TableOptions says.
  std::string id_column = {}, label_column = {}, type_column = {}, split_column = {};
  // Numbers to predict, of nodes (in the node table) or graphs (in the table of graphs, or by its
  // number from 1 in NAME_graph_attributes.txt). Empty: target, or column 1, if there.
  std::string target_column = {};
  std::vector<std::string> feature_columns = {};  // empty: all others
  bool type_features = false;                     // node types, one-hot, are features too
  // Of label_column, target_column and split_column, those that the table need not have.
  std::vector<std::string> optional_columns = {};
};

// Everything that a user may say of how data are read, by name; the defaults are those of `load`,
// which must outlive the options.
Options load_options(LoadOptions& load);

// `what`: a path to a graph file ("-": an edge list on standard input) or to a folder in a known
// layout (formats.h), if there is such a file or folder and it is not a dataset's name; else a
// dataset's name. Throws Error (usage) with the nearest known name, (data) with path:line if the files
// are wrong, and (failed) if they cannot be read or downloaded. Parallel; takes O(file) time, and the
// memory of the file and about three times that of the graph.
Dataset load_dataset(const std::string& what, const LoadOptions& options = {});

// The formats of graph files, see formats.h.
struct GraphFormat;
std::span<const GraphFormat> graph_formats();

// A graph file of one of the formats, by its content and ending; compressed or not. The node table
// of `options` is joined.
Dataset read_graph_file(const std::string& path, const LoadOptions& options = {},
                        std::span<const GraphFormat> formats = graph_formats());

struct WriteOptions {
  std::string format = {};  // by its name; empty: by the ending of the path
  bool overwrite = true;
};
// Text formats may go to "-" and to compressed files (.gz, …). What the format cannot hold is left
// out. Throws Error (usage) if there is no such format or the file exists and not `overwrite`.
void write_graph_file(const std::string& path, const Dataset& dataset,
                      const WriteOptions& options = {},
                      std::span<const GraphFormat> formats = graph_formats());

}  // namespace mgnn
