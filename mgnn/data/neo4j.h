// What Neo4j exports and imports as CSV.
#pragma once

#include <string>

#include "mgnn/data/load.h"
#include "mgnn/io/attributed.h"

namespace mgnn {

// One file with the columns _id, _labels, properties of nodes, _start, _end, _type, as apoc.export.csv.all
// writes it: a row is a node or a relationship. Throws Error with path:line.
AttributedGraph parse_neo4j_export(std::string_view text, const std::string& path);

// A folder for neo4j-admin import: CSV files with headers such as personId:ID(Person), name, age:int, :LABEL
// of nodes, and :START_ID(Person), :END_ID(Movie), :TYPE of relationships. Where there are several spaces of
// ids, nodes are called Person:1. Labels are types of nodes, types are relations. Throws Error with path:line.
bool is_neo4j_folder(const std::string& folder);
Dataset load_neo4j(const std::string& folder, const LoadOptions& options);

// KGX: *nodes.tsv with the columns id and category, which is the type, and *edges.tsv with subject, predicate
// and object. Throws Error with path:line.
bool is_kgx_folder(const std::string& folder);
Dataset load_kgx(const std::string& folder, const LoadOptions& options);

}  // namespace mgnn
