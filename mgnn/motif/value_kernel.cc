// A place (i, j) after the other, all motifs at once: motifs are the vector lanes, eight closed and
// eight open ones (pair_forms.h), and an entry is a sum of coefficient vectors times counts. What
// depends on i alone is added once per row. Places of a block are computed to a small buffer and
// then copied to the arrays, one array after the other.

#include "mgnn/motif/value_kernel.h"

#include <algorithm>
#include <cstring>

namespace mgnn {
namespace MGNN_KERNEL {
namespace {

typedef uint32_t Half __attribute__((vector_size(32)));  // eight lanes
constexpr int kBlock = 64;                               // places in the buffer

inline void load(Half& half, const uint32_t* from) { std::memcpy(&half, from, sizeof half); }

inline void add_product(Half& sum, const uint32_t* coefficients, uint32_t count) {
  Half half;
  load(half, coefficients);
  sum += half * count;
}

struct RowWalk {
  const ValueJob& job;
  const NodeProfile& self;
  const uint32_t* upper;
  const LowerNeighbour* lower;
  uint32_t slot;                            // of *upper
  Half closed[kNumTypes], open[kNumTypes];  // what depends on i alone

  RowWalk(const ValueJob& j, NodeId i)
      : job(j),
        self(j.pairs->profile[size_t(i)]),
        upper(j.pairs->upper.data() + j.pairs->upper_start[self.rank]),
        lower(j.pairs->lower.data() + j.pairs->lower_start[self.rank]),
        slot(j.pairs->upper_start[self.rank]) {
    for (int t = 0; t < kNumTypes; t++) {
      load(closed[t], j.forms->constant[size_t(t)].data());
      load(open[t], j.forms->constant[size_t(t)].data() + 8);
      for (int s = 0; s < kNumTypes; s++)
        add_product(open[t], j.forms->own[size_t(t)][size_t(s)].data() + 8, self.degree[s]);
    }
  }
};

inline void counts_of(const PairHistograms& histograms, uint32_t slot, uint32_t* count) {
  const PairHistogram& h = histograms.of_slot[slot];
  for (int c = 0; c < 9; c++) count[c] = uint32_t(h.above[c]) + h.below[c];
  if (h.below[0] != PairHistogram::kWide) [[likely]]
    return;
  const WideCounts* wide = histograms.wide.data();
  size_t size = histograms.wide.size();
  while (size > 1) {
    const size_t half = size / 2;
    if (wide[half].slot <= slot) wide += half;
    size -= half;
  }
  for (int c = 0; c < 9; c++) count[c] = h.above[c] + wide->below[c];
}

inline void diagonal_entry(const RowWalk& row, uint32_t* lanes) {
  for (int lane = 0; lane < kLanes; lane++) {
    lanes[lane] = 0;
    for (int s = 0; s < kNumTypes; s++)
      lanes[lane] += row.job.forms->diagonal[size_t(s)][size_t(lane)] * row.self.degree[s];
  }
}

// `transposed` where i is the upper node: histograms have the lower node first.
template <bool transposed>
inline void entry(const RowWalk& row, uint32_t slot, int type, const NodeProfile& other,
                  uint32_t* lanes) {
  const PairForms& forms = *row.job.forms;
  const auto t = size_t(type);
  Half closed = row.closed[type], open = row.open[type];
  if (row.job.closed_lanes || row.job.open_lanes_need_common) {
    uint32_t count[9];
    counts_of(*row.job.histograms, slot, count);
    for (int c = 0; c < 9; c++) {
      const uint32_t h = count[transposed ? c % 3 * 3 + c / 3 : c];
      add_product(closed, forms.common[t][size_t(c)].data(), h);
      if (row.job.open_lanes_need_common)
        add_product(open, forms.common[t][size_t(c)].data() + 8, h);
    }
  }
  if (row.job.open_lanes)
    for (int s = 0; s < kNumTypes; s++)
      add_product(open, forms.other[t][size_t(s)].data() + 8, other.degree[s]);
  std::memcpy(lanes, &closed, sizeof closed);
  std::memcpy(lanes + 8, &open, sizeof open);
}

// The next `count` places of row i, from its place `begin` on.
inline void entries(RowWalk& row, NodeId i, const NodeId* begin, int count, uint32_t* lanes) {
  const RankedPairs& pairs = *row.job.pairs;
  const PairHistogram* const histograms = row.job.histograms->of_slot.data();
  for (int p = 0; p < count; p++, lanes += kLanes) {
    const NodeId j = begin[p];
    const NodeProfile& other = pairs.profile[size_t(j)];
    if (other.rank < row.self.rank) {
      entry<false>(row, row.slot++, int(*row.upper++ & 3), other, lanes);
    } else if (j != i) {
      __builtin_prefetch(&histograms[row.lower[16].slot]);
      entry<true>(row, row.lower->slot, int(row.lower->rank_and_type & 3), other, lanes);
      row.lower++;
    } else {
      diagonal_entry(row, lanes);
    }
  }
}

template <class Take>
inline void each_block(const ValueJob& job, NodeId i, Take&& take) {
  alignas(64) uint32_t lanes[kBlock * kLanes];
  RowWalk row(job, i);
  const Offset end = job.pattern->start[size_t(i) + 1];
  for (Offset at = job.pattern->start[size_t(i)]; at < end; at += kBlock) {
    const int count = int(end - at < kBlock ? end - at : kBlock);
    entries(row, i, job.pattern->index.data() + at, count, lanes);
    take(at, count, lanes);
  }
}

}  // namespace

void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs) {
  for (NodeId i = first; i < last; i++)
    each_block(job, i, [&](Offset at, int count, const uint32_t* lanes) {
      for (int o = 0; o < num_outputs; o++) {
        uint32_t* const to = outputs[o].value + at;
        const uint32_t* from = lanes + outputs[o].lane;
        for (int p = 0; p < count; p++, from += kLanes) to[p] = *from;
      }
    });
}

void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums) {
  for (NodeId i = first; i < last; i++, sums += kLanes) {
    std::memset(sums, 0, kLanes * sizeof *sums);
    each_block(job, i, [&](Offset, int count, const uint32_t* lanes) {
      for (int p = 0; p < count; p++, lanes += kLanes)
        for (int lane = 0; lane < kLanes; lane++) sums[lane] += lanes[lane];
    });
  }
}

}  // namespace MGNN_KERNEL
}  // namespace mgnn
