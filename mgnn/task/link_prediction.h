// Which pairs of nodes an edge joins, learned from some of the edges.
#pragma once

#include "mgnn/task/link_split.h"
#include "mgnn/task/repeat.h"

namespace mgnn {

struct LinkPredictionOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with weights, a split and negatives of its own
  TrainingOptions training = {};
  LinkOptions link = {};
  // Of data without features: a maker's name (data/features.h); own: identity.
  std::string features = "own";
};

// All that a repetition knows. The batch is made of split.graph alone: operators, motif matrices
// and features that are made see no edge of validation or test. Negatives of validation and test
// are outside all edges of the data and all different; those of training are outside split.graph,
// since knowing more would tell of the edges held out.
struct LinkData {
  LinkSplit split;
  NodePairs validation_negatives, test_negatives;
  Batch batch;
};
LinkData link_data(const Dataset& dataset, const Model& model, const LinkOptions& options,
                   const std::string& features, uint64_t seed);

// left[u] · right[v] for each pair; `out` as of `with_decoder`.
std::vector<float> pair_scores(const Matrix& out, Decoder decoder, const NodePairs& pairs);

// Edges and negatives of validation, then of test; without scores.
PairScores held_out_pairs(const LinkData& data);

// `make_model` makes the network without a decoder. The metric is AUROC; Repetition::also has
// average_precision, hits@k and mrr of the test pairs. Throws Error (data) if nothing can be
// learned.
Result link_prediction(const Dataset& dataset, const ModelMaker& make_model,
                       const LinkPredictionOptions& options, const Watch& watch = {});

}  // namespace mgnn
