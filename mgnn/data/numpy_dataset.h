// Datasets in NumPy files: a graph, and what may stand beside it.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/data/dataset.h"

namespace mgnn {

// Platonov's layout (geom_gcn.h), or a graph as io/numpy_graph.h knows it, beside which x (n, d)
// are features, y (n) labels (negative: unknown) and train_mask, val_mask, test_mask (n) a split.
Dataset parse_numpy_dataset(std::string_view bytes, const std::string& path,
                            bool symmetrise = false);

}  // namespace mgnn
