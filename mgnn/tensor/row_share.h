// Matrices whose rows are divided among ranks: each has a run of them, and whole weights.
#pragma once

#include <memory>
#include <vector>

#include "mgnn/base/parallel.h"
#include "mgnn/comm/comm.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

// This rank has rows first .. first + rows - 1 of `total`.
struct RowShare {
  Comm* comm = nullptr;
  int64_t first = 0, rows = 0, total = 0;
};

// ---- sums over rows: they are made block by block, and the blocks added in order

// From so many rows on, all sums have the same blocks, and a rank has some of them: its sums have the
// same bits for any number of ranks. Fewer rows are not divided.
constexpr int64_t kDivisibleRows = 16384;
constexpr int64_t kCommonBlocks = 32;  // and ranks, at most
constexpr int64_t kBlockUnit = 192;    // rows of a block are a multiple, so that tiles are the same

// The first row of common block b.
inline int64_t common_block_start(int64_t rows, int64_t b) {
  const int64_t units = (rows + kBlockUnit - 1) / kBlockUnit;
  return std::min(rows, split_point(units, kCommonBlocks, b) * kBlockUnit);
}

// Blocks of rows of this rank: block b is rows start(b) .. start(b + 1) - 1.
struct RowBlocks {
  int64_t total = 0, count = 1;  // rows of all ranks; blocks of this one
  bool common = false;           // else `total` is cut into `count`
  int64_t first_row = 0, first_block = 0;

  int64_t start(int64_t b) const {
    return common ? common_block_start(total, first_block + b) - first_row
                  : split_point(total, count, b);
  }
};

// `wanted`: where there are few rows.
inline RowBlocks row_blocks(int64_t rows, int64_t wanted, const RowShare* share) {
  if (!share && rows < kDivisibleRows) return {.total = rows, .count = wanted};
  if (!share) return {.total = rows, .count = kCommonBlocks, .common = true};
  RowBlocks blocks{.total = share->total, .count = 0, .common = true, .first_row = share->first};
  while (common_block_start(share->total, blocks.first_block) < share->first) blocks.first_block++;
  while (blocks.start(blocks.count) < share->rows) blocks.count++;
  return blocks;
}

// ---- rows of other ranks

// Rows of other ranks that a product reads beside those of this one: all in ascending order, `before` of
// them before its own. Counts are by rank; each rank sends all of its own rows to itself.
struct Halo {
  int64_t rows = 0, before = 0;
  std::vector<int64_t> send_count, receive_count;
  Array<Offset> send;  // numbers within this rank's rows

  int64_t sent_rows() const { return int64_t(send.size()); }
};

// Of matrices whose rows are divided among ranks: this one has the rows of its nodes, whose columns are
// numbered within `rows`, and likewise of the transpose, within `back`.
struct OperatorShare {
  Halo rows, back;
  Offset nnz = 0;  // of all ranks
  // This rank's columns of the rows of `back`, whose numbers in the whole are `scatter_row`; for K > 2.
  Csr scatter = {};
  Array<float> scatter_value = {};
  Array<NodeId> scatter_row = {};
};
struct PatternShare {
  Halo rows, back;
  Array<NodeId> column;      // numbers in the whole of the rows of `rows`
  Offset first_nonzero = 0;  // number in the whole of this rank's first
  // Non-zeros of this rank's rows that are others' columns, by rank; `place` of theirs follow this rank's.
  Halo nonzeros;
};

}  // namespace mgnn
