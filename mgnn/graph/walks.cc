// Second-order steps by rejection: propose x as a walk of the first order would, accept it with
// probability bias / max(1, 1/q). The way back, whose bias 1/p may be far larger, would make most
// proposals fail; what it has beyond the bound is a part of its own of the area that darts are
// thrown at (Yang et al. "KnightKing", SOSP 2019). Where the bound is loose (q large, and no
// neighbour of v leads to t) the tries are cut off and the step is drawn from the exact
// distribution, so that no choice of p and q is slow.
//
// Grover, Leskovec. "node2vec: Scalable Feature Learning for Networks", KDD 2016. As in their code,
// on directed graphs "x is next to t" is the arc x -> t.

#include "mgnn/graph/walks.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/parallel.h"

namespace mgnn {

Walker::Walker(const Graph& graph, std::span<const float> weight, const WalkOptions& options)
    : graph_(graph),
      weight_(weight),
      back_(1 / options.p),
      on_(1 / options.q),
      most_(std::max(1., on_)),
      least_(std::min(1., on_)),
      loops_(options.loops) {
  check(options.p > 0 && options.q > 0, "p and q must be above 0, not {} and {}", options.p,
        options.q);
  check(!loops_ || (weight.empty() && back_ == 1 && on_ == 1),
        "walks with loops have neither weights nor p and q");
  if (weight.empty()) return;
  check(weight.size() == size_t(graph.num_arcs()), "{} weights for {} arcs", weight.size(),
        graph.num_arcs());
  for (const float w : weight)
    check(w >= 0 && std::isfinite(w), "a walk needs weights of 0 and above, not {}", w);
  slots_.resize(weight.size());
  weight_sum_.resize(size_t(graph.num_nodes()));
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1024) if (worth_threads(4 * graph.num_arcs()))
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    error.run([&] {
      const auto first = size_t(graph.out.start[u]), count = size_t(graph.out.row_size(u));
      weight_sum_[u] =
          fill_alias_slots(weight_.subspan(first, count), std::span(slots_).subspan(first, count));
    });
  error.rethrow();
}

NodeId Walker::step(NodeId v, Rng& rng) const {
  const Offset first = graph_.out.start[v], degree = graph_.out.start[v + 1] - first;
  if (loops_) {
    const auto chosen = Offset(rng.below(uint64_t(degree) + 1));
    return chosen == degree ? v : graph_.out.index[first + chosen];
  }
  if (degree == 0) return -1;
  if (weight_.empty()) return graph_.out.index[first + Offset(rng.below(uint64_t(degree)))];
  if (weight_sum_[v] == 0) return -1;
  return graph_.out
      .index[first + draw(std::span(slots_).subspan(size_t(first), size_t(degree)), rng)];
}

double Walker::bias(NodeId t, NodeId x) const {
  if (x == t) return back_;
  if (on_ == 1) return 1;
  const std::span<const NodeId> to_t = graph_.in.row(t), from_x = graph_.out.row(x);
  const bool next = to_t.size() < from_x.size()
                        ? std::binary_search(to_t.begin(), to_t.end(), x)
                        : std::binary_search(from_x.begin(), from_x.end(), t);
  return next ? 1 : on_;
}

// Of the arc v -> t; 0 if there is none.
double Walker::weight_back(NodeId t, NodeId v) const {
  const std::span<const NodeId> row = graph_.out.row(v);
  const auto back = std::lower_bound(row.begin(), row.end(), t);
  if (back == row.end() || *back != t) return 0;
  return weight_.empty() ? 1 : double(weight_[graph_.out.start[v] + (back - row.begin())]);
}

NodeId Walker::step(NodeId t, NodeId v, Rng& rng) const {
  constexpr int kTries = 24;
  double beyond = 0;  // share of the way back above the bound, in the area that darts are thrown at
  if (back_ > most_) {
    const double above = weight_back(t, v) * (back_ - most_);
    const double sum = weight_.empty() ? double(graph_.out.row_size(v)) : weight_sum_[v];
    beyond = above / (above + most_ * sum);
  }
  for (int i = 0; i < kTries; i++) {
    if (beyond > 0 && rng.chance(beyond)) return t;
    const NodeId x = step(v, rng);
    const double height = rng.uniform() * most_;
    if (x != t && height < least_) return x;  // whatever its bias
    if (height < bias(t, x)) return x;
  }
  return step_exactly(t, v, rng);
}

NodeId Walker::step_exactly(NodeId t, NodeId v, Rng& rng) const {
  const Offset first = graph_.out.start[v], last = graph_.out.start[v + 1];
  const auto share = [&](Offset e) {
    const double weight = weight_.empty() ? 1 : double(weight_[e]);
    return weight * bias(t, graph_.out.index[e]);
  };
  double sum = 0;
  for (Offset e = first; e < last; e++) sum += share(e);
  if (sum == 0) return step(v, rng);  // p or q is infinite and there is no other way
  double rest = rng.uniform() * sum;
  NodeId chosen = t;
  for (Offset e = first; e < last; e++) {
    const double here = share(e);
    if (here == 0) continue;
    chosen = graph_.out.index[e];
    if ((rest -= here) < 0) break;
  }
  return chosen;
}

size_t Walker::walk(NodeId start, Rng& rng, std::span<NodeId> walk) const {
  const bool first_order = back_ == 1 && on_ == 1;
  walk[0] = start;
  for (size_t i = 1; i < walk.size(); i++) {
    const bool any = loops_ || (weight_.empty() ? graph_.out.row_size(walk[i - 1]) > 0
                                                : weight_sum_[walk[i - 1]] > 0);
    if (!any) return i;
    walk[i] = first_order || i == 1 ? step(walk[i - 1], rng) : step(walk[i - 2], walk[i - 1], rng);
  }
  return walk.size();
}

}  // namespace mgnn
