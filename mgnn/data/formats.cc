#include "mgnn/data/formats.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/data/chem2bio2rdf.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/graph_tables.h"
#include "mgnn/data/hetnet.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/linqs.h"
#include "mgnn/data/neo4j.h"
#include "mgnn/data/ogb.h"
#include "mgnn/data/planetoid.h"
#include "mgnn/data/tu.h"

namespace mgnn {

// edge_formats.cc
GraphFormat tsv_format();
GraphFormat csv_format();
GraphFormat txt_format();
GraphFormat matrix_market_format();
GraphFormat sif_format();
// numpy_dataset.cc
GraphFormat npz_format();
GraphFormat npy_format();
// dataset_file.cc
GraphFormat dataset_format();
// dataset_hdf5.cc
GraphFormat hdf5_format();
// attributed_formats.cc
void append_attributed_formats(std::vector<GraphFormat>& formats);
// other_formats.cc
void append_other_formats(std::vector<GraphFormat>& formats);

std::span<const GraphFormat> graph_formats() {
  static const std::vector<GraphFormat> formats = [] {
    std::vector<GraphFormat> rows = {tsv_format(), csv_format(), txt_format(),
                                     matrix_market_format(), sif_format()};
    append_attributed_formats(rows);
    append_other_formats(rows);  // before npz, which is any zip archive
    for (const GraphFormat& row : {npz_format(), npy_format(), dataset_format(), hdf5_format()})
      rows.push_back(row);
    return rows;
  }();
  return formats;
}

namespace {

std::string ending_of(const std::string& path) {
  const std::string name = without_compression_suffix(last_name(path));
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

bool has_ending(const GraphFormat& format, std::string_view ending) {
  return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
}

// Of the row that loads the TU collection: sets lie in the folder, or in one of their name in it.
std::string tu_name(const std::string& folder) {
  return find_tu_folder(folder, "").empty() ? last_name(folder) : "";
}

template <Dataset (*Load)(const std::string&)>
Dataset load_plain(const std::string& folder, const LoadOptions&) {
  return Load(folder);
}

}  // namespace

TableOptions table_options(const LoadOptions& options) {
  return {.id_column = options.id_column,
          .label_column = options.label_column,
          .type_column = options.type_column,
          .split_column = options.split_column,
          .target_column = options.target_column,
          .feature_columns = options.feature_columns,
          .optional_columns = options.optional_columns};
}

const GraphFormat& recognise_format(std::span<const GraphFormat> formats, std::string_view bytes,
                                    const std::string& path) {
  for (const GraphFormat& format : formats)
    if (format.recognise && format.recognise(bytes, path)) return format;
  const std::string ending = ending_of(path);
  for (const GraphFormat& format : formats)
    if (format.read && has_ending(format, ending)) return format;
  return formats.front();
}

const GraphFormat& output_format(std::span<const GraphFormat> formats, const std::string& name,
                                 const std::string& path) {
  if (name.empty() && path == "-") return formats.front();
  const std::string wanted = name.empty() ? ending_of(path) : name;
  for (const GraphFormat& format : formats) {
    if (!format.write || !(format.name == wanted || has_ending(format, wanted))) continue;
    if (!format.text && (path == "-" || path != without_compression_suffix(path)))
      fail_usage("{}: {} files are written as plain files only", path, wanted);
    return format;
  }
  fail_usage("{}: {} is not a format that can be written; use one of {}", path, in_quotes(wanted),
             format_names(formats));
}

std::string format_names(std::span<const GraphFormat> formats, const FormatParts& needed) {
  std::vector<std::string_view> names;
  for (const GraphFormat& format : formats) {
    const FormatParts& parts = format.parts;
    if (format.write && parts.isolated_nodes >= needed.isolated_nodes && parts.ids >= needed.ids &&
        parts.weights >= needed.weights && parts.attributes >= needed.attributes &&
        parts.dataset >= needed.dataset)
      names.push_back(format.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::span<const FolderLayout> folder_layouts() {
  static constexpr FolderLayout kLayouts[] = {
      {"Planetoid", "ind.*.graph", [](const std::string& f) { return !planetoid_name(f).empty(); },
       load_plain<load_planetoid>},
      {"geom-gcn", "out1_graph_edges.txt", is_geom_gcn_folder, load_plain<load_geom_gcn>},
      {"LINQS", "*.cites", [](const std::string& f) { return !linqs_name(f).empty(); },
       load_plain<load_linqs>},
      {"own sets", "graphs.csv, nodes.csv, edges.csv", is_graph_tables_folder,
       [](const std::string& f, const LoadOptions& options) {
         return load_graph_tables(f, table_options(options));
       }},
      {"KGX", "nodes.tsv with categories, edges.tsv with predicates", is_kgx_folder, load_kgx,
       /*has_attributes=*/true},
      {"hetnet", "nodes.tsv, edges.tsv", is_hetnet_folder, load_plain<load_hetnet>},
      {"Chem2Bio2RDF", "chem2bio2rdf.txt",
       [](const std::string& f) { return !find_chem2bio2rdf(f).empty(); },
       load_plain<load_chem2bio2rdf>},
      {"OGB", "raw/edge.csv, raw/num-node-list.csv", is_ogb_folder, load_ogb,
       /*has_attributes=*/true},
      {"Neo4j", "CSV with :ID and with :START_ID, :END_ID", is_neo4j_folder, load_neo4j,
       /*has_attributes=*/true},
      {"KONECT", "out.*", is_konect_folder, load_konect, /*has_attributes=*/true},
      {"TU", "*_A.txt", [](const std::string& f) { return !find_tu_folder(f, tu_name(f)).empty(); },
       [](const std::string& f, const LoadOptions& options) {
         return load_tu(f, tu_name(f), options.target_column);
       }},
  };
  return kLayouts;
}

}  // namespace mgnn
