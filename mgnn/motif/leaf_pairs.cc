// Row i of the product of two patterns, with a dense row as accumulator: every wedge i - w - j adds
// the lanes of its two types at j. This is the one place where wedges are enumerated, for there are
// as many numbers to find as pairs of leaves.

#include "mgnn/motif/leaf_pairs.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

// Calls visit(j, cell) for every wedge i - w - j with leaves that are not joined, j != i. `joined`
// holds i at the neighbours of i and at i.
template <class Visit>
void each_open_wedge(const RankedPairs& pairs, const Array<uint8_t>& type_of, NodeId i,
                     Array<NodeId>& joined, Visit&& visit) {
  const Csr& s = pairs.connected;
  joined[i] = i;
  for (const NodeId w : s.row(i)) joined[w] = i;
  for (Offset p = s.start[i]; p < s.start[i + 1]; p++) {
    const NodeId w = s.index[p];
    for (Offset q = s.start[w]; q < s.start[w + 1]; q++) {
      const NodeId j = s.index[q];
      if (joined[j] != i) visit(j, 3 * type_of[p] + reversed(type_of[q]));
    }
  }
}

// Which cells add anything to the arrays that are computed.
std::array<bool, 9> useful_cells(const SharedForms& shared) {
  std::array<bool, 9> useful{};
  for (size_t c = 0; c < 9; c++)
    for (const int lane : shared.lane_of_array) useful[c] |= shared.forms.leaf[c][lane] != 0;
  return useful;
}

// What is needed at once: first for the leaves of every row, in lists that may be half empty, and
// the pattern made of them; then for the pattern and the values, on it and still on S.
struct MemoryNeed {
  const RankedPairs& pairs;
  LeafSizes sizes;

  int64_t bytes(Offset places) const {
    const int64_t threads = num_threads(), n = pairs.num_nodes(), joined = pairs.connected.nnz();
    const int64_t finding = 8 * (places - joined) + 4 * places + threads * n * 8 + n * 24;
    const int64_t filling = places * (4 + sizes.values) + joined * sizes.values +
                            threads * n * (int64_t(sizeof(NodeId)) + sizes.sums);
    return joined + std::max(finding, filling);  // with the types of joined pairs
  }
  void check(Offset places, int64_t limit) const {
    if (bytes(places) > limit)
      fail(
          "pair entries of these open motifs need more than {} of memory ({} places and more), "
          "above the limit of {}; raise the limit, ask for fewer motifs, or take entry edge",
          human_bytes(limit), human_count(places), human_bytes(limit));
  }
};

}  // namespace

LeafPairs leaf_pairs(const RankedPairs& pairs, const SharedForms& shared, LeafSizes sizes,
                     int64_t memory_limit) {
  const int64_t limit = memory_limit > 0 ? memory_limit : available_memory_bytes() / 2;
  const NodeId n = pairs.num_nodes();
  const std::array<bool, 9> useful = useful_cells(shared);
  LeafPairs leaves{{n, n, Array<Offset>(size_t(n) + 1, 0), {}}, place_types(pairs)};
  std::vector<std::vector<NodeId>> extra(static_cast<size_t>(n));
  std::atomic<Offset> places = pairs.connected.nnz();
  const MemoryNeed need = {pairs, sizes};
  need.check(places, limit);
  Progress progress("pairs of leaves", n, "nodes");
  ParallelError error;
#pragma omp parallel if (worth_threads(pairs.connected.nnz()))
  {
    Array<NodeId> joined, seen;
    error.run([&] {
      joined.assign(size_t(n), NodeId(-1));
      seen.assign(size_t(n), NodeId(-1));
    });
#pragma omp for schedule(dynamic, 16)
    for (NodeId i = 0; i < n; i++)
      error.run([&] {
        check_interrupted();
        std::vector<NodeId>& mine = extra[i];
        each_open_wedge(pairs, leaves.type_of, i, joined, [&](NodeId j, int cell) {
          if (!useful[cell] || seen[j] == i) return;
          seen[j] = i;
          mine.push_back(j);
        });
        std::sort(mine.begin(), mine.end());
        need.check(places += Offset(mine.size()), limit);
        leaves.pattern.start[i + 1] = pairs.connected.row_size(i) + Offset(mine.size());
        progress.advance(1);
      });
  }
  error.rethrow();
  for (NodeId i = 0; i < n; i++) leaves.pattern.start[i + 1] += leaves.pattern.start[i];
  leaves.pattern.index.resize(size_t(leaves.pattern.nnz()));
#pragma omp parallel for schedule(dynamic, 256) if (worth_threads(leaves.pattern.nnz()))
  for (NodeId i = 0; i < n; i++) {
    const auto row = pairs.connected.row(i);
    std::merge(row.begin(), row.end(), extra[i].begin(), extra[i].end(),
               leaves.pattern.index.data() + leaves.pattern.start[i]);
    extra[i] = {};
  }
  return leaves;
}

void add_leaf_pairs(const RankedPairs& pairs, const SharedForms& shared, LeafPairs leaves,
                    MotifMatrices& matrices) {
  const NodeId n = pairs.num_nodes();
  const Csr& s = pairs.connected;
  const size_t arrays = shared.lane_of_array.size();
  std::vector<Array<uint32_t>> wider;
  for (size_t a = 0; a < arrays; a++) wider.emplace_back(size_t(leaves.pattern.nnz()));
  ParallelError error;
#pragma omp parallel if (worth_threads(leaves.pattern.nnz()))
  {
    Array<NodeId> joined;
    Array<std::array<uint32_t, 9>> cells;
    error.run([&] {
      joined.assign(size_t(n), NodeId(-1));
      cells.assign(size_t(n), std::array<uint32_t, 9>{});
    });
#pragma omp for schedule(dynamic, 16)
    for (NodeId i = 0; i < n; i++)
      error.run([&] {
        check_interrupted();
        each_open_wedge(pairs, leaves.type_of, i, joined,
                        [&](NodeId j, int cell) { cells[j][cell]++; });
        Offset from = s.start[i];
        for (Offset to = leaves.pattern.start[i]; to < leaves.pattern.start[i + 1]; to++) {
          const NodeId j = leaves.pattern.index[to];
          const bool in_s = joined[j] == i;
          for (size_t a = 0; a < arrays; a++) {
            uint32_t value = 0;
            for (size_t c = 0; c < 9; c++)
              value += cells[j][c] * shared.forms.leaf[c][shared.lane_of_array[a]];
            wider[a][to] = in_s ? matrices.values[a][from] : value;
          }
          from += in_s;
        }
        each_open_wedge(pairs, leaves.type_of, i, joined, [&](NodeId j, int) { cells[j] = {}; });
      });
  }
  error.rethrow();
  matrices.values = std::move(wider);
  matrices.pattern = std::move(leaves.pattern);
}

}  // namespace mgnn
