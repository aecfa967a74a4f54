#include "mgnn/data/load.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/graph_tables.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/locate.h"
#include "mgnn/data/node_table.h"
#include "mgnn/data/verify.h"

namespace mgnn {
namespace {

std::string name_of_file(const std::string& path) {
  if (path == "-") return "standard input";
  const std::string name = without_compression_suffix(last_name(path));
  return name.substr(0, name.rfind('.'));
}

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string> names = tu_names();
  for (const DatasetEntry& entry : dataset_entries()) names.push_back(entry.name);
  std::string near = nearest(lower(name), names);
  if (near.empty()) near = nearest(name, names);
  if (near.empty())
    fail_usage(Hint::list_datasets, "there is no dataset or file named {}", in_quotes(name));
  fail_usage("there is no dataset or file named {}; did you mean {}?", in_quotes(name), near);
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
    throw Error(ErrorKind::failed,
                fmt::format("{} is not here: its files are not in {}", entry.name,
                            download_folder(entry, options)),
                Hint::download);
  if (!folder) folder = download_dataset(entry, options);
  const std::string cache = cache_folder();
  if (!cache.empty() && folder->starts_with(cache + "/")) verify_files(entry, *folder, cache);
  return entry.load(entry, *folder, options);
}

// What is there besides arcs, for the line that says what was understood: "NumPy archive with 3 features,
// 7 classes".
std::string reading_of(const Dataset& dataset, std::string_view format) {
  std::vector<std::string> parts;
  const auto add = [&](int64_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", human_count(count), what));
  };
  if (dataset.is_set()) add(dataset.num_graphs(), "graphs");
  add(num_features(dataset.features), "features");
  add(int64_t(dataset.class_names.size()), "classes");
  add(int64_t(dataset.target.size()), "targets");
  add(int64_t(dataset.node_type_names.size()), "node types");
  add(int64_t(dataset.relations.size()), "relations");
  add(int64_t(dataset.arc_weight.size()), "weights");
  add(int64_t(dataset.splits.size()), dataset.splits.size() == 1 ? "split" : "splits");
  return fmt::format("{}{}{}", format, parts.empty() ? ", arcs alone" : " with ",
                     fmt::join(parts, ", "));
}

const FolderLayout& layout_of(const std::string& folder) {
  std::vector<std::string> known;
  for (const FolderLayout& layout : folder_layouts()) {
    if (layout.recognise(folder)) return layout;
    known.push_back(fmt::format("{}: {}", layout.name, layout.files));
  }
  fail_data("{}: holds no dataset in a known layout ({})", folder, fmt::join(known, "; "));
}

// What is stated is used or refused.
struct StatedOf {
  bool columns = false, attributes = false, tables = false;
};
void check_columns(const std::string& data, const LoadOptions& options, const StatedOf& has) {
  const auto refuse = [&](const std::string& column, const char* why) {
    if (!column.empty()) fail_usage("{}: column {} is named, but {}", data, in_quotes(column), why);
  };
  const EdgeListOptions& list = options.edge_list;
  if (!has.columns) {
    refuse(list.from_column, "the data are not an edge list");
    refuse(list.to_column, "the data are not an edge list");
    for (const std::string* column : {&list.relation_column, &list.weight_column})
      if (!has.attributes) refuse(*column, "the data are not an edge list");
    const auto refuse_setting = [&](const char* setting, bool stated) {
      if (stated) fail_usage("{}: {} is stated, but the data are not an edge list", data, setting);
    };
    refuse_setting("separator", list.separator != Separator::automatic);
    refuse_setting("ids", list.ids != IdKind::automatic);
    refuse_setting("header", list.header != HeaderLine::automatic);
    refuse_setting("trim", list.trim);
  }
  if (!options.nodes.empty()) return;
  if (!has.tables) refuse(options.id_column, "there is no node table");
  if (has.attributes) return;
  refuse(options.type_column, "there is no node table");
  if (!has.tables)
    for (const std::string* column : {&options.label_column, &options.split_column})
      refuse(*column, "there is no node table");
  for (const std::string& column : options.feature_columns)
    refuse(column, "there is no node table");
}

void join_nodes(Dataset& dataset, const LoadOptions& options) {
  if (!options.nodes.empty()) join_node_table(dataset, options.nodes, table_options(options));
}

// What was read, with the user's table joined; after that, since the table names nodes of the whole
// graph, cut to a component. This is the one place where data from outside are checked.
Dataset finish(Dataset dataset, const LoadOptions& options) {
  validate(dataset);
  if (!options.weighted) dataset.arc_weight.clear();
  join_nodes(dataset, options);
  if (options.type_features) add_type_features(dataset);
  const std::vector<std::string>& optional = options.optional_columns;
  const bool wants_target =
      !options.target_column.empty() &&
      std::find(optional.begin(), optional.end(), options.target_column) == optional.end();
  check(!wants_target || !dataset.target.empty(),
        "{}: there is no column {} of targets; name it in a node table, a table of graphs, or a "
        "set of the TU collection with graph attributes",
        dataset.name, in_quotes(options.target_column));
  return options.largest_component ? largest_component(std::move(dataset)) : dataset;
}

// The same, of data that do not come from a graph file, whose reader adds the reverse arcs.
Dataset finish_directed(Dataset dataset, const LoadOptions& options, bool has_tables = false) {
  check_columns(dataset.name, options, {.tables = has_tables});
  if (options.undirected) dataset = symmetrised(std::move(dataset));
  return finish(std::move(dataset), options);
}

Dataset load_folder(const std::string& folder, const LoadOptions& options) {
  const FolderLayout& layout = layout_of(folder);
  Dataset dataset = layout.load(folder, options);
  if (dataset.reading.empty()) dataset.reading = reading_of(dataset, layout.name);
  if (!layout.has_attributes)
    return finish_directed(std::move(dataset), options, is_graph_tables_folder(folder));
  check_columns(dataset.name, options, {.attributes = true});
  return finish(std::move(dataset), options);
}

}  // namespace

Options load_options(LoadOptions& load) {
  EdgeListOptions& list = load.edge_list;
  const auto column = [](const char* name, std::string& field, const char* help) {
    return shown_as(option(name, field, help), "COLUMN");
  };
  return {
      option("undirected", load.undirected, "add the reverse of every arc"),
      option("weighted", load.weighted, "use the weights of arcs, where the data have them"),
      option("largest_component", load.largest_component,
             "keep only the largest weakly connected component"),
      option("download", load.download, "download a named dataset that is not on this machine"),
      shown_as(option("nodes", load.nodes,
                      "node table: CSV or TSV with a header, joined to the graph by node id"),
               "FILE"),
      column("id_column", load.id_column,
             "table of nodes or graphs: their ids (default: id, node_id or graph_id)"),
      column("label_column", load.label_column,
             "table of nodes or graphs: classes (default: label, labels or class)"),
      column("type_column", load.type_column, "node table: node types (default: type)"),
      column("split_column", load.split_column,
             "table of nodes or graphs: train, validation or test (default: split, or train_mask, "
             "val_mask and test_mask)"),
      column("target_column", load.target_column,
             "table of nodes or graphs: regression targets (default: target)"),
      option(
          "feature_columns", load.feature_columns,
          "node table: features, perhaps with a kind: zip:category (default: all other columns)"),
      option("type_features", load.type_features,
             "node types, one-hot, are features too, beside those that the data have"),
      choice("separator", list.separator, "edge list: separator of the columns"),
      choice("ids", list.ids, "edge list: type of the node ids"),
      choice("header", list.header, "edge list: whether the first line names the columns"),
      option("trim", list.trim, "edge list: strip blanks around node ids"),
      column(
          "from_column", list.from_column,
          "edge list: source nodes; a name or number (default: a column called source, from, head, "
          "subject, gene1 or the like, else 1)"),
      column("to_column", list.to_column,
             "edge list: target nodes (default: a column called target, to, tail, object, gene2 or "
             "the "
             "like, else 2)"),
      column(
          "relation_column", list.relation_column,
          "edge list: relations (default: a column called relation, type, predicate or the like)"),
      column("weight_column", list.weight_column,
             "edge list: weights (default: a column called weight, score, value or confidence)"),
  };
}

Dataset read_graph_file(const std::string& path, const LoadOptions& options,
                        std::span<const GraphFormat> formats) {
  const FileBytes bytes = read_bytes(path);
  const GraphFile file = {.path = path,
                          .title = path == "-" ? "standard input" : path,
                          .name = name_of_file(path),
                          .bytes = bytes.view()};
  const GraphFormat& format = recognise_format(formats, file.bytes, path);
  if (!format.read)
    fail_data("{}: is a file of the kind {}, which is not read; {}", file.title, format.title,
              format.advice);
  check_columns(file.title, options,
                {.columns = format.has_columns, .attributes = format.has_attributes});
  Dataset dataset = format.read(file, options);
  if (dataset.reading.empty()) dataset.reading = reading_of(dataset, format.title);
  return finish(std::move(dataset), options);
}

Dataset load_dataset(const std::string& what, const LoadOptions& options) {
  if (what == "-") return read_graph_file(what, options);
  if (const auto entry = find_dataset_entry(what))
    return finish_directed(load_entry(*entry, options), options);
  if (is_directory(what)) return load_folder(what, options);
  if (file_exists(what)) return read_graph_file(what, options);
  if (const auto entry = local_tu_entry(what, options))
    return finish_directed(load_entry(*entry, options), options);
  if (what.find('/') != std::string::npos || what.find('.') != std::string::npos)
    fail_data("{}: no such file or folder", what);
  fail_unknown(what);
}

void write_graph_file(const std::string& path, const Dataset& dataset, const WriteOptions& options,
                      std::span<const GraphFormat> formats) {
  output_format(formats, options.format, path).write(path, dataset, options.overwrite);
}

}  // namespace mgnn
