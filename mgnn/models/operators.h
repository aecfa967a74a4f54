// The matrices that networks multiply by.
#pragma once

#include "mgnn/models/model.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

// ---- adjacency: row i lists the in-neighbours of node i

// How the adjacency matrix M is normalised; degrees count added self loops:
//   sym_in  D^-½ M D^-½ with in-degrees at both ends (PyG)
//   both    out-degree of the source, in-degree of the target (DGL)
//   row     D^-1 M: the mean over in-neighbours
//   col     M D_out^-1
//   none    M
enum class MessageNorm { sym_in, both, row, col, none };
constexpr auto enum_names(MessageNorm) {
  return std::to_array<Named<MessageNorm>>({{"sym-in", MessageNorm::sym_in},
                                            {"both", MessageNorm::both},
                                            {"row", MessageNorm::row},
                                            {"col", MessageNorm::col},
                                            {"none", MessageNorm::none}});
}
enum class SelfLoops { none, added };

// Degrees are sums of the weights of arcs, where arcs have them; an added loop has weight 1.
constexpr ArcWeights weights_for(MessageNorm norm) {
  return norm == MessageNorm::none ? ArcWeights::finite : ArcWeights::non_negative;
}

Csr message_pattern(const Graph& graph, SelfLoops loops);
// (nnz) on a pattern of messages.
Array<double> message_weights(const GraphView& view, const Csr& pattern);
// The values of the normalised matrix, whose weights are given.
Array<double> message_values(const Csr& pattern, std::span<const double> weight, MessageNorm norm);
Operator message_operator(const GraphView& view, MessageNorm norm, SelfLoops loops);

// The adjacency matrix without self loops in a normalisation of motif matrices.
Operator normalised_adjacency(const GraphView& view, Normalisation kind);

// neighbours_and_self, and log_weight where arcs have weights.
Operators attention_operators(const GraphView& view);
// Scores of attention (nnz, heads) plus the logarithms of weights, if there are any, so that
// coefficients are proportional to the weights.
template <class T>
Var<T> with_log_weights(Step<T>& step, Var<T> score);

// The values in single precision.
Array<float> rounded(std::span<const double> value);

// ---- motif matrices

// Normalised motif matrices: the distinct ones on one pattern, interleaved.
struct MotifBundle {
  MotifSet set;
  BundleMap map;  // over `set`, ascending
  Csr pattern;
  Array<float> value;  // (nnz, map.distinct)
};
// Without weights of arcs, or with MotifWeights::none, instances are counted. REQUIRES: weights are finite,
// and not negative unless `kind` is none.
MotifBundle motif_bundle(const GraphView& view, const MotifOptions& options, Normalisation kind,
                         MotifWeights weights = MotifWeights::none);

// The options `motifs`, `counting` and `motif_weights` of networks on motif matrices.
Option motif_set_option(MotifSet& motifs);
Option counting_option(Counting& counting);
Option motif_weights_option(MotifWeights& weights);

// Turns sums into means: every value is divided by the number of non-zero values in its row.
void divide_by_row_counts(MotifBundle& bundle);

// The forms of MotifOperators:
MotifOperators interleaved_motifs(MotifBundle bundle);      // D distinct matrices in one operator
MotifOperators separate_motifs(const MotifBundle& bundle);  // an operator for each motif
MotifOperators motif_values(MotifBundle bundle);            // values (nnz, D) on a pattern
MotifOperators expanded_motif_values(MotifBundle bundle);   // values (nnz, K), nothing shared

// While it lives, the matrix of one motif is zero, as if the graph had no instance of it.
// REQUIRES: operators.motifs.set contains it.
class ScopedMotifRemoval {
 public:
  ScopedMotifRemoval(Operators& operators, int motif);
  ~ScopedMotifRemoval() { index_ = before_; }
  ScopedMotifRemoval(const ScopedMotifRemoval&) = delete;
  ScopedMotifRemoval& operator=(const ScopedMotifRemoval&) = delete;

 private:
  int32_t& index_;  // in the motif map
  const int32_t before_;
};

// ---- which neighbours send messages in a directed graph

//   in          messages follow the arcs: a node receives those of its in-neighbours
//   out         they go against the arcs: those of its out-neighbours
//   both        those of all its neighbours
//   undirected  the same, and the reverse of every arc is added to the data, so that motifs are
//               those of an undirected graph, too
// Motif matrices are of the graph itself: in, out and both do not change them. Nor do they change
// relations: networks that use these have weights for messages along the arcs and against them.
enum class Direction { in, out, both, undirected };
constexpr auto enum_names(Direction) {
  return std::to_array<Named<Direction>>({{"in", Direction::in},
                                          {"out", Direction::out},
                                          {"both", Direction::both},
                                          {"undirected", Direction::undirected}});
}

// The graph whose in-neighbours send messages. O(arcs).
Graph message_graph(const Graph& graph, Direction direction);

// The same with the weights of its arcs; where both directions become one, their weights are added.
// Undirected graphs, whose weights are the same in both directions, stay as they are.
struct MessageArcs {
  Graph graph;
  Array<float> weight;  // (arcs), or empty
};
MessageArcs message_arcs(const GraphView& view, Direction direction);

// The network with messages in that direction. All of its matrices but those of motifs are made of
// message_graph.
std::unique_ptr<Model> with_direction(std::unique_ptr<Model> network, Direction direction);

}  // namespace mgnn
