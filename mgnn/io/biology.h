// Formats of biologists' databases.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// GMT, gene sets: name, description, genes, separated by tabs. An edge from each set to each of its genes;
// the type of a node is set or gene. A set that has the name of a gene is called "name (set)". Throws
// Error with path:line.
AttributedGraph parse_gmt(std::string_view text, const std::string& path);

// OBO, ontologies: the terms, which are not obsolete, with is_a and relationship as relations; the type of a
// node is its namespace. Throws Error with path:line.
AttributedGraph parse_obo(std::string_view text, const std::string& path);

// BioGRID, versions tab, tab2 and tab3: genes by their official symbols, or, where two genes share one,
// "symbol (id)"; relations are the types of experiments, types of nodes the organisms. Throws Error with
// path:line.
AttributedGraph parse_biogrid(std::string_view text, const std::string& path);

// PSI-MI TAB 2.5 to 2.8, of IntAct and others: interactors by the first of their identifiers, relations
// are the types of interactions, types of nodes the taxa, weights the first kind of confidence that is a
// number. Throws Error with path:line.
AttributedGraph parse_mitab(std::string_view text, const std::string& path);

// KONECT, where its first line is % bip: two kinds of nodes, called u1, u2, … and v1, v2, …, and edges between
// them, which have no direction. Throws Error with path:line.
AttributedGraph parse_konect_bipartite(std::string_view text, const std::string& path);

}  // namespace mgnn
