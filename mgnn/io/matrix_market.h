// Matrix Market coordinate files, as a graph: entry (i, j) is the arc i -> j.
#pragma once

#include <string>

#include "mgnn/io/edge_list.h"

namespace mgnn {

// Square `coordinate` matrices of kind pattern, integer or real (the value is the weight), general,
// symmetric or skew-symmetric (both arcs of an off-diagonal entry, the second with the value or
// minus it). Row and column i are node i - 1; ids are trivial. Throws Error with path:line.
EdgeList read_matrix_market(const std::string& path);
EdgeList parse_matrix_market(std::string_view text, const std::string& path);

// `pattern general`, or `real general` with values. (rows, cols) need not be square.
void write_matrix_market(const std::string& path, const Csr& pattern,
                         std::span<const float> value = {}, bool overwrite = true);
void write_matrix_market(const std::string& path, const Csr& pattern,
                         std::span<const int64_t> value, bool overwrite = true);

}  // namespace mgnn
