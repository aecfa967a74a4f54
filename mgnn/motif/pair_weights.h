// The weights of connected pairs, and sums of them around a node.
#pragma once

#include <array>
#include <span>

#include "mgnn/motif/motifs.h"
#include "mgnn/motif/ranked_pairs.h"

namespace mgnn {

// A sum of doubles with about 106 bits: differences of two such sums are still good to 53 bits.
struct LongSum {
  double high = 0, low = 0;

  void add(double x) {
    const double sum = high + x, part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  void add(const LongSum& other) {
    add(other.high);
    low += other.low;
  }
  void subtract(const LongSum& other) { add({-other.high, -other.low}); }
  double value() const { return high + low; }
};

// A pair as one of its nodes sees it. An instance uses it in one of three ways: as the arc out, as
// the arc in, or as both. Possible are those from first to last: one, or all of a mutual pair.
struct PairWays {
  std::array<double, kNumTypes> weight{};  // what the way puts into the sum or product
  int first = 0, last = 0;
};

// A sum over the neighbours of a node, by the way in which they are used.
struct WaySums {
  std::array<LongSum, kNumTypes> weight{};
  std::array<int64_t, kNumTypes> count{};

  void add(const PairWays& ways);
};

// The weights of its arcs, 0 where there is none, and its type.
struct PairArcs {
  float out = 0, in = 0;
  int32_t type = kIn;
};

// The connected pairs S of a graph with the weights of their arcs.
class PairWeights {
 public:
  // REQUIRES: `connected` outlives it; `arc_weight` is in the order of graph.out.
  PairWeights(const Graph& graph, std::span<const float> arc_weight, const Csr& connected,
              MotifWeights weights, Counting counting);

  const Csr& connected() const { return connected_; }
  PairWays ways(Offset place) const {
    const auto [out, in, type] = arcs_[place];
    const bool any = type == kBoth && counting_ == Counting::subgraph;
    return {{out, in, joined(out, in)}, any ? 0 : type, any ? kBoth : type};
  }
  Offset reverse(Offset place) const { return reverse_[place]; }
  // Two ways of two pairs in one instance.
  double joined(double a, double b) const { return weights_ == MotifWeights::mean ? a + b : a * b; }
  // Of every place (i, j): the neighbours of i other than j.
  Array<WaySums> sums_around() const;

 private:
  const Csr& connected_;
  MotifWeights weights_;
  Counting counting_;
  Array<Offset> reverse_;  // the place of (j, i)
  Array<PairArcs> arcs_;   // (nnz)
};

}  // namespace mgnn
