// What becomes of the outputs of networks that tell classes apart: those of an ensemble are averaged,
// those of nodes smoothed over edges.
#pragma once

#include "mgnn/graph/graph.h"
#include "mgnn/task/result.h"

namespace mgnn {

// The logarithms of the mean of softmax(output / temperature) over the members, whose temperatures are in
// `fitted` as put_temperature wrote them.
Matrix mean_of_members(std::span<const Matrix> outputs, const Numbers& fitted);
void put_temperature(int64_t member, double temperature, Numbers& fitted);

// How strongly predictions are smoothed: 0 <= strength < 1, 0 for not at all, or what is best on
// validation nodes.
struct Smoothing {
  bool automatic = false;
  double strength = 0;
  bool is_on() const { return automatic || strength > 0; }
};
Option smoothing_option(Smoothing& smoothing);

// Nodes whose class is known, and their classes.
struct KnownClasses {
  std::span<const NodeId> nodes;
  std::span<const int32_t> label;  // of all nodes
};

// Probabilities P of classes (n, classes), repeatedly P <- (1 - strength) P0 + strength (mean of P over
// the neighbours), where the known nodes have their class for P; P0 are the given ones. Nodes without
// neighbours keep P0, and so do the known nodes in the result. Arcs count in both directions, with
// any weights the same. O(rounds (n + arcs) classes), rounds <= 50. Zhou et al. 2004; Huang et al. 2021.
Matrix smoothed_probabilities(const Matrix& probability, const Graph& graph,
                              const KnownClasses& known, double strength);

// The strength of 0, 0.1, …, 0.9 with the best accuracy on `validation`; of equal ones the lowest.
double best_smoothing(const Matrix& probability, const Graph& graph, const KnownClasses& known,
                      std::span<const NodeId> validation);

// Outputs (logits) after smoothing: logarithms of probabilities. Puts strength and the temperature of the
// network into `fitted`. REQUIRES: fitted has the temperature.
Matrix smoothed_output(Matrix output, const Graph& graph, const KnownClasses& known,
                       std::span<const NodeId> validation, const Smoothing& smoothing,
                       Numbers& fitted);
// The same of a stored model, with the strength that it was given; `known` null: outputs of the network,
// on the scale of its answers.
Matrix smoothed_output(Matrix output, const Graph& graph, const KnownClasses* known,
                       const Numbers& fitted);
// Whether outputs of a stored model are to be smoothed.
bool is_smoothed(const Numbers& fitted);

}  // namespace mgnn
