// Graphs in .npz and .npy files.
#pragma once

#include <span>
#include <string>

#include "mgnn/io/edge_list.h"
#include "mgnn/io/numpy.h"

namespace mgnn {

// A graph from what PyTorch Geometric, SciPy, Platonov et al. or we store:
//
//   format, data, indptr, indices, shape    scipy.sparse.save_npz: csr, csc; row, col: coo
//   indptr, indices, shape                  ours; data may be there too
//   edge_index or edges                     (2, E) or (E, 2); (2, 2) is taken for (2, E)
//   a lone array, or an .npy file           the same
//
// Every stored entry (i, j) of a matrix is an arc i -> j, and its value the weight, unless all are
// 1. With a list of edges, `edge_weight` (E) and `edge_type` (E) are known, and `num_nodes`;
// without that the nodes are 0 to the largest one listed, except that numbers beyond a million and
// beyond 16 times the ends listed are names with gaps, as in an edge list. `ids` (n) are the nodes'
// names. Throws Error (data) with the file's name on anything else.
EdgeList read_numpy_graph(const std::string& path);
EdgeList parse_numpy_graph(std::string_view bytes, const std::string& path);
EdgeList numpy_graph(const NumpyArchive& arrays, const std::string& path);

// Writes a csr matrix that scipy.sparse.load_npz reads, with `ids` beside it unless trivial.
// `weight` (arcs) in the order of graph.out; all 1 if empty.
void write_graph_npz(const std::string& path, const Graph& graph, const NodeIds& ids,
                     std::span<const float> weight = {}, bool overwrite = true);

// `ids` as an array: numbers as int64, names as text. REQUIRES: not trivial.
NumpyArray numpy_ids(const NodeIds& ids);

}  // namespace mgnn
