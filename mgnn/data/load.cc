#include "mgnn/data/load.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/data/chem2bio2rdf.h"
#include "mgnn/data/dataset_file.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/graph_tables.h"
#include "mgnn/data/hetnet.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/linqs.h"
#include "mgnn/data/node_table.h"
#include "mgnn/data/numpy_dataset.h"
#include "mgnn/data/planetoid.h"
#include "mgnn/data/tu.h"
#include "mgnn/io/matrix_market.h"
#include "mgnn/io/numpy_graph.h"

namespace mgnn {
namespace {

// ---- files

std::string ending_of(const std::string& path) {
  const std::string name = without_compression_suffix(last_name(path));
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

std::string stem_of(const std::string& path) {
  if (path == "-") return "standard input";
  const std::string name = without_compression_suffix(last_name(path));
  return name.substr(0, name.rfind('.'));
}

bool is_hdf5(std::string_view bytes) {
  return bytes.starts_with("mgnn hdf5") || bytes.starts_with("\x89HDF\r\n");
}

// A dataset file brings its parts along, and is rebuilt; bare graphs are built as asked for.
Dataset parse_graph(const std::string& path, const LoadOptions& options) {
  const FileBytes bytes = read_bytes(path);
  const std::string_view text = bytes.view();
  const std::string ending = ending_of(path);
  const bool both_ways = options.build.symmetrise;
  if (is_hdf5(text) || ending == "h5" || ending == "hdf5") {
    if (path == "-") fail_data("standard input: HDF5 files can only be read by their name");
    return rebuild(read_dataset_file(path), {.symmetrise = both_ways, .largest_component = false});
  }
  if (text.starts_with("PK\x03\x04") || looks_like_npy(text) || ending == "npz" || ending == "npy")
    return parse_numpy_dataset(text, path, both_ways);
  if (text.starts_with("%%MatrixMarket") || ending == "mtx")
    return dataset_of_edges(parse_matrix_market(text, path), stem_of(path), both_ways);
  return dataset_of_edges(parse_edge_list(text, path, options.edge_list), stem_of(path), both_ways);
}

// ---- names

std::string suggestion(const std::string& name) {
  std::vector<std::string> known = tu_names();
  for (const DatasetEntry& entry : dataset_entries()) known.push_back(entry.name);
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return char(tolower(c)); });
  return did_you_mean(
      nearest(lower, known).empty() ? name : lower, known,
      "mgnn datasets lists those known, tu:NAME asks for any set of the TU collection");
}

// A set of the TU collection that has no entry, but is here.
std::optional<DatasetEntry> local_tu_entry(const std::string& name, const LoadOptions& options) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  if (name.empty() || !plain) return std::nullopt;
  DatasetEntry entry = tu_entry(name);
  return dataset_folder(entry, options) ? std::optional(entry) : std::nullopt;
}

Dataset load_entry(const DatasetEntry& entry, const LoadOptions& options) {
  if (entry.embedded) return embedded_dataset(entry.name, options.seed);
  std::optional<std::string> folder = dataset_folder(entry, options);
  if (!folder && !options.download)
    fail("{} is not here; mgnn download {} fetches it to {}", entry.name, entry.name,
         download_folder(entry, options));
  if (!folder) folder = download_dataset(entry, options);
  return entry.load(entry, *folder, options);
}

void join_nodes(Dataset& dataset, const LoadOptions& options) {
  if (options.nodes.empty()) return;
  join_node_table(dataset, options.nodes,
                  {.id_column = options.id_column,
                   .label_column = options.label_column,
                   .type_column = options.type_column,
                   .split_column = options.split_column,
                   .target_column = options.target_column,
                   .feature_columns = options.feature_columns});
  validate(dataset);
}

// The table names nodes of the whole graph, so it is joined before the graph is cut.
Dataset finish(Dataset dataset, const LoadOptions& options, bool symmetrised) {
  join_nodes(dataset, options);
  check(options.target_column.empty() || !dataset.target.empty(),
        "{}: there is no column {} of targets; name it in a node table, a table of graphs, or a "
        "set of the TU collection with graph attributes",
        dataset.name, in_quotes(options.target_column));
  BuildOptions build = options.build;
  if (symmetrised) build.symmetrise = false;
  dataset = rebuild(std::move(dataset), build);
  validate(dataset);
  return dataset;
}

}  // namespace

Options load_options(LoadOptions& load) {
  EdgeListOptions& list = load.edge_list;
  const auto column = [](const char* name, std::string& field, const char* help) {
    return shown_as(option(name, field, help), "COLUMN");
  };
  return {
      option("undirected", load.build.symmetrise, "add the reverse of every arc"),
      option("largest_component", load.build.largest_component,
             "keep only the largest weakly connected component"),
      option("download", load.download, "download a dataset that is not here"),
      shown_as(option("nodes", load.nodes, "CSV or TSV with a header, joined to the graph by id"),
               "FILE"),
      column("id_column", load.id_column, "id in the node table (default: id)"),
      column("label_column", load.label_column, "class (default: label)"),
      column("type_column", load.type_column, "node type (default: type)"),
      column("split_column", load.split_column, "train, validation or test (default: split)"),
      column("target_column", load.target_column,
             "numbers to predict, of nodes or graphs (default: target)"),
      shown_as(option("feature_columns", load.feature_columns,
                      "features (default: all other numeric columns)"),
               "A,B,…"),
      choice("separator", list.separator, "what separates the columns of an edge list"),
      choice("ids", list.ids, "what node ids are"),
      choice("header", list.header, "whether the first line of an edge list names the columns"),
      option("trim", list.trim, "drop blanks around ids"),
      column("from_column", list.from_column, "source of an arc: a column's name or number"),
      column("to_column", list.to_column, "target of an arc"),
      column("relation_column", list.relation_column, "type of an arc"),
      column("weight_column", list.weight_column, "weight of an arc"),
  };
}

Dataset read_graph_file(const std::string& path, const LoadOptions& options) {
  return finish(parse_graph(path, options), options, true);
}

Dataset read_dataset_folder(const std::string& folder, const LoadOptions& options) {
  if (!planetoid_name(folder).empty()) return load_planetoid(folder);
  if (is_geom_gcn_folder(folder)) return load_geom_gcn(folder);
  if (!linqs_name(folder).empty()) return load_linqs(folder);
  if (is_graph_tables_folder(folder)) return load_graph_tables(folder, options.target_column);
  if (is_hetnet_folder(folder)) return load_hetnet(folder);
  if (!find_chem2bio2rdf(folder).empty()) return load_chem2bio2rdf(folder);
  for (const std::string& name : {std::string(), last_name(folder)})
    if (!find_tu_folder(folder, name).empty()) return load_tu(folder, name, options.target_column);
  fail_data(
      "{}: holds no dataset in a known layout (Planetoid: ind.*.graph; TU: *_A.txt; geom-gcn: "
      "out1_graph_edges.txt; LINQS: *.cites; hetnet: nodes.tsv, edges.tsv; chem2bio2rdf.txt; "
      "own sets: graphs.csv, nodes.csv, edges.csv)",
      folder);
}

Dataset load_dataset(const std::string& what, const LoadOptions& options) {
  if (what == "-") return read_graph_file(what, options);
  if (const auto entry = find_dataset_entry(what))
    return finish(load_entry(*entry, options), options, false);
  if (is_directory(what)) return finish(read_dataset_folder(what, options), options, false);
  if (file_exists(what)) return read_graph_file(what, options);
  if (const auto entry = local_tu_entry(what, options))
    return finish(load_entry(*entry, options), options, false);
  if (what.find('/') != std::string::npos || what.find('.') != std::string::npos)
    fail_data("{}: there is no such file or folder", what);
  fail_usage("there is no dataset or file named {}; {}", in_quotes(std::string_view(what)),
             suggestion(what));
}

void write_graph_file(const std::string& path, const Dataset& dataset, const std::string& format,
                      bool overwrite) {
  const std::string kind = format.empty() ? ending_of(path) : format;
  const bool binary = kind == "npz" || kind == "h5" || kind == "hdf5";
  if (binary && (path == "-" || path != without_compression_suffix(path)))
    fail_usage("{}: {} files are written as plain files only", path, kind);
  const auto text = [&](Separator separator) {
    write_edge_list(path, dataset.graph, dataset.ids, dataset.arc_weight, separator, overwrite);
  };
  if (kind == "tsv" || kind == "edges" || kind == "el")
    text(Separator::tab);
  else if (kind == "txt")
    text(Separator::blank);
  else if (kind == "csv")
    text(Separator::comma);
  else if (kind == "mtx")
    write_matrix_market(path, dataset.graph.out, std::span<const float>(dataset.arc_weight),
                        overwrite);
  else if (kind == "npz")
    write_graph_npz(path, dataset.graph, dataset.ids, dataset.arc_weight, overwrite);
  else if (kind == "h5" || kind == "hdf5")
    write_dataset_file(path, dataset, overwrite);
  else
    fail_usage("{}: {} is no format that can be written; use tsv, csv, txt, mtx, npz or h5", path,
               in_quotes(std::string_view(kind)));
}

}  // namespace mgnn
