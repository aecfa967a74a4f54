// Chem2Bio2RDF as the authors of MGNN publish it: one file of triples.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// The path of chem2bio2rdf.txt in `folder` or its folder raw, or "".
std::string find_chem2bio2rdf(const std::string& folder);

// Lines `subject predicate object`, separated by tabs, no header; nodes are addresses such as
// http://chem2bio2rdf.org/uniprot/resource/gene/PPARG, numbered by first appearance. A node's kind
// is the last part of its path but one, or but two, that names one of the ten kinds; it is the
// node's type and label. Every predicate is a relation. Throws Error with path:line.
Dataset load_chem2bio2rdf(const std::string& folder);

}  // namespace mgnn
