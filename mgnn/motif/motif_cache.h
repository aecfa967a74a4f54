// Motif matrices kept from one run to the next.
#pragma once

#include <optional>
#include <string>

#include "mgnn/motif/matrices.h"

namespace mgnn {

// Counting is often quicker than reading a file, so that nothing is kept unless somebody asks.

// The file in `folder` for the matrices of this graph with these options. Its name holds the
// graph's fingerprint: other arcs, another file.
std::string motif_cache_path(const std::string& folder, const Graph& graph,
                             const MotifOptions& options);

// What `store_motif_matrices` wrote to `path`, exactly; none if there is no such file. Throws Error
// (data) if the file is damaged or belongs to another graph or other options.
std::optional<MotifMatrices> load_motif_matrices(const std::string& path, const Graph& graph,
                                                 const MotifOptions& options);
void store_motif_matrices(const std::string& path, const MotifMatrices& matrices,
                          const Graph& graph);

}  // namespace mgnn
