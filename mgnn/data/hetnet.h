// Networks of typed nodes and edges, as Hetionet is published.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

bool is_hetnet_folder(const std::string& folder);

// Two layouts, compressed or not, with header lines:
// - nodes.tsv (id, kind, and perhaps hetionet_id, which then names the nodes) and edges.tsv (src,
//   dst, metaedge), every direction written out; metaedges.tsv, if there, must agree in numbers;
// - Hetionet's own: *-nodes.tsv (id, name, kind) and *-edges.sif (source, metaedge, target), in
//   which edges between nodes of one kind are symmetric unless the metaedge has a ">" (Gr>G): they
//   are given their reverse here.
// A node's kind, in the order of the alphabet, is its type and its label; every metaedge is a
// relation. Throws Error with path:line.
Dataset load_hetnet(const std::string& folder);

}  // namespace mgnn
