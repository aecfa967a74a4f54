// Which format a file is of, by its beginning and, for some, its ending.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// What is looked at, of the kind that GraphFormat::recognise is.
bool is_graphml(std::string_view bytes, const std::string& path);
bool is_gexf(std::string_view bytes, const std::string& path);
bool is_html(std::string_view bytes, const std::string& path);
bool is_other_xml(std::string_view bytes, const std::string& path);
bool is_gml(std::string_view bytes, const std::string& path);
bool is_pajek(std::string_view bytes, const std::string& path);
bool is_dot(std::string_view bytes, const std::string& path);
bool is_json(std::string_view bytes, const std::string& path);
bool is_ntriples(std::string_view bytes, const std::string& path);
bool is_turtle(std::string_view bytes, const std::string& path);
bool is_metis(std::string_view bytes, const std::string& path);
bool is_gene_sets(std::string_view bytes, const std::string& path);
bool is_ontology(std::string_view bytes, const std::string& path);
bool is_annotation(std::string_view bytes, const std::string& path);
bool is_biogrid(std::string_view bytes, const std::string& path);
bool is_mitab(std::string_view bytes, const std::string& path);
bool is_konect_bipartite(std::string_view bytes, const std::string& path);
bool is_string_links(std::string_view bytes, const std::string& path);
bool is_neo4j_export(std::string_view bytes, const std::string& path);
bool is_parquet(std::string_view bytes, const std::string& path);
bool is_arrow(std::string_view bytes, const std::string& path);
bool is_pickle(std::string_view bytes, const std::string& path);
bool is_workbook(std::string_view bytes, const std::string& path);
bool is_database(std::string_view bytes, const std::string& path);
bool is_matlab(std::string_view bytes, const std::string& path);

}  // namespace mgnn
