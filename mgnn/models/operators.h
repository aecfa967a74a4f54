// The matrices that networks multiply by.
#pragma once

#include "mgnn/models/model.h"
#include "mgnn/motif/matrices.h"
#include "mgnn/sparse/normalise.h"

namespace mgnn {

// Messages follow the arcs: row i of an operator lists the nodes from which i hears, its
// in-neighbours. For an undirected graph there is no difference.
//
// How a matrix M of messages is normalised; degrees count the added loops:
//   sym_in  D^-½ M D^-½ with in-degrees at both ends (PyG)
//   both    out-degree of the source, in-degree of the target (DGL)
//   row     D^-1 M: the mean over in-neighbours
//   col     M D_out^-1
//   none    M
enum class MessageNorm { sym_in, both, row, col, none };
const std::vector<std::pair<std::string, MessageNorm>>& message_norm_names();
// One operator; `loops`: with the identity added first.
Operator message_operator(const Graph& graph, MessageNorm norm, bool loops);
// An operator with the values rounded to float.
Operator rounded_operator(Csr pattern, std::span<const double> value);
// The pattern of messages, maybe with the diagonal.
Csr message_pattern(const Graph& graph, bool loops);

// The adjacency matrix of messages in a normalisation of SPEC section 3.
Operator normalised_messages(const Graph& graph, Normalisation kind);

// Normalised motif matrices: the distinct ones on one pattern, interleaved, and which motif is
// which.
struct MotifBundle {
  Csr pattern;
  Array<float> value;  // (nnz, map.distinct)
  BundleMap map;       // over `motifs`, ascending
};
MotifBundle motif_bundle(const Graph& graph, const MotifOptions& options, Normalisation kind);

// The options `motifs` and `counting` of networks on motif matrices.
Option motif_set_option(MotifSet& motifs);
Option counting_option(Counting& counting);

// Makes means of sums: every value is divided by the number of values in its row.
void divide_by_row_counts(MotifBundle& bundle);

// Each motif by itself, in the order of options.motifs: for networks without use for sharing.
std::vector<Operator> motif_operators(const MotifBundle& bundle);
// The same as values (nnz, K) on the bundle's pattern, and the map that says so.
Array<float> unshared(const MotifBundle& bundle);
BundleMap each_its_own(int64_t motifs);

}  // namespace mgnn
