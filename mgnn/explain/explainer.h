// Explanations of a trained network's answers on the data that it is asked about.
#pragma once

#include <memory>

#include "mgnn/explain/attribution.h"
#include "mgnn/explain/scene.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

// What is asked, in the names of the data.
struct Question {
  Subject subject = Subject::node;
  std::string first = {}, second = {};  // the node or graph; the ends of a pair
  std::string class_name = {};          // of which class; empty: the predicted one
};

// What the network says about an item.
struct Answer {
  std::vector<float> output = {};  // of the item; pairs: the score alone
  int32_t column = 0;              // that is explained
  double score = 0;                // output[column]
  std::optional<double> probability = {};
};

// Computes what all explanations have in common once. Afterwards any number of threads may ask.
class Explainer {
 public:
  // `dataset` as of load_for_prediction; both must outlive it. Throws Error (usage) if the network answers
  // nothing about items, and (data) if the data do not fit it.
  Explainer(const TrainedModel& model, const Dataset& dataset);
  Explainer(const Explainer&) = delete;
  Explainer& operator=(const Explainer&) = delete;

  // Throws Error (usage) with the nearest name if a node, graph or class is not there, and if the question
  // is not one for this network.
  Explanation explain(const Question& question, const ExplainOptions& options = {}) const;

  // What the network answers, and its shares by motif alone: no list, no picture. Rows as in Explanation.
  Explanation motif_shares(const Question& question) const;

  // The arc scores of an explanation before any list is cut.
  Spread arc_scores(const Question& question, SpreadOver over = SpreadOver::instances) const;

  // Over all nodes or graphs, for what is predicted of each.
  Summary summary() const;
  // Whether the explanation depends on the weights and not on the order of the nodes.
  SanityCheck check(const Question& question, uint64_t seed = 0) const;

  const Dataset& dataset() const { return dataset_; }
  const TrainedModel& model() const { return model_; }
  Subject subject() const { return subject_; }
  int64_t num_items() const;  // nodes or graphs
  std::string item_name(int64_t item) const;
  // Of all nodes, or all graphs: (items, outputs).
  const Matrix& outputs() const { return outputs_; }

 private:
  // The data around an item, in numbers of their own.
  struct Surroundings {
    Dataset own = {};  // unless it is all of the data
    const Dataset* data = nullptr;
    std::vector<NodeId> nodes = {};  // of the data; empty: all
    OutputNumber number = {};
    NodeId name_of(NodeId v) const { return nodes.empty() ? v : nodes[size_t(v)]; }
  };
  struct Asked {
    Explanation begun;    // what is asked, the answer
    OutputNumber number;  // in all of the data; of graphs in the graph alone
    Answer answer;
  };

  void load_nodes();
  void load_links();
  void load_graphs();
  NodeId find(const NodeIds& ids, NodeId count, const std::string& name, const char* what) const;
  Asked asked(const Question& question) const;
  int32_t column_of(const Question& question, std::span<const float> output) const;
  Answer answer_of(const Output<float>& output, const OutputNumber& number) const;
  Answer answer_on(const Dataset& data, const OutputNumber& number) const;
  std::optional<double> probability_of(std::span<const float> output, int32_t column) const;
  Attribution attribution_of(const Asked& asked, const Surroundings& around) const;
  Surroundings graph_of(const Asked& asked) const;    // what a backward pass goes through
  Surroundings recount_of(const Asked& asked) const;  // what is counted anew
  void put_shares(const Attribution& attribution, Explanation& to) const;
  void put_lists(const Attribution& attribution, const Spread& spread, const Surroundings& around,
                 int64_t top, Explanation& to) const;
  // `arcs`: all that have a share, those that support the answer first; in the numbers of `around`.
  void put_fidelity(const Asked& asked, const Surroundings& around, std::span<const ArcShare> arcs,
                    const ExplainOptions& options, Explanation& to) const;
  void put_recounts(Asked& asked, const Spread& spread, const ExplainOptions& options) const;
  void put_counterfactual(const Asked& asked, const Surroundings& around,
                          std::span<const ArcShare> arcs, const ExplainOptions& options,
                          Explanation& to) const;
  std::string answer_text(std::span<const float> output) const;

  const TrainedModel& model_;
  const Dataset& dataset_;
  Subject subject_ = Subject::node;
  Decoder decoder_ = Decoder::inner;
  Dataset seen_;  // what the network is given: features scaled, of links without held-out edges
  Batch batch_;   // of it; not of sets of graphs
  Matrix outputs_;
  InstanceOptions instances_;
  int num_layers_ = 2;
};

}  // namespace mgnn
