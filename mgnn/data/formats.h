// The tables of file formats and folder layouts. To add one: a file that defines it, and a line in
// formats.cc; reading, writing, help and messages follow from the table.
#pragma once

#include <span>
#include <string_view>

#include "mgnn/data/load.h"
#include "mgnn/data/table_columns.h"

namespace mgnn {

// A file on its way in.
struct GraphFile {
  std::string path;        // "-": standard input
  std::string title;       // for messages: the path, or "standard input"
  std::string name;        // of the dataset: "web" for "data/web.mtx.gz"
  std::string_view bytes;  // unpacked if the file is compressed
};

// What a format can hold besides arcs.
struct FormatParts {
  bool isolated_nodes = false;
  bool ids = false;      // of nodes
  bool weights = false;  // of arcs
  bool relations = false;
  bool attributes = false;  // classes, targets, types, relations, a split, up to 256 features
  bool dataset = false;     // everything: features, labels, targets, types, relations, splits
};

struct GraphFormat {
  std::string_view name;                  // as people ask for it: "mtx"
  std::string_view title;                 // "Matrix Market"
  std::vector<std::string_view> endings;  // of file names, without the dot
  bool text = true;  // may also be written to compressed files and to standard output
  FormatParts parts = {};
  bool has_columns = false;     // edges stand in columns, which LoadOptions::edge_list may name
  bool has_attributes = false;  // of nodes and edges, which options may name as they do columns
  // Whether the content is of this format; null: it shows by the ending alone.
  bool (*recognise)(std::string_view bytes, const std::string& path) = nullptr;
  // The graph as `options` ask for it (symmetrised, but not cut to a component). Throws Error
  // (data). Null: the format is only written, or known in order to be refused by its name.
  Dataset (*read)(const GraphFile& file, const LoadOptions& options) = nullptr;
  // REQUIRES: a path that fits `text`. Null: the format is only read.
  void (*write)(const std::string& path, const Dataset& dataset, bool overwrite) = nullptr;
  std::string_view advice = {};  // what to do with a file that is refused
};

// The format of a file: the first row that recognises its content, else the first with its ending,
// else the first of all.
const GraphFormat& recognise_format(std::span<const GraphFormat> formats, std::string_view bytes,
                                    const std::string& path);

// The format to write: by its name or, if that is empty, the ending of `path`, or the first row for
// "-". Throws Error (usage) if there is none, or it cannot be written to such a path.
const GraphFormat& output_format(std::span<const GraphFormat> formats, const std::string& name,
                                 const std::string& path);

// "tsv, csv, …, safetensors, h5": those that can be written and have all of `needed`.
std::string format_names(std::span<const GraphFormat> formats, const FormatParts& needed = {});

// How a folder holds a dataset.
struct FolderLayout {
  std::string_view name;   // "Planetoid"
  std::string_view files;  // that show it: "ind.*.graph"
  bool (*recognise)(const std::string& folder);
  // Throws Error with path:line.
  Dataset (*load)(const std::string& folder, const LoadOptions& options);
  // `load` obeys `undirected` by itself, and options may name attributes as they do columns.
  bool has_attributes = false;
};
std::span<const FolderLayout> folder_layouts();

// What the user says of columns of a table.
TableOptions table_options(const LoadOptions& options);

}  // namespace mgnn
