// Pairs (row, column) in any order -> compressed rows. The sort under graph building and
// transposition.
#pragma once

#include <bit>
#include <span>

#include "mgnn/base/parallel.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

// Two steps, both with sequential reads and few open write streams. First every pair goes to the
// bucket of its row's high bits; then each bucket, small enough for the cache, is counting-sorted
// by row. Both are stable: a row's columns keep the order in which they were emitted, whatever the
// number of threads. O(rows + pairs); 8 bytes a pair besides the result.

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
  constexpr int kMostBuckets = 1024;
  RowBuckets buckets;
  while ((int64_t(rows) >> buckets.shift) >= kMostBuckets) buckets.shift++;
  const int64_t count = (int64_t(rows) >> buckets.shift) + 1;
  const int shift = buckets.shift;

  std::vector<std::vector<Offset>> next(size_t(parts), std::vector<Offset>(size_t(count), 0));
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    std::vector<Offset> sizes(size_t(count), 0);
    each_in_part(part, [&](NodeId row, NodeId) { sizes[size_t(row >> shift)]++; });
    next[size_t(part)] = std::move(sizes);
  }
  buckets.start.assign(size_t(count) + 1, 0);
  Offset total = 0;
  for (int64_t b = 0; b < count; b++) {
    buckets.start[size_t(b)] = total;
    for (auto& of_part : next) total += std::exchange(of_part[size_t(b)], total);
  }
  buckets.start[size_t(count)] = total;
  buckets.pairs.resize(size_t(total));
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    Offset* to = next[size_t(part)].data();
    RowColumn* pairs = buckets.pairs.data();
    each_in_part(part, [&](NodeId row, NodeId column) {
      pairs[to[row >> shift]++] = {row, column};
    });
  }
  return buckets;
}

// Rows from buckets. `finish_row(row, columns)` may reorder the columns and keep only the first k,
// which it returns. Frees the buckets on the way.
template <class FinishRow>
Csr group_rows(NodeId rows, NodeId cols, RowBuckets buckets, FinishRow&& finish_row) {
  Csr csr{rows, cols, Array<Offset>(size_t(rows) + 1), {}};
  const Offset pairs = buckets.start.back();
  Array<NodeId> column(static_cast<size_t>(pairs));
  Array<Offset> kept(size_t(buckets.count()) + 1, 0);  // in each bucket, then where it begins
  csr.start[0] = 0;

#pragma omp parallel if (worth_threads(pairs))
  {
    std::vector<Offset> next;
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < buckets.count(); b++) {
      const NodeId first = NodeId(b << buckets.shift);
      const NodeId last = NodeId(std::min<int64_t>((b + 1) << buckets.shift, rows));
      const std::span<const RowColumn> bucket(buckets.pairs.data() + buckets.start[b],
                                              size_t(buckets.start[b + 1] - buckets.start[b]));
      next.assign(size_t(std::max<NodeId>(last - first, 0)) + 1, 0);
      for (const RowColumn& p : bucket) next[size_t(p.row - first) + 1]++;
      for (size_t i = 1; i < next.size(); i++) next[i] += next[i - 1];
      NodeId* const columns = column.data() + buckets.start[b];
      for (const RowColumn& p : bucket) columns[next[size_t(p.row - first)]++] = p.column;
      Offset used = 0;  // next[r] is now the end of row r
      for (NodeId r = first; r < last; r++) {
        const Offset begin = r == first ? 0 : next[size_t(r - first) - 1];
        const Offset size = next[size_t(r - first)] - begin;
        const Offset now = Offset(finish_row(r, std::span(columns + begin, size_t(size))));
        if (used != begin) std::copy(columns + begin, columns + begin + now, columns + used);
        used += now;
        csr.start[size_t(r) + 1] = now;
      }
      kept[size_t(b) + 1] = used;
    }
  }
  for (NodeId r = 0; r < rows; r++) csr.start[size_t(r) + 1] += csr.start[size_t(r)];
  if (csr.nnz() == pairs) {
    csr.index = std::move(column);
    return csr;
  }
  buckets.pairs = {};
  for (size_t b = 1; b < kept.size(); b++) kept[b] += kept[b - 1];
  csr.index.resize(size_t(csr.nnz()));
#pragma omp parallel for schedule(dynamic, 16) if (worth_threads(pairs))
  for (int64_t b = 0; b < buckets.count(); b++)
    std::copy_n(column.data() + buckets.start[b], kept[b + 1] - kept[b],
                csr.index.data() + kept[b]);
  return csr;
}

}  // namespace mgnn
