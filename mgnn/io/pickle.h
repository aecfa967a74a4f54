// A reader for the few Python pickles that Planetoid's files are. It executes nothing: it knows the
// opcodes and the six globals these files use, builds plain data from them, and refuses the rest.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/graph/graph.h"
#include "mgnn/io/numpy.h"

namespace mgnn {

// Each throws Error (data), with the file's name and the byte's place, on any other opcode, global
// or shape of data, and on truncated or inconsistent content.
SparseMatrix parse_pickled_csr_matrix(std::string_view bytes, const std::string& path);  // float32
NumpyArray parse_pickled_array(std::string_view bytes, const std::string& path);
// A dict of node -> list of neighbours, as the arcs in the order of the file.
Array<Edge> parse_pickled_adjacency(std::string_view bytes, const std::string& path);

}  // namespace mgnn
