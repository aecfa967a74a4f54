// Pairs (row, column) in any order -> compressed rows. The sort under graph building and
// transposition.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "mgnn/base/parallel.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

// Two steps, both with sequential reads and few open write streams. First every pair goes to the
// bucket of its row's high bits; then each bucket, small enough for the cache, is counting-sorted
// by row (and by column before that, if rows are to be ascending). All of it is stable: a row's
// columns keep the order in which they were emitted, whatever the number of threads. O(rows +
// pairs); 8 bytes a pair besides the result.

struct RowColumn {
  NodeId row, column;
};

struct RowBuckets {
  int shift = 0;           // row r is in bucket r >> shift
  Array<Offset> start;     // (buckets + 1)
  Array<RowColumn> pairs;  // by bucket
  int64_t count() const { return int64_t(start.size()) - 1; }
};

// `each_in_part(part, emit)` calls emit(row, column) for every pair of that part of `parts`; it is
// called twice for each. REQUIRES: 0 <= row < rows.
template <class EachInPart>
RowBuckets bucket_rows(NodeId rows, int parts, EachInPart&& each_in_part) {
  constexpr int kMaxBuckets = 1024;
  RowBuckets buckets;
  while ((int64_t(rows) >> buckets.shift) >= kMaxBuckets) buckets.shift++;
  const int64_t count = (int64_t(rows) >> buckets.shift) + 1;
  const int shift = buckets.shift;

  std::vector<std::vector<Offset>> next(static_cast<size_t>(parts));
  ParallelError error;
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++)
    error.run([&] {
      std::vector<Offset> sizes(size_t(count), 0);
      each_in_part(part, [&](NodeId row, NodeId) { sizes[row >> shift]++; });
      next[part] = std::move(sizes);
    });
  error.rethrow();
  buckets.start.assign(size_t(count) + 1, 0);
  Offset total = 0;
  for (int64_t b = 0; b < count; b++) {
    buckets.start[b] = total;
    for (auto& of_part : next) total += std::exchange(of_part[b], total);
  }
  buckets.start[count] = total;
  buckets.pairs.resize(size_t(total));
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    Offset* to = next[part].data();
    RowColumn* pairs = buckets.pairs.data();
    each_in_part(part, [&](NodeId row, NodeId column) {
      pairs[to[row >> shift]++] = {row, column};
    });
  }
  return buckets;
}

inline bool row_column_less(const RowColumn& a, const RowColumn& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

// Orders the pairs by column, stable: a radix sort with digits of at most 11 bits. The result is
// in `pairs` or in `scratch`.
inline std::span<const RowColumn> sort_by_column(std::span<RowColumn> pairs, NodeId cols,
                                                 std::vector<RowColumn>& scratch) {
  const int bits = std::bit_width(uint32_t(std::max(cols, 1)) - 1);
  const int passes = (bits + 10) / 11;
  const int digit = passes == 0 ? 0 : (bits + passes - 1) / passes;
  if (scratch.size() < pairs.size()) scratch.resize(pairs.size());
  RowColumn *from = pairs.data(), *to = scratch.data();
  std::array<uint32_t, 2048> next;
  for (int pass = 0; pass < passes; pass++) {
    const auto digit_of = [&](const RowColumn& p) {
      return uint32_t(p.column) >> (pass * digit) & ((1u << digit) - 1);
    };
    next.fill(0);
    for (size_t i = 0; i < pairs.size(); i++) next[digit_of(from[i])]++;
    uint32_t total = 0;
    for (uint32_t& place : next) total += std::exchange(place, total);
    for (size_t i = 0; i < pairs.size(); i++) to[next[digit_of(from[i])]++] = from[i];
    std::swap(from, to);
  }
  return {from, pairs.size()};
}

// The first kept[b + 1] columns of every bucket b, one after the other. Frees the pairs first.
inline Array<NodeId> without_gaps(const Array<NodeId>& column, RowBuckets& buckets,
                                  Array<Offset>& kept) {
  buckets.pairs = Array<RowColumn>();
  for (size_t b = 1; b < kept.size(); b++) kept[b] += kept[b - 1];
  Array<NodeId> index(size_t(kept.back()));
#pragma omp parallel for schedule(dynamic, 16) if (worth_threads(kept.back()))
  for (int64_t b = 0; b < buckets.count(); b++)
    std::copy_n(column.data() + buckets.start[b], kept[b + 1] - kept[b], index.data() + kept[b]);
  return index;
}

// Whether a row's columns stay in the order in which they were emitted, or are sorted.
enum class RowOrder { emitted, ascending };

// Rows from buckets. `finish_row(row, columns)` may change the columns and keep only the first k,
// which it returns. Frees the buckets on the way.
template <class FinishRow>
Csr group_rows(NodeId rows, NodeId cols, RowBuckets buckets, FinishRow&& finish_row,
               RowOrder order = RowOrder::emitted) {
  constexpr size_t kRadixPays = 512;  // in smaller buckets rows are sorted one by one
  constexpr size_t kRadixCounts = size_t(1) << 32;
  Csr csr{rows, cols, Array<Offset>(size_t(rows) + 1), {}};
  const Offset pairs = buckets.start.back();
  Array<NodeId> column(static_cast<size_t>(pairs));
  Array<Offset> kept(size_t(buckets.count()) + 1, 0);  // in each bucket, then where it begins
  csr.start[0] = 0;

  const auto group_bucket = [&](int64_t b, std::vector<Offset>& next,
                                std::vector<RowColumn>& scratch) {
    const NodeId first = NodeId(b << buckets.shift);
    const NodeId last = NodeId(std::min<int64_t>((b + 1) << buckets.shift, rows));
    const std::span<RowColumn> given(buckets.pairs.data() + buckets.start[b],
                                     size_t(buckets.start[b + 1] - buckets.start[b]));
    const bool sort = order == RowOrder::ascending &&
                      !std::is_sorted(given.begin(), given.end(), row_column_less);
    const bool radix = sort && given.size() >= kRadixPays && given.size() < kRadixCounts;
    const auto bucket =
        radix ? sort_by_column(given, cols, scratch) : std::span<const RowColumn>(given);
    next.assign(size_t(std::max<NodeId>(last - first, 0)) + 1, 0);
    for (const RowColumn& p : bucket) next[size_t(p.row - first) + 1]++;
    for (size_t i = 1; i < next.size(); i++) next[i] += next[i - 1];
    NodeId* const columns = column.data() + buckets.start[b];
    for (const RowColumn& p : bucket) columns[next[p.row - first]++] = p.column;
    Offset used = 0;  // next[r] is now the end of row r
    for (NodeId r = first; r < last; r++) {
      const Offset begin = r == first ? 0 : next[size_t(r - first) - 1];
      const std::span row(columns + begin, size_t(next[r - first] - begin));
      if (sort && !radix) std::sort(row.begin(), row.end());
      const Offset now = Offset(finish_row(r, row));
      if (used != begin) std::copy(columns + begin, columns + begin + now, columns + used);
      used += now;
      csr.start[r + 1] = now;
    }
    kept[b + 1] = used;
  };
  ParallelError error;
#pragma omp parallel if (worth_threads(pairs))
  {
    std::vector<Offset> next;
    std::vector<RowColumn> scratch;
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < buckets.count(); b++)
      error.run([&] { group_bucket(b, next, scratch); });
  }
  error.rethrow();
  for (NodeId r = 0; r < rows; r++) csr.start[r + 1] += csr.start[r];
  csr.index = csr.nnz() == pairs ? std::move(column) : without_gaps(column, buckets, kept);
  return csr;
}

}  // namespace mgnn
