// One backward pass from one number of a network's output: what each motif, each entry of its matrices, each
// arc and each feature adds to that number.
#pragma once

#include "mgnn/explain/explanation.h"
#include "mgnn/explain/instances.h"
#include "mgnn/models/link_decoder.h"
#include "mgnn/models/model.h"

namespace mgnn {

// A number of the output: column `column` of row `row`, or the score of a pair of rows.
struct OutputNumber {
  Subject subject = Subject::node;
  NodeId row = 0, other = 0;  // `other`: second end of a pair
  int32_t column = 0;         // not of pairs
  Decoder decoder = Decoder::inner;
};

double number_in(const Output<float>& output, const OutputNumber& number);

// From the node `from` to `to`, through an entry of a matrix in some layer.
struct EntryShare {
  NodeId to = 0, from = 0;  // row and column
  int32_t group = -1;       // of Attribution::groups; -1: the adjacency matrix
  double share = 0;
};

struct Attribution {
  double score = 0;
  std::vector<std::vector<int>> groups = {};  // motifs whose matrices are equal
  std::vector<uint8_t> absent = {};           // (groups) the matrix is zero
  std::vector<int> motifs = {};               // those of the network, ascending
  ShareKind kind = ShareKind::none;
  std::vector<double> motif = {};  // (motifs) gradient x output of the last layer; none: empty
  double bias = 0;                 // of all that follows that layer
  std::vector<EntryShare> entries = {};
  std::vector<double> feature = {};  // (columns), or empty: not known
  std::vector<double> node = {};     // (n) of a node's own features; or empty
};

// `weights` is used as scratch space for gradients. REQUIRES: the batch is one graph.
Attribution attribute(const Model& model, Parameters& weights, const Batch& batch,
                      const OutputNumber& number);

// Motifs whose matrices are equal, and which of these groups have none but zeros.
void motif_groups(const Batch& batch, std::vector<std::vector<int>>& groups,
                  std::vector<uint8_t>& absent);

// What every motif adds to chosen numbers of all rows of the output, by one backward pass: `column[r]` of
// row r, or nothing where it is -1. (rows, motifs), or nothing: no motifs. `graph_of`: the row of each node;
// empty: its own.
MatrixOf<double> motif_shares_of_rows(const Model& model, Parameters& weights, const Batch& batch,
                                      std::span<const int32_t> column,
                                      std::span<const NodeId> graph_of);

// The shares of entries, divided among the instances they count (largest entries first, until `max_thirds`
// third nodes were looked at) and among arcs.
struct Spread {
  std::vector<InstanceShare> instances = {};  // largest magnitude first
  std::vector<ArcShare> arcs = {};            // the same
  int64_t entries = 0, spread = 0;  // of motif matrices: all, and those divided among instances
};
// To compare with, less is done: `entries` leaves the share of an entry (i, j) with the pair itself, `messages`
// takes those of the adjacency matrix alone: gradient x input, as of any network.
enum class SpreadOver { instances, entries, messages };
Spread spread_over_arcs(const Attribution& attribution, const Graph& graph,
                        const InstanceOptions& options, SpreadOver over = SpreadOver::instances,
                        int64_t max_thirds = 2'000'000);

}  // namespace mgnn
