// Ranks have runs of nodes that begin where the common blocks of sums do (tensor/row_share.h), with about
// the same work in each. What a rank reads of others', ghosts, stands among its own nodes in ascending
// order, so that every sum runs as it does over the whole.

#include "mgnn/cluster/divided_batch.h"

#include <algorithm>

#include "mgnn/tensor/row_share.h"

namespace mgnn {
namespace {

constexpr NodeId kNotRead = -1;

// The first row of each rank, and the number of rows.
using Starts = std::vector<int64_t>;

int rank_of(const Starts& starts, int64_t row) {
  return int(std::upper_bound(starts.begin(), starts.end(), row) - starts.begin()) - 1;
}

// Of this rank: first .. first + rows - 1.
struct Cutter {
  Comm& comm;
  const Starts& starts;
  NodeId first, rows;

  bool has(NodeId row) const { return row >= first && row < first + rows; }
};

// The rows of this rank and those that its rows of `whole` name, ascending.
Array<NodeId> read_rows(const Cutter& cut, const Csr& whole) {
  std::vector<bool> is_read(size_t(whole.cols), false);
  for (Offset e = whole.start[cut.first]; e < whole.start[cut.first + cut.rows]; e++)
    is_read[whole.index[e]] = true;
  Array<NodeId> read;
  for (NodeId c = 0; c < whole.cols; c++)
    if (is_read[c] || cut.has(c)) read.push_back(c);
  return read;
}

Halo halo_of(const Cutter& cut, const Array<NodeId>& read) {
  const auto ranks = size_t(cut.comm.size()), self = size_t(cut.comm.rank());
  Halo halo;
  halo.rows = int64_t(read.size());
  halo.before = std::lower_bound(read.begin(), read.end(), cut.first) - read.begin();
  halo.receive_count.assign(ranks, 0);
  for (const NodeId row : read) halo.receive_count[size_t(rank_of(cut.starts, row))]++;
  std::vector<int64_t> asked = halo.receive_count;
  asked[self] = 0;
  PerRank<NodeId> wanted = per_rank<NodeId>(asked);
  std::copy_if(read.begin(), read.end(), wanted.values.begin(),
               [&](NodeId row) { return !cut.has(row); });
  const PerRank<NodeId> given = exchange_lists(cut.comm, wanted);
  halo.send_count.resize(ranks);
  for (size_t r = 0; r < ranks; r++) {
    if (r == self)
      for (NodeId row = 0; row < cut.rows; row++) halo.send.push_back(row);
    for (const NodeId row : given.of(int(r))) halo.send.push_back(row - cut.first);
    halo.send_count[r] = r == self ? cut.rows : int64_t(given.of(int(r)).size());
  }
  return halo;
}

// Where each row of the whole is in `read`.
Array<NodeId> places_of(const Array<NodeId>& read, NodeId rows) {
  Array<NodeId> place(size_t(rows), kNotRead);
  for (size_t i = 0; i < read.size(); i++) place[read[i]] = NodeId(i);
  return place;
}

Csr cut_rows(const Cutter& cut, const Csr& whole, const Array<NodeId>& read) {
  const Array<NodeId> place = places_of(read, whole.cols);
  const Offset before = whole.start[cut.first], end = whole.start[cut.first + cut.rows];
  Csr part;
  part.rows = cut.rows;
  part.cols = NodeId(read.size());
  part.start.resize(size_t(cut.rows) + 1);
  for (NodeId r = 0; r <= cut.rows; r++) part.start[r] = whole.start[cut.first + r] - before;
  part.index.resize(size_t(end - before));
  std::transform(whole.index.begin() + before, whole.index.begin() + end, part.index.begin(),
                 [&](NodeId c) { return place[c]; });
  return part;
}

// `count` numbers for each non-zero.
Array<float> cut_values(const Cutter& cut, const Csr& whole, const Array<float>& value,
                        int64_t count) {
  if (value.empty()) return {};
  return Array<float>(value.begin() + whole.start[cut.first] * count,
                      value.begin() + whole.start[cut.first + cut.rows] * count);
}

// This rank's columns of the rows `read` of `whole`, with the values of these.
void cut_columns(const Cutter& cut, const Operator& whole, const Array<NodeId>& read,
                 OperatorShare& share) {
  const Csr& from = whole.pattern;
  Csr& to = share.scatter;
  to.rows = NodeId(read.size());
  to.cols = cut.rows;
  for (const NodeId row : read) {
    for (Offset e = from.start[row]; e < from.start[row + 1]; e++) {
      if (!cut.has(from.index[e])) continue;
      to.index.push_back(from.index[e] - cut.first);
      const auto value = whole.value.begin() + e * whole.count;
      share.scatter_value.insert(share.scatter_value.end(), value, value + whole.count);
    }
    to.start.push_back(Offset(to.index.size()));
  }
  share.scatter_row = read;
}

void divide(const Cutter& cut, Operator& a) {
  if (a.pattern.rows == 0 || a.pattern.rows != a.pattern.cols) return;
  const auto share = std::make_shared<OperatorShare>();
  const Array<NodeId> read = read_rows(cut, a.pattern), back = read_rows(cut, a.back());
  share->rows = halo_of(cut, read);
  share->back = halo_of(cut, back);
  share->nnz = a.pattern.nnz();
  if (a.count > 2) cut_columns(cut, a, back, *share);
  if (!a.symmetric) {
    a.transposed_value = cut_values(cut, a.transposed, a.transposed_value, a.count);
    a.transposed = cut_rows(cut, a.transposed, back);
  }
  a.value = cut_values(cut, a.pattern, a.value, a.count);
  a.pattern = cut_rows(cut, a.pattern, read);
  a.share = share;
}

// Non-zeros of this rank's rows in columns of others: they are sent row by row.
Halo nonzeros_of_others(const Cutter& cut, const Pattern& whole) {
  const auto ranks = size_t(cut.comm.size());
  std::vector<Array<Offset>> sent(ranks);
  const Csr& rows = whole.rows;
  const Offset first = rows.start[cut.first];
  for (Offset e = first; e < rows.start[cut.first + cut.rows]; e++)
    if (!cut.has(rows.index[e]))
      sent[size_t(rank_of(cut.starts, rows.index[e]))].push_back(e - first);
  Halo halo;
  halo.send_count.resize(ranks);
  halo.receive_count.assign(ranks, 0);
  for (size_t r = 0; r < ranks; r++) {
    halo.send.insert(halo.send.end(), sent[r].begin(), sent[r].end());
    halo.send_count[r] = int64_t(sent[r].size());
  }
  const Csr& columns = whole.columns;
  for (Offset e = columns.start[cut.first]; e < columns.start[cut.first + cut.rows]; e++)
    if (!cut.has(columns.index[e]))
      halo.receive_count[size_t(rank_of(cut.starts, columns.index[e]))]++;
  for (const int64_t count : halo.receive_count) halo.rows += count;
  return halo;
}

// Where the non-zeros of this rank's columns are: those of its rows, then those of others, row by row.
Array<Offset> cut_places(const Cutter& cut, const Pattern& whole) {
  const Csr& columns = whole.columns;
  const Offset first = whole.rows.start[cut.first];
  const Offset begin = columns.start[cut.first], end = columns.start[cut.first + cut.rows];
  Array<Offset> next(size_t(whole.rows.rows) + 1, 0);  // of each row of others
  for (Offset e = begin; e < end; e++)
    if (!cut.has(columns.index[e])) next[columns.index[e] + 1]++;
  next[0] = whole.rows.start[cut.first + cut.rows] - first;
  for (size_t r = 1; r < next.size(); r++) next[r] += next[r - 1];
  Array<Offset> place(size_t(end - begin));
  for (Offset e = begin; e < end; e++)
    place[e - begin] =
        cut.has(columns.index[e]) ? whole.place[e] - first : next[columns.index[e]]++;
  return place;
}

void divide(const Cutter& cut, Pattern& pattern) {
  if (pattern.rows.rows == 0) return;
  const auto share = std::make_shared<PatternShare>();
  share->column = read_rows(cut, pattern.rows);
  const Array<NodeId> back = read_rows(cut, pattern.columns);
  share->rows = halo_of(cut, share->column);
  share->back = halo_of(cut, back);
  share->first_nonzero = pattern.rows.start[cut.first];
  share->nonzeros = nonzeros_of_others(cut, pattern);
  pattern.place = cut_places(cut, pattern);
  pattern.rows = cut_rows(cut, pattern.rows, share->column);
  pattern.columns = cut_rows(cut, pattern.columns, back);
  pattern.share = share;
}

void divide(const Cutter& cut, Operators& operators) {
  divide(cut, operators.adjacency);
  divide(cut, operators.neighbours);
  operators.log_weight =
      cut_values(cut, operators.neighbours_and_self.rows, operators.log_weight, 1);
  divide(cut, operators.neighbours_and_self);
  divide(cut, operators.motifs.interleaved);
  for (Operator& a : operators.motifs.separate) divide(cut, a);
  const Csr& motifs = operators.motifs.pattern.rows;
  const int64_t count = int64_t(operators.motifs.value.size()) / std::max<Offset>(motifs.nnz(), 1);
  operators.motifs.value = cut_values(cut, motifs, operators.motifs.value, count);
  divide(cut, operators.motifs.pattern);
}

void divide(const Cutter& cut, SparseFeatures& x) {
  SparseMatrix part{{}, cut_values(cut, x.pattern, x.value, 1)};
  const Offset first = x.pattern.start[cut.first], all = x.pattern.nnz();
  part.pattern.rows = cut.rows, part.pattern.cols = x.pattern.cols;
  part.pattern.start.resize(size_t(cut.rows) + 1);
  for (NodeId r = 0; r <= cut.rows; r++)
    part.pattern.start[r] = x.pattern.start[cut.first + r] - first;
  part.pattern.index.assign(x.pattern.index.begin() + first,
                            x.pattern.index.begin() + x.pattern.start[cut.first + cut.rows]);
  x = make_sparse_features(std::move(part));
  x.first_nonzero = first, x.nonzeros_of_all = all;
}

void divide(const Cutter& cut, Matrix& x) {
  Matrix part(cut.rows, x.cols);
  std::copy_n(x.data.begin() + cut.first * x.cols, cut.rows * x.cols, part.data.begin());
  x = std::move(part);
}

// The work for row r and those before it, about.
int64_t work_before(const Operators& operators, int64_t row) {
  constexpr int64_t kOfRow = 64;  // against a non-zero
  int64_t work = kOfRow * row;
  for (const Csr* pattern : {&operators.adjacency.pattern, &operators.neighbours.rows,
                             &operators.neighbours_and_self.rows,
                             &operators.motifs.interleaved.pattern, &operators.motifs.pattern.rows})
    if (pattern->rows > 0) work += pattern->start[row];
  for (const Operator& a : operators.motifs.separate) work += a.pattern.start[row];
  return work;
}

Starts equal_shares(const Batch& batch, int ranks) {
  const int64_t rows = batch.num_nodes;
  const auto work = [&](int64_t block) {
    return work_before(batch.operators, common_block_start(rows, block));
  };
  Starts starts = {0};
  int64_t block = 0;
  for (int r = 1; r < ranks; r++) {
    const int64_t wanted = work(kCommonBlocks) / ranks * r;
    const int64_t last = kCommonBlocks - (ranks - r);  // one for each of the others
    for (block++; block < last && work(block) + work(block + 1) < 2 * wanted;) block++;
    starts.push_back(common_block_start(rows, block));
  }
  starts.push_back(rows);
  return starts;
}

}  // namespace

bool is_divided(const Comm* comm, int64_t nodes) {
  return comm && comm->size() > 1 && nodes >= kDivisibleRows;
}

void divide_batch(Comm& comm, Batch& batch) {
  if (!is_divided(&comm, batch.num_nodes)) return;
  if (comm.size() > kCommonBlocks)
    fail_usage("the nodes of a graph are divided among at most {} ranks, but there are {}",
               kCommonBlocks, comm.size());
  const Starts starts = equal_shares(batch, comm.size());
  const auto r = size_t(comm.rank());
  const Cutter cut{comm, starts, NodeId(starts[r]), NodeId(starts[r + 1] - starts[r])};
  divide(cut, batch.operators);
  std::visit([&](auto& x) { divide(cut, x); }, batch.x);
  batch.share = std::make_shared<RowShare>(
      RowShare{.comm = &comm, .first = cut.first, .rows = cut.rows, .total = batch.num_nodes});
  batch.num_nodes = cut.rows;
  batch.graph_start = {0, cut.rows};
}

}  // namespace mgnn
