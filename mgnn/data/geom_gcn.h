// The web graphs of geom-gcn, and the form in which Platonov et al. publish them.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"
#include "mgnn/io/numpy.h"

namespace mgnn {

bool is_geom_gcn_folder(const std::string& folder);

// out1_graph_edges.txt (directed, with loops), out1_node_feature_label.txt (0/1 vectors, or, as for
// film, lists of the columns that are 1) and the splits in `folder`/splits or beside the files.
// Throws Error with path:line.
Dataset load_geom_gcn(const std::string& folder);

// An .npz file with node_features, node_labels, edges (undirected, each once) and train_masks,
// val_masks, test_masks (splits, n). Throws Error (data).
Dataset platonov_dataset(const NumpyArchive& arrays, const std::string& path);

}  // namespace mgnn
