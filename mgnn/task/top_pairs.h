// The best pairs so far of many.
#pragma once

#include <limits>
#include <queue>
#include <vector>

#include "mgnn/task/ranking.h"

namespace mgnn {

// Higher scores first, of equal ones the smaller nodes.
struct BetterPair {
  bool operator()(const RankedPair& a, const RankedPair& b) const {
    if (a.score != b.score) return a.score > b.score;
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  }
};

// The worst of them on top.
class TopPairs {
 public:
  explicit TopPairs(size_t most) : most_(most) {}
  // Scores below it cannot come in.
  float threshold() const {
    return heap_.size() < most_ ? -std::numeric_limits<float>::infinity() : heap_.top().score;
  }
  void offer(const RankedPair& pair) {
    if (heap_.size() == most_) {
      if (!BetterPair()(pair, heap_.top())) return;
      heap_.pop();
    }
    heap_.push(pair);
  }
  void move_to(std::vector<RankedPair>& all) {
    for (; !heap_.empty(); heap_.pop()) all.push_back(heap_.top());
  }

 private:
  size_t most_;
  std::priority_queue<RankedPair, std::vector<RankedPair>, BetterPair> heap_;
};

}  // namespace mgnn
