// Datasets of the Open Graph Benchmark as they are downloaded, and of KONECT.
#pragma once

#include <string>

#include "mgnn/data/load.h"

namespace mgnn {

// raw/edge.csv.gz, raw/num-node-list.csv.gz, perhaps node-feat, node-label and graph-label, and
// split/NAME/{train,valid,test}.csv.gz: one graph or a set of graphs. Or, of typed nodes,
// raw/triplet-type-list.csv.gz, raw/num-node-dict.csv.gz, raw/relations/a___r___b/edge.csv.gz,
// raw/node-label/TYPE/node-label.csv.gz and split/NAME/TYPE/…: then nodes are called TYPE:0, TYPE:1, ….
// Arcs are as listed. Throws Error with path:line.
bool is_ogb_folder(const std::string& folder);
Dataset load_ogb(const std::string& folder, const LoadOptions& options);

// out.NAME, perhaps with meta.NAME and others beside it.
bool is_konect_folder(const std::string& folder);
Dataset load_konect(const std::string& folder, const LoadOptions& options);

}  // namespace mgnn
