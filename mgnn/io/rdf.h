// N-Triples and N-Quads: RDF, one statement a line.
#pragma once

#include <span>

#include "mgnn/io/attributed.h"

namespace mgnn {

// Resources and blank nodes are nodes, predicates are relations. rdf:type gives the type of a node (the first
// that is listed, if there are several) and no edge. Literals are not used, which is said, but for those whose
// predicate is `wanted` as an attribute, perhaps with a kind behind it (http://x/mass:number). The names of
// graphs are not used. Throws Error with path:line.
AttributedGraph parse_ntriples(std::string_view text, const std::string& path,
                               std::span<const std::string> wanted = {});

}  // namespace mgnn
