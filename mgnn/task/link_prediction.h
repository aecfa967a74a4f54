// Which pairs of nodes an edge joins, learned from some of the edges.
#pragma once

#include "mgnn/data/column_scale.h"
#include "mgnn/task/link_split.h"
#include "mgnn/task/task.h"

namespace mgnn {

struct Config;  // task/config.h

// Pairs of nodes with their scores: edges and others, validation first.
struct PairScores {
  NodePairs pairs = {};
  std::vector<float> score = {};
  std::vector<uint8_t> positive = {};
  size_t num_validation = 0;           // the rest is test
  std::vector<const char*> part = {};  // of pairs that a user lists: train, validation, test or ""
};

// The data of a repetition. The batch is made of split.graph alone: operators, motif matrices and
// features that are made see no edge of validation or test. Negatives of validation and test are
// outside all edges of the data and all different; those of training are outside split.graph, since
// avoiding the held-out edges would reveal them.
struct LinkData {
  LinkSplit split;
  NodePairs validation_negatives, test_negatives;
  Batch batch;
};
// `scale` is that of the measured features (input_scale.h); all nodes are seen in training, so it is that
// of all of them. REQUIRES: there is one if features are missing.
LinkData link_data(const Dataset& dataset, const Model& model, const LinkOptions& options,
                   const std::string& features, uint64_t seed, const ColumnScale& scale = {});

// Negatives of a kind beside `edges`, outside `known`. All must outlive it.
NegativeSampler negative_sampler(const Graph& known, const Dataset& dataset, Negatives kind,
                                 const LinkOptions& options, const NodePairs& edges);

// left[u] · right[v] for each pair; `out` as of `with_decoder`.
std::vector<float> pair_scores(const Matrix& out, Decoder decoder, const NodePairs& pairs);

// Edges and negatives of validation, then of test; without scores.
PairScores held_out_pairs(const LinkData& data);

// `make_model` makes the network without a decoder. The metric is AUROC; extra metrics are
// average_precision, hits@k and mrr of the test pairs. Throws Error if nothing can be learned.
Result link_prediction(const Dataset& dataset, const ModelMaker& make_model,
                       const LinkOptions& link, const RunOptions& options,
                       const TrainingCallbacks& callbacks = {});

// REQUIRES: the task is link prediction.
const LinkOptions& link_options_of(const Config& config);

// Of a stored network for links.
Calibration calibration_of(const TrainedModel& model);
// The split, negatives and batch of its training. Throws Error (data) if the data are others than
// those of the training.
LinkData training_data(const TrainedModel& model, const Dataset& dataset);

// Pairs of an edge list with the data's ids; pairs with an id that is not in the graph are left out
// and the ids put into `unknown_ids`.
NodePairs read_pairs(const std::string& path, const Dataset& dataset,
                     std::vector<std::string>& unknown_ids);

}  // namespace mgnn
