// Formats of graphs with attributes: those of graph programs, databases and RDF.

#include "mgnn/data/attributed_dataset.h"
#include "mgnn/data/drawn_dataset.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/format_heads.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/neo4j.h"
#include "mgnn/io/biology.h"
#include "mgnn/io/dot.h"
#include "mgnn/io/gml.h"
#include "mgnn/io/graphml.h"
#include "mgnn/io/metis.h"
#include "mgnn/io/node_link.h"
#include "mgnn/io/pajek.h"
#include "mgnn/io/rdf.h"

namespace mgnn {
namespace {

Dataset dataset_of(AttributedGraph graph, const char* title, const GraphFile& file,
                   const LoadOptions& options) {
  return dataset_of_attributed(std::move(graph), title, file.title, file.name,
                               int64_t(file.bytes.size()), options);
}

// Of formats whose attributes of edges may be named.
using ParseNamed = AttributedGraph (*)(std::string_view, const std::string&,
                                       const AttributedOptions&);
template <ParseNamed Parse, const char* Title>
Dataset read_named(const GraphFile& file, const LoadOptions& options) {
  return dataset_of(Parse(file.bytes, file.title, attributed_options(options)), Title, file,
                    options);
}

// Of formats that say what their edges have.
using ParsePlain = AttributedGraph (*)(std::string_view, const std::string&);
template <ParsePlain Parse, const char* Title>
Dataset read_plain(const GraphFile& file, const LoadOptions& options) {
  return dataset_of(Parse(file.bytes, file.title), Title, file, options);
}

Dataset read_rdf(const GraphFile& file, const LoadOptions& options) {
  std::vector<std::string> wanted = options.feature_columns;
  for (const std::string* column :
       {&options.label_column, &options.target_column, &options.split_column, &options.type_column})
    if (!column->empty()) wanted.push_back(*column);
  return dataset_of(parse_ntriples(file.bytes, file.title, wanted), "RDF", file, options);
}

Dataset read_neo4j(const GraphFile& file, const LoadOptions& options) {
  return dataset_of(parse_neo4j_export(file.bytes, file.title), "Neo4j", file, options);
}

// Every link stands there in both directions with one score.
Dataset read_string(const GraphFile& file, const LoadOptions& options) {
  Dataset dataset = dataset_of_edges(parse_edge_list(file.bytes, file.title, options.edge_list),
                                     file.name, {.symmetrise = options.undirected});
  dataset.reading = "STRING: " + dataset.reading;
  return dataset;
}

template <DrawGraph Draw>
void write_as(const std::string& path, const Dataset& dataset, bool overwrite) {
  write_drawn(path, drawn_graph(dataset), Draw, overwrite);
}

constexpr char kGraphml[] = "GraphML", kGexf[] = "GEXF", kGml[] = "GML", kPajek[] = "Pajek",
               kDot[] = "DOT", kJson[] = "node-link JSON", kMetis[] = "METIS", kGmt[] = "GMT",
               kObo[] = "OBO", kBiogrid[] = "BioGRID", kMitab[] = "MITAB", kKonect[] = "KONECT";

}  // namespace

void append_attributed_formats(std::vector<GraphFormat>& formats) {
  const auto add = [&](std::string_view name, std::string_view title,
                       std::vector<std::string_view> endings,
                       bool (*recognise)(std::string_view, const std::string&),
                       Dataset (*read)(const GraphFile&, const LoadOptions&)) -> GraphFormat& {
    formats.push_back({.name = name,
                       .title = title,
                       .endings = std::move(endings),
                       .has_attributes = true,
                       .recognise = recognise,
                       .read = read});
    return formats.back();
  };
  const auto drawn = [](GraphFormat& format, auto write) {
    format.parts = {.isolated_nodes = true, .ids = true, .weights = true, .attributes = true};
    format.write = write;
  };
  drawn(add("graphml", kGraphml, {"graphml"}, is_graphml, read_named<parse_graphml, kGraphml>),
        write_as<draw_graphml>);
  drawn(add("gexf", kGexf, {"gexf"}, is_gexf, read_named<parse_gexf, kGexf>), write_as<draw_gexf>);
  add("gml", kGml, {"gml"}, is_gml, read_named<parse_gml, kGml>);
  add("pajek", kPajek, {"net"}, is_pajek, read_named<parse_pajek, kPajek>);
  add("dot", kDot, {"dot", "gv"}, is_dot, read_named<parse_dot, kDot>);
  drawn(add("json", kJson, {"json"}, is_json, read_named<parse_node_link, kJson>),
        write_as<draw_node_link>);
  add("nt", "N-Triples and N-Quads", {"nt", "nq"}, is_ntriples, read_rdf);
  add("metis", kMetis, {"metis"}, is_metis, read_plain<parse_metis, kMetis>);
  add("gmt", "GMT (gene sets)", {"gmt"}, is_gene_sets, read_plain<parse_gmt, kGmt>);
  add("obo", "OBO (ontologies)", {"obo"}, is_ontology, read_plain<parse_obo, kObo>);
  add("biogrid", kBiogrid, {"tab2", "tab3"}, is_biogrid, read_plain<parse_biogrid, kBiogrid>);
  add("mitab", "MITAB (PSI-MI TAB)", {"mitab"}, is_mitab, read_plain<parse_mitab, kMitab>);
  add("konect", "KONECT (bipartite)", {}, is_konect_bipartite,
      read_plain<parse_konect_bipartite, kKonect>);
  add("neo4j", "Neo4j (apoc.export.csv)", {}, is_neo4j_export, read_neo4j);
  GraphFormat& links = add("string", "STRING", {}, is_string_links, read_string);
  links.has_columns = true;
  links.has_attributes = false;
}

}  // namespace mgnn
