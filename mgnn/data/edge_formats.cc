// Text formats of bare graphs.

#include "mgnn/data/drawn_dataset.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/formats.h"
#include "mgnn/io/matrix_market.h"
#include "mgnn/io/sif.h"

namespace mgnn {
namespace {

Dataset read_list(const GraphFile& file, const LoadOptions& options) {
  return dataset_of_edges(parse_edge_list(file.bytes, file.title, options.edge_list), file.name,
                          {.symmetrise = options.undirected});
}

template <Separator Between>
void write_list(const std::string& path, const Dataset& dataset, bool overwrite) {
  write_edge_list(path, dataset.graph, dataset.ids, dataset.arc_weight, Between, overwrite);
}

bool is_matrix_market(std::string_view bytes, const std::string&) {
  return bytes.starts_with("%%MatrixMarket");
}

Dataset read_matrix(const GraphFile& file, const LoadOptions& options) {
  return dataset_of_edges(parse_matrix_market(file.bytes, file.title), file.name,
                          {.symmetrise = options.undirected});
}

void write_matrix(const std::string& path, const Dataset& dataset, bool overwrite) {
  write_matrix_market(path, dataset.graph.out, std::span<const float>(dataset.arc_weight),
                      overwrite);
}

Dataset read_sif(const GraphFile& file, const LoadOptions& options) {
  return dataset_of_edges(parse_sif(file.bytes, file.title), file.name,
                          {.symmetrise = options.undirected});
}

void write_sif(const std::string& path, const Dataset& dataset, bool overwrite) {
  write_drawn(path, drawn_graph(dataset), draw_sif, overwrite);
}

}  // namespace

GraphFormat tsv_format() {
  return {.name = "tsv",
          .title = "edge list with tabs",
          .endings = {"tsv", "edges", "el"},
          .parts = {.ids = true, .weights = true},
          .has_columns = true,
          .read = read_list,
          .write = write_list<Separator::tab>};
}

GraphFormat csv_format() {
  return {.name = "csv",
          .title = "edge list with commas",
          .endings = {"csv"},
          .parts = {.ids = true, .weights = true},
          .has_columns = true,
          .read = read_list,
          .write = write_list<Separator::comma>};
}

GraphFormat txt_format() {
  return {.name = "txt",
          .title = "edge list with blanks",
          .endings = {"txt"},
          .parts = {.ids = true, .weights = true},
          .has_columns = true,
          .read = read_list,
          .write = write_list<Separator::blank>};
}

GraphFormat matrix_market_format() {
  return {.name = "mtx",
          .title = "Matrix Market",
          .endings = {"mtx"},
          .parts = {.isolated_nodes = true, .weights = true},
          .recognise = is_matrix_market,
          .read = read_matrix,
          .write = write_matrix};
}

GraphFormat sif_format() {
  return {.name = "sif",
          .title = "SIF of Cytoscape",
          .endings = {"sif"},
          .parts = {.isolated_nodes = true, .ids = true, .relations = true},
          .read = read_sif,
          .write = write_sif};
}

}  // namespace mgnn
