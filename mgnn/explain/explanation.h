// Why a trained network answers what it does about a node, a pair of nodes or a graph.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mgnn/base/names.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

enum class Subject { node, pair, graph };
constexpr auto enum_names(Subject) {
  return std::to_array<Named<Subject>>(
      {{"node", Subject::node}, {"pair", Subject::pair}, {"graph", Subject::graph}});
}

// What shares are, from best to worst:
//   exact        the score is linear in the outputs of the motifs (of a pair: in those of each end): shares
//                and bias add up to it
//   piecewise    linear but for units that are on or off (rectifiers, maxima): shares and bias add up to it,
//                with every unit as it is
//   first_order  gradient x input: what is left over is in `rest`
//   none         the network has no motifs
enum class ShareKind { exact, piecewise, first_order, none };
constexpr auto enum_names(ShareKind) {
  return std::to_array<Named<ShareKind>>({{"exact", ShareKind::exact},
                                          {"piecewise-linear", ShareKind::piecewise},
                                          {"first-order", ShareKind::first_order},
                                          {"none", ShareKind::none}});
}

// Motifs whose matrices are equal: what they add can only be told apart arbitrarily.
struct MotifShare {
  std::vector<int> motifs = {};   // ascending
  std::vector<double> part = {};  // of each
  double share = 0;               // their sum
  bool absent = false;            // the graph has no instance of any of them
};

struct NamedShare {
  std::string name;
  double share = 0;
};

// Gradient x input on the entries of the matrices that the node sends messages through.
struct NeighbourShare {
  NodeId node = 0;
  double share = 0;
  double messages = 0;              // of it: through the adjacency matrix
  std::vector<int> strongest = {};  // motifs of the matrix that carries most of the rest
};

// The share of an entry (i, j) of a motif matrix, divided among the instances that the entry counts.
struct InstanceShare {
  int motif = 0;
  std::array<NodeId, 3> nodes = {};  // ascending
  int arcs = 0;                      // among them, as arc_bit
  double share = 0;
};

// A joined pair with its share: that of messages through it, and of the instances that it is part of.
struct ArcShare {
  NodeId from = 0, to = 0;
  bool mutual = false;  // both arcs
  double share = 0;
  int strongest =
      0;  // the motif whose instances carry most of it; 0: messages through the pair itself
};

// How much the answer changes without the arcs of an explanation, and with these alone.
struct Fidelity {
  int64_t arcs = 0;                          // of the explanation
  double plus = 0, minus = 0;                // change of the probability (of numbers: of the score)
  double random_plus = 0, random_minus = 0;  // the same with as many random arcs, means
  int64_t random_draws = 0;
};

// Few arcs without which the answer is another one; motifs are counted anew after each.
struct Counterfactual {
  bool found = false;
  std::vector<ArcShare> arcs = {};  // removed, in this order; `share`: by how much the score fell
  std::string answer = {};          // then
  double score = 0;                 // then
  std::optional<double> probability = {};
};

struct Explanation {
  static constexpr int kSchema = 1;  // of the JSON document

  Subject subject = Subject::node;
  std::vector<NodeId> nodes = {};  // the node, or both ends of the pair
  NodeId graph = -1;
  std::string answer = {};     // the predicted class; empty where numbers or pairs are predicted
  std::string explained = {};  // what the score is of: a class, "score", "value"
  double score = 0;            // logit, or value as the network gives it
  std::optional<double> probability = {};

  ShareKind kind = ShareKind::none;
  std::vector<MotifShare> motifs = {};  // by their first motif
  std::vector<NamedShare> others = {};  // parts of the score beside motifs
  double bias = 0;
  double rest = 0;  // score - all shares - bias; rounding where the shares are exact

  std::vector<NeighbourShare> neighbours = {};  // all lists: largest magnitude first
  std::vector<InstanceShare> instances = {};
  std::vector<ArcShare> arcs = {};
  std::vector<NamedShare> features = {};
  std::optional<Fidelity> fidelity = {};
  std::optional<Counterfactual> counterfactual = {};
  std::vector<std::string> remarks = {};  // what holds only with a proviso: one sentence each
};

// What motifs add, class by class.
struct Summary {
  std::vector<std::vector<int>> groups = {};  // motifs with equal matrices
  std::vector<uint8_t> absent = {};           // (groups)
  std::vector<std::string> classes = {};      // predicted; one row "all" where there are none
  std::vector<int64_t> items = {};            // (classes)
  std::vector<double> share = {};             // (classes, groups) mean
  std::vector<double> magnitude = {};         // (classes, groups) mean of |share|
  std::vector<double> z = {};                 // (groups) of the census; empty: not asked for
};

// Two tests that an explanation must pass (Adebayo et al. 2018 is the first).
struct SanityCheck {
  double shuffled_correlation = 0;   // of arc shares with those of a network of shuffled weights
  double renumbered_difference = 0;  // largest difference of a share when nodes are numbered anew
  bool depends_on_weights = false, equal_for_equal = false;
};

struct ExplainOptions {
  int64_t top = 10;           // length of lists; 0: all
  int64_t picture_arcs = 40;  // length of `arcs`
  // Lists, picture and what is recounted are of their matrices alone; empty: of all, and of messages.
  std::vector<int> motifs = {};
  bool fidelity = true;
  bool counterfactual = true;
  int64_t max_removals = 10;  // of a counterfactual
  int64_t random_draws = 10;  // of fidelity
  // Arcs in all graphs that are counted anew: what a larger graph gets fewer tries and draws for.
  int64_t recounted_arcs = 40'000'000;
  uint64_t seed = 0;
};

}  // namespace mgnn
