// Three nodes i, j, w are described by the types of (i, j), (i, w), (j, w), and these name the role
// that i has among them. Triangles come from the histograms of i's pairs; the other triples are
// wedges with i in the middle, all pairs of neighbours but those in triangles, and wedges with i at
// an end, all paths i, j, w but those in triangles. So 39 sums per node suffice: what a triple is
// follows once per node, not once per pair.

#include "mgnn/motif/node_sums.h"

#include <algorithm>
#include <vector>

#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

constexpr uint32_t kAhead = 16;         // neighbours, for prefetches; lists are padded
constexpr uint32_t kPerFlush = 0xFFFF;  // that many counts of 16 bits fit into 32

struct Neighbour {
  uint32_t rank, type, slot;
};

void add_wide(const PairHistograms& histograms, const Neighbour& neighbour,
              int64_t (*triangles)[9]) {
  const std::array<uint32_t, 9> counts = histograms.counts(neighbour.slot);
  for (size_t c = 0; c < 9; c++) triangles[neighbour.type][c] += counts[c];
}

// Adds what the neighbours at(0), … at(count - 1) bring. Histograms have the lower node first.
template <class At>
void add_neighbours(const PairHistograms& histograms, const RankedNode* by_rank, uint32_t count,
                    const At& at, int64_t (*triangles)[9], int64_t (*paths)[kNumTypes]) {
  const PairHistogram* const of_slot = histograms.of_slot.data();
  for (uint32_t p = 0; p < count;) {
    uint32_t sums[kNumTypes][9] = {};
    for (const uint32_t stop = p + std::min(count - p, kPerFlush); p < stop; p++) {
      const Neighbour ahead = at(p + kAhead), neighbour = at(p);
      __builtin_prefetch(of_slot + ahead.slot);  // it may lie on two lines
      __builtin_prefetch(&of_slot[ahead.slot].count[8]);
      __builtin_prefetch(&by_rank[ahead.rank]);
      for (size_t s = 0; s < kNumTypes; s++)
        paths[neighbour.type][s] += by_rank[neighbour.rank].degree[s];
      const PairHistogram& histogram = of_slot[neighbour.slot];
      if (histogram.count[0] == PairHistogram::kWide) [[unlikely]]
        add_wide(histograms, neighbour, triangles);
      else
        for (size_t c = 0; c < 9; c++) sums[neighbour.type][c] += histogram.count[c];
    }
    for (size_t t = 0; t < kNumTypes; t++)
      for (size_t c = 0; c < 9; c++) triangles[t][c] += sums[t][c];
  }
}

void add_wedges(const uint32_t* degree, int64_t (*wedges)[kNumTypes]) {
  for (size_t t = 0; t < kNumTypes; t++)
    for (size_t s = 0; s < kNumTypes; s++)
      wedges[t][s] += degree[t] * (int64_t(degree[s]) - (s == t));
}

// A triangle of i, j, w, as i sees it.
void add_triangles(NodeSums& sums, int ij, int iw, int jw, int64_t count) {
  sums.triangles[ij][3 * iw + jw] += count;
  sums.triangles[iw][3 * ij + reversed(jw)] += count;
}

// Instances of smaller motifs within a triple: in how many of them its node of role `whole` has the
// role `part`.
struct PartOfTriple {
  int whole, part;  // numbers less one
  int64_t times;
};

std::vector<PartOfTriple> parts_of_triples() {
  std::vector<PartOfTriple> parts;
  for (const Role& r : all_roles()) {
    int offered = 0;
    while (role_in_arcs(offered) != r.number) offered++;
    RoleCounts times{};
    for (int taken = offered; taken > 0; taken = (taken - 1) & offered)
      if (role_in_arcs(taken) != 0) times[role_in_arcs(taken) - 1]++;
    for (int part = 0; part < kNumRoles; part++)
      if (times[part] > 0) parts.push_back({r.number - 1, part, times[part]});
  }
  return parts;
}

// The role of i, less one, in a triple of these types.
struct RoleTables {
  int8_t closed[kNumTypes][9];
  int8_t centre[kNumTypes][kNumTypes];  // of a wedge, by the types of its leaves
  int8_t leaf[kNumTypes][kNumTypes];    // by the types of (i, j), (j, w)

  RoleTables() {
    const auto role_of = [](int arc_set) { return int8_t(role_in_arcs(arc_set) - 1); };
    for (int t = 0; t < kNumTypes; t++)
      for (int s = 0; s < kNumTypes; s++) {
        centre[t][s] = role_of(arcs_between(0, 1, t) | arcs_between(0, 2, s));
        leaf[t][s] = role_of(arcs_between(0, 1, t) | arcs_between(1, 2, s));
        for (int u = 0; u < kNumTypes; u++)
          closed[t][3 * s + u] =
              role_of(arcs_between(0, 1, t) | arcs_between(0, 2, s) | arcs_between(1, 2, u));
      }
  }
};

}  // namespace

LargeArray<RankedNode> ranked_nodes(const RankedPairs& pairs) {
  LargeArray<RankedNode> by_rank(size_t(pairs.num_nodes()) + 1);
  by_rank[0] = {};
#pragma omp parallel for schedule(static) if (worth_threads(pairs.num_nodes()))
  for (NodeId u = 0; u < pairs.num_nodes(); u++) {
    const NodeProfile& p = pairs.profile[u];
    by_rank[p.rank] = {{p.degree[0], p.degree[1], p.degree[2]}, u};
  }
  return by_rank;
}

NodeSums node_sums(const RankedPairs& pairs, const PairHistograms& histograms,
                   const LargeArray<RankedNode>& by_rank, uint32_t rank) {
  NodeSums sums;
  const uint32_t first_slot = pairs.upper_start[rank];
  const uint32_t* const upper = pairs.upper.data() + first_slot;
  const LowerNeighbour* const lower = pairs.lower.data() + pairs.lower_start[rank];
  add_neighbours(
      histograms, by_rank.data(), pairs.upper_start[rank + 1] - first_slot,
      [=](uint32_t p) {
        return Neighbour{upper[p] >> 2, upper[p] & 3, first_slot + p};
      },
      sums.triangles, sums.paths);
  int64_t transposed[kNumTypes][9] = {};
  add_neighbours(
      histograms, by_rank.data(), pairs.lower_start[rank + 1] - pairs.lower_start[rank],
      [=](uint32_t p) {
        return Neighbour{lower[p].rank_and_type >> 2, lower[p].rank_and_type & 3, lower[p].slot};
      },
      transposed, sums.paths);
  add_wedges(by_rank[rank].degree, sums.wedges);
  for (size_t t = 0; t < kNumTypes; t++) {
    sums.paths[t][reversed(int(t))] -= by_rank[rank].degree[t];  // i, j, i
    for (size_t c = 0; c < 9; c++) sums.triangles[t][c] += transposed[t][c % 3 * 3 + c / 3];
  }
  return sums;
}

NodeSums sums_of_all_nodes(const RankedPairs& pairs, const TriangleTotals& totals) {
  NodeSums sums;
  for (const NodeProfile& profile : pairs.profile) add_wedges(profile.degree, sums.wedges);
  for (int t = 0; t < kNumTypes; t++)
    for (int s = 0; s < kNumTypes; s++) {
      sums.paths[t][s] = sums.wedges[reversed(t)][s];  // from the node in the middle
      for (int u = 0; u < kNumTypes; u++) {            // from each of the three nodes
        const int64_t count = totals.count[t][3 * s + u];
        add_triangles(sums, t, s, u, count);
        add_triangles(sums, reversed(t), u, s, count);
        add_triangles(sums, reversed(s), reversed(u), t, count);
      }
    }
  return sums;
}

RoleCounts induced_roles(const NodeSums& sums) {
  static const RoleTables roles;
  RoleCounts twice{};  // (j, w) and (w, j)
  for (size_t t = 0; t < kNumTypes; t++)
    for (size_t s = 0; s < kNumTypes; s++) {
      int64_t centre = sums.wedges[t][s], leaf = sums.paths[t][s];
      for (size_t u = 0; u < kNumTypes; u++) {
        twice[roles.closed[t][3 * s + u]] += sums.triangles[t][3 * s + u];
        centre -= sums.triangles[t][3 * s + u];
        leaf -= sums.triangles[t][3 * u + s];
      }
      twice[roles.centre[t][s]] += centre;
      twice[roles.leaf[t][s]] += 2 * leaf;
    }
  for (int64_t& count : twice) count /= 2;
  return twice;
}

RoleCounts subgraph_roles(const RoleCounts& induced) {
  static const std::vector<PartOfTriple> parts = parts_of_triples();
  RoleCounts counts{};
  for (const PartOfTriple& p : parts) counts[p.part] += p.times * induced[p.whole];
  return counts;
}

}  // namespace mgnn
