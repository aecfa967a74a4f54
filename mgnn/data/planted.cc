// What the planted arcs leave open is filled by matching free out-stubs to free in-stubs at random.
// Some of these arcs will be loops, repetitions, reversals, or sides of a new triangle. Such an arc
// trades its target with another random one, if both are then in order; every trade leaves fewer
// bad arcs. If none succeeds for long, start again.

#include "mgnn/data/planted.h"

#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

struct Wiring {
  std::vector<std::vector<NodeId>> near;  // neighbours either way, with repetitions
  Array<Edge> loose;                      // the arcs that may be traded

  bool are_joined(NodeId u, NodeId v) const {
    return std::find(near[u].begin(), near[u].end(), v) != near[u].end();
  }
  void join(const Edge& e) {
    near[e.from].push_back(e.to);
    near[e.to].push_back(e.from);
  }
  void part(const Edge& e) {
    near[e.from].erase(std::find(near[e.from].begin(), near[e.from].end(), e.to));
    near[e.to].erase(std::find(near[e.to].begin(), near[e.to].end(), e.from));
  }
  // Whether an arc that is not there could be: no loop, no second arc, no triangle.
  bool is_free(const Edge& e) const {
    if (e.from == e.to || are_joined(e.from, e.to)) return false;
    return std::none_of(near[e.from].begin(), near[e.from].end(),
                        [&](NodeId w) { return are_joined(w, e.to); });
  }
  bool is_good(const Edge& e) {
    part(e);
    const bool good = is_free(e);
    join(e);
    return good;
  }

  // Gives e and f each other's target if both are good then; otherwise all stays.
  bool trade(Edge& e, Edge& f) {
    if (&e == &f) return false;
    const Edge new_e{e.from, f.to}, new_f{f.from, e.to};
    part(e);
    part(f);
    if (is_free(new_e)) {
      join(new_e);
      if (is_free(new_f)) {
        join(new_f);
        e = new_e;
        f = new_f;
        return true;
      }
      part(new_e);
    }
    join(e);
    join(f);
    return false;
  }
};

bool mend(Wiring& wiring, Rng& rng) {
  constexpr int kTries = 400;
  for (bool again = true; again;) {  // a trade may mend other arcs too, but spoils none
    again = false;
    for (Edge& e : wiring.loose) {
      if (wiring.is_good(e)) continue;
      int tries = 0;
      while (tries < kTries && !wiring.trade(e, wiring.loose[rng.below(wiring.loose.size())]))
        tries++;
      if (tries == kTries) return false;
      again = true;
    }
  }
  return true;
}

}  // namespace

Array<Edge> regular_with_planted(NodeId num_nodes, int degree, const Array<Edge>& planted,
                                 Rng rng) {
  constexpr uint64_t kStarts = 200;
  std::vector<int> out(size_t(num_nodes), degree), in(size_t(num_nodes), degree);
  for (const Edge& e : planted) {
    out[e.from]--;
    in[e.to]--;
  }
  std::vector<NodeId> from, to;
  for (NodeId u = 0; u < num_nodes; u++) {
    from.insert(from.end(), size_t(out[u]), u);
    to.insert(to.end(), size_t(in[u]), u);
  }
  for (uint64_t start = 0; start < kStarts; start++) {
    Rng source = rng.split(start);
    source.shuffle(std::span(to));
    Wiring wiring{std::vector<std::vector<NodeId>>(size_t(num_nodes)), {}};
    for (const Edge& e : planted) wiring.join(e);
    for (size_t i = 0; i < from.size(); i++) {
      wiring.loose.push_back({from[i], to[i]});
      wiring.join(wiring.loose.back());
    }
    if (!mend(wiring, source)) continue;
    wiring.loose.insert(wiring.loose.end(), planted.begin(), planted.end());
    return std::move(wiring.loose);
  }
  fail_usage("{} nodes are too few for {} out-arcs each without triangles; take more nodes",
             num_nodes, degree);
}

Array<Edge> cyclic_triangle(NodeId a, NodeId b, NodeId c) { return {{a, b}, {b, c}, {c, a}}; }
Array<Edge> transitive_triangle(NodeId a, NodeId b, NodeId c) { return {{a, b}, {b, c}, {a, c}}; }

}  // namespace mgnn
