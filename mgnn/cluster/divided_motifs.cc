// What motif/matrices.cc and motif/census.cc compute of histograms and degrees, row by row.

#include "mgnn/cluster/divided_motifs.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/node_sums.h"
#include "mgnn/motif/shared_values.h"

namespace mgnn {
namespace {

// ---- what rank 0 gets of every rank's rows, in the order of nodes

template <class T>
Array<T> gather_rows(Comm& comm, const RankGraph& graph, const Array<T>& mine) {
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  counts[0] = int64_t(mine.size());
  PerRank<T> out = per_rank<T>(counts);
  std::copy(mine.begin(), mine.end(), out.values.begin());
  const PerRank<T> in = exchange_lists(comm, out);
  if (comm.rank() != 0) return {};
  std::vector<int64_t> next = in.start;
  Array<T> all(size_t(graph.num_nodes));
  for (NodeId u = 0; u < graph.num_nodes; u++) all[u] = in.values[next[graph.owners.of(u)]++];
  return all;
}

// The same of lists, one for each row, whose ends in the whole are `start`.
template <class T>
Array<T> gather_lists(Comm& comm, const RankGraph& graph, const Array<Offset>& start,
                      const Array<T>& mine) {
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  counts[0] = int64_t(mine.size());
  PerRank<T> out = per_rank<T>(counts);
  std::copy(mine.begin(), mine.end(), out.values.begin());
  const PerRank<T> in = exchange_lists(comm, out);
  if (comm.rank() != 0) return {};
  std::vector<int64_t> next = in.start;
  Array<T> all(size_t(start.back()));
  for (NodeId u = 0; u < graph.num_nodes; u++) {
    const Offset size = start[u + 1] - start[u];
    int64_t& from = next[graph.owners.of(u)];
    std::copy_n(in.values.data() + from, size, all.data() + start[u]);
    from += size;
  }
  return all;
}

// ---- census

void add_wedges(const TypeDegrees& degrees, NodeSums& sums) {
  for (size_t t = 0; t < kNumTypes; t++)
    for (size_t s = 0; s < kNumTypes; s++)
      sums.wedges[t][s] += degrees.of[t] * (int64_t(degrees.of[s]) - (s == t));
}

NodeSums node_sums(const RankGraph& graph, const KnownNodes& known,
                   const Array<CommonCounts>& of_place, uint32_t r) {
  NodeSums sums;
  const TypeDegrees& own = graph.degrees[r];
  add_wedges(own, sums);
  for (Offset e = graph.start[r]; e < graph.start[r + 1]; e++) {
    const auto t = size_t(type_of(graph.neighbour[e]));
    const TypeDegrees& other = known.degrees[known.place_of[node_of(graph.neighbour[e])]];
    for (size_t c = 0; c < 9; c++) sums.triangles[t][c] += of_place[e][c];
    for (size_t s = 0; s < kNumTypes; s++) sums.paths[t][s] += other.of[s];
  }
  for (size_t t = 0; t < kNumTypes; t++) sums.paths[t][reversed(int(t))] -= own.of[t];  // i, j, i
  return sums;
}

// As sums_of_all_nodes, which needs no more of the pairs than the degrees of all nodes.
NodeSums sums_of_all_ranks(Comm& comm, const RankGraph& graph, const TriangleTotals& totals) {
  RankedPairs none;
  NodeSums wedges;
  for (const TypeDegrees& degrees : graph.degrees) add_wedges(degrees, wedges);
  sum_over_ranks(comm, std::span(&wedges.wedges[0][0], kNumTypes * kNumTypes));
  NodeSums sums = sums_of_all_nodes(none, totals);  // triangles alone
  for (int t = 0; t < kNumTypes; t++)
    for (int s = 0; s < kNumTypes; s++) {
      sums.wedges[t][s] = wedges.wedges[t][s];
      sums.paths[t][s] = wedges.wedges[reversed(t)][s];
    }
  return sums;
}

RoleCounts roles_of(const NodeSums& sums, Counting counting) {
  const RoleCounts induced = induced_roles(sums);
  return counting == Counting::induced ? induced : subgraph_roles(induced);
}

Array<RoleCounts> roles_of_rows(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                                const DividedCensusOptions& options) {
  const Array<CommonCounts> of_place = divided_histograms(comm, graph, known, options.triangles);
  Array<RoleCounts> roles(graph.num_rows());
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 256) if (worth_threads(Offset(of_place.size())))
  for (uint32_t r = 0; r < graph.num_rows(); r++)
    error.run([&] { roles[r] = roles_of(node_sums(graph, known, of_place, r), options.counting); });
  error.rethrow();
  return roles;
}

// ---- matrices

bool needs_leaf_pairs(const MotifOptions& options) {
  return options.entry == Entry::pair && options.motifs.has_open();
}

bool needs_diagonal(const MotifOptions& options) {
  return is_published(options.counting) &&
         (options.motifs.contains(8) || options.motifs.contains(9) || options.motifs.contains(11));
}

bool needs_triangles(const SharedForms& shared, const MotifOptions& options) {
  bool closed = false;
  for (const int lane : shared.lane_of_array) closed |= lane < 8;
  return closed || options.counting == Counting::induced || options.entry == Entry::pair;
}

// The entry of a connected pair; see PairForms.
uint32_t pair_value(const PairForms& forms, int lane, int t, const CommonCounts* common,
                    const TypeDegrees& own, const TypeDegrees& other) {
  uint32_t value = forms.constant[t][lane];
  for (size_t c = 0; c < 9 && common; c++) value += forms.common[t][c][lane] * (*common)[c];
  for (size_t s = 0; s < kNumTypes; s++)
    value += forms.own[t][s][lane] * own.of[s] + forms.other[t][s][lane] * other.of[s];
  return value;
}

uint32_t diagonal_value(const PairForms& forms, int lane, const TypeDegrees& own) {
  uint32_t value = 0;
  for (size_t s = 0; s < kNumTypes; s++) value += forms.diagonal[s][lane] * own.of[s];
  return value;
}

// The values on connected pairs, and on the diagonal where there are such.
void fill_joined(const RankGraph& graph, const KnownNodes& known, const SharedForms& shared,
                 const Array<CommonCounts>& of_place, bool diagonal, RankMatrices& part) {
  const uint32_t rows = graph.num_rows();
  part.start.assign(size_t(rows) + 1, 0);
  for (uint32_t r = 0; r < rows; r++) {
    const auto size = Offset(graph.row(r).size());
    part.start[r + 1] = part.start[r] + size + (diagonal && size > 0);
  }
  part.index.resize(size_t(part.start[rows]));
  for (size_t a = 0; a < shared.lane_of_array.size(); a++)
    part.values.emplace_back(size_t(part.start[rows]));
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 256) if (worth_threads(4 * part.start[rows]))
  for (uint32_t r = 0; r < rows; r++)
    error.run([&] {
      check_interrupted();
      Offset to = part.start[r];
      const NodeId i = graph.node[r];
      bool before = diagonal && !graph.row(r).empty();  // the diagonal place is still to come
      const auto put_diagonal = [&] {
        part.index[to] = i;
        for (size_t a = 0; a < part.values.size(); a++)
          part.values[a][to] =
              diagonal_value(shared.forms, shared.lane_of_array[a], graph.degrees[r]);
        to++;
        before = false;
      };
      for (Offset e = graph.start[r]; e < graph.start[r + 1]; e++, to++) {
        const NodeId j = node_of(graph.neighbour[e]);
        if (before && j > i) put_diagonal();
        part.index[to] = j;
        for (size_t a = 0; a < part.values.size(); a++)
          part.values[a][to] =
              pair_value(shared.forms, shared.lane_of_array[a], type_of(graph.neighbour[e]),
                         of_place.empty() ? nullptr : &of_place[e], graph.degrees[r],
                         known.degrees[known.place_of[j]]);
      }
      if (before) put_diagonal();
    });
  error.rethrow();
}

// ---- pairs of leaves: of open motifs, two nodes that are not joined

// The rows of some nodes of any rank.
struct FetchedRows {
  Array<uint32_t> place_of;  // (num_nodes) of a node among those asked for
  Array<Offset> start;
  Array<uint32_t> neighbour;
};

// REQUIRES: fetched.place_of holds kElsewhere at all nodes.
void fetch_rows(Comm& comm, const RankGraph& graph, std::span<const NodeId> nodes,
                FetchedRows& fetched) {
  const Asked asked(comm, graph.owners, nodes);
  const auto row_of = [&](NodeId u) { return graph.row(graph.row_of[u]); };
  const Array<uint32_t> sizes =
      asked.answers<uint32_t>(comm, [&](NodeId u) { return uint32_t(row_of(u).size()); });
  const PerRank<NodeId>& wanted = asked.of_others();
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  for (int r = 0; r < comm.size(); r++)
    for (const NodeId u : wanted.of(r)) counts[r] += int64_t(row_of(u).size());
  PerRank<uint32_t> out = per_rank<uint32_t>(counts);
  uint32_t* to = out.values.data();
  for (const NodeId u : wanted.values) to = std::copy(row_of(u).begin(), row_of(u).end(), to);
  const PerRank<uint32_t> in = exchange_lists(comm, out);
  std::vector<int64_t> next = in.start;
  fetched.start = {0};
  fetched.neighbour.clear();
  for (size_t i = 0; i < nodes.size(); i++) {
    int64_t& from = next[graph.owners.of(nodes[i])];
    fetched.place_of[nodes[i]] = uint32_t(i);
    fetched.neighbour.insert(fetched.neighbour.end(), in.values.begin() + from,
                             in.values.begin() + from + sizes[i]);
    from += sizes[i];
    fetched.start.push_back(Offset(fetched.neighbour.size()));
  }
}

// Counts of wedges i - w - j by their leaves j.
struct LeafCounts {
  Array<CommonCounts> cells;
  Array<uint8_t> state;  // 0: not seen, 1: seen, 2: joined with i, or i
  Array<NodeId> seen;

  explicit LeafCounts(NodeId nodes) : cells(size_t(nodes)), state(size_t(nodes), 0) {}

  template <class Use>
  void row(const RankGraph& graph, const FetchedRows& rows, uint32_t r, const Use& use) {
    const NodeId i = graph.node[r];
    const auto each_joined = [&](uint8_t value) {
      state[i] = value;
      for (const uint32_t e : graph.row(r)) state[node_of(e)] = value;
    };
    each_joined(2);
    seen.clear();
    for (const uint32_t p : graph.row(r)) {
      const uint32_t place = rows.place_of[node_of(p)];
      for (Offset q = rows.start[place]; q < rows.start[place + 1]; q++) {
        const NodeId j = node_of(rows.neighbour[q]);
        if (state[j] == 2) continue;
        if (state[j] == 0) seen.push_back(j), state[j] = 1, cells[j] = {};
        cells[j][size_t(3 * type_of(p) + reversed(type_of(rows.neighbour[q])))]++;
      }
    }
    std::sort(seen.begin(), seen.end());
    use(seen);
    for (const NodeId j : seen) state[j] = 0;
    each_joined(0);
  }
};

std::array<bool, 9> useful_cells(const SharedForms& shared) {
  std::array<bool, 9> useful{};
  for (size_t c = 0; c < 9; c++)
    for (const int lane : shared.lane_of_array) useful[c] |= shared.forms.leaf[c][lane] != 0;
  return useful;
}

// Adds the pairs of leaves to rows that hold the connected pairs.
class LeafPairsOfRows {
 public:
  LeafPairsOfRows(Comm& comm, const RankGraph& graph, const SharedForms& shared, RankMatrices& part,
                  int64_t memory_limit, int64_t batch_bytes)
      : comm_(comm),
        graph_(graph),
        shared_(shared),
        useful_(useful_cells(shared)),
        joined_(part),
        part_(part),
        limit_(memory_limit > 0 ? memory_limit
                                : available_memory_bytes() / (2 * comm.ranks_here())),
        batch_bytes_(batch_bytes) {
    part_.start = {0};
    part_.index = {};
    for (Array<uint32_t>& values : part_.values) values = {};
  }

  void run() {
    const std::vector<uint32_t> blocks = row_blocks();
    FetchedRows rows;
    rows.place_of.assign(size_t(graph_.num_nodes), RankGraph::kElsewhere);
    LeafCounts counts(graph_.num_nodes);
    for (size_t b = 0; b + 1 < blocks.size(); b++) {
      const Array<NodeId> nodes = neighbours_of(blocks[b], blocks[b + 1], rows);
      fetch_rows(comm_, graph_, nodes, rows);
      all_or_none(comm_, [&] {
        for (uint32_t r = blocks[b]; r < blocks[b + 1]; r++) {
          check_interrupted();
          counts.row(graph_, rows, r,
                     [&](const Array<NodeId>& leaves) { append_row(r, leaves, counts.cells); });
        }
      });
      for (const NodeId u : nodes) rows.place_of[u] = RankGraph::kElsewhere;
    }
  }

 private:
  // Rows whose neighbours' rows may be in memory together; as many blocks on every rank.
  std::vector<uint32_t> row_blocks() const {
    const int64_t mean = std::max<int64_t>(1, 2 * graph_.num_arcs / std::max(1, graph_.num_nodes));
    std::vector<uint32_t> blocks = {0};
    int64_t bytes = 0;
    for (uint32_t r = 0; r < graph_.num_rows(); r++) {
      bytes += int64_t(graph_.row(r).size()) * 4 * (mean + 2);
      if (bytes > batch_bytes_) blocks.push_back(r + 1), bytes = 0;
    }
    if (blocks.size() == 1 || blocks.back() < graph_.num_rows())
      blocks.push_back(graph_.num_rows());
    const auto sizes = gather(comm_, int64_t(blocks.size()));
    blocks.resize(size_t(*std::max_element(sizes.begin(), sizes.end())), graph_.num_rows());
    return blocks;
  }

  Array<NodeId> neighbours_of(uint32_t first, uint32_t last, FetchedRows& rows) const {
    Array<NodeId> nodes;
    for (Offset e = graph_.start[first]; e < graph_.start[last]; e++) {
      const NodeId u = node_of(graph_.neighbour[e]);
      if (rows.place_of[u] != RankGraph::kElsewhere) continue;
      rows.place_of[u] = 0;
      nodes.push_back(u);
    }
    return nodes;
  }

  bool is_useful(const CommonCounts& cells) const {
    for (size_t c = 0; c < 9; c++)
      if (useful_[c] && cells[c] > 0) return true;
    return false;
  }

  void append_row(uint32_t r, const Array<NodeId>& leaves, const Array<CommonCounts>& cells) {
    Offset e = joined_.start[r];
    const auto append_joined = [&](NodeId before) {
      for (; e < joined_.start[r + 1] && joined_.index[e] < before; e++) {
        part_.index.push_back(joined_.index[e]);
        for (size_t a = 0; a < part_.values.size(); a++)
          part_.values[a].push_back(joined_.values[a][e]);
      }
    };
    for (const NodeId j : leaves) {
      if (!is_useful(cells[j])) continue;
      append_joined(j);
      part_.index.push_back(j);
      for (size_t a = 0; a < part_.values.size(); a++) {
        uint32_t value = 0;
        for (size_t c = 0; c < 9; c++)
          value += cells[j][c] * shared_.forms.leaf[c][shared_.lane_of_array[a]];
        part_.values[a].push_back(value);
      }
    }
    append_joined(graph_.num_nodes);
    part_.start.push_back(Offset(part_.index.size()));
    const auto bytes = int64_t(part_.index.size() * 4 * (1 + part_.values.size()));
    if (2 * bytes > limit_)  // lists grow by doubling
      fail(
          "pair entries of these open motifs need more than {} of memory on rank {}; raise the "
          "limit, use more ranks, ask for fewer motifs, or take entry edge",
          human_bytes(limit_), comm_.rank());
  }

  Comm& comm_;
  const RankGraph& graph_;
  const SharedForms& shared_;
  const std::array<bool, 9> useful_;
  const RankMatrices joined_;
  RankMatrices& part_;
  const int64_t limit_, batch_bytes_;
};

}  // namespace

Census divided_census(Comm& comm, const RankGraph& graph, const DividedCensusOptions& options) {
  check(!is_published(options.counting),
        "counting published has no census, for its open matrices do not count instances; take "
        "subgraph or induced");
  const KnownNodes known = known_nodes(comm, graph);
  Census result{.counting = options.counting};
  if (!options.per_node && !options.per_role) {
    const TriangleTotals totals = divided_totals(comm, graph, known, options.triangles);
    result.total = motif_counts(roles_of(sums_of_all_ranks(comm, graph, totals), options.counting));
  } else {
    const Array<RoleCounts> roles = roles_of_rows(comm, graph, known, options);
    for (const RoleCounts& of_node : roles) {
      const MotifCounts counts = motif_counts(of_node);
      for (size_t k = 0; k < kNumMotifs; k++) result.total[k] += counts[k];
    }
    sum_over_ranks(comm, result.total);
    Array<RoleCounts> all = gather_rows(comm, graph, roles);
    if (options.per_node)
      for (const RoleCounts& of_node : all) result.per_node.push_back(motif_counts(of_node));
    if (options.per_role) result.per_role = std::move(all);
  }
  for (int64_t& count : result.total) count /= 3;  // at its three nodes
  return result;
}

RankMatrices divided_matrices(Comm& comm, const RankGraph& graph, const MotifOptions& options,
                              const TriangleOptions& triangles) {
  check(!options.motifs.empty(), "no motif was asked for");
  check(!is_published(options.counting) || options.entry == Entry::edge,
        "counting published goes with entry edge only, not with {}", name_of(options.entry));
  const KnownNodes known = known_nodes(comm, graph);
  constexpr uint32_t kMaxNeighbours = uint32_t(1) << 27;  // entries are stored in 32 bits
  all_or_none(comm, [&] {
    if (!known.node.empty() && known.degrees[0].total() > kMaxNeighbours)
      fail("node {} has {} neighbours; motif matrices support at most {}", known.node[0],
           known.degrees[0].total(), kMaxNeighbours);
  });
  const SharedForms shared =
      share_forms(pair_forms(options.counting, options.entry), options.motifs, graph.has_type);
  RankMatrices part{.counting = options.counting,
                    .entry = options.entry,
                    .motifs = options.motifs,
                    .node = graph.node,
                    .index = {},
                    .of = shared.of};
  Array<CommonCounts> of_place;
  if (needs_triangles(shared, options))
    of_place = divided_histograms(comm, graph, known, triangles);
  fill_joined(graph, known, shared, of_place, needs_diagonal(options), part);
  of_place = {};
  if (needs_leaf_pairs(options))
    LeafPairsOfRows(comm, graph, shared, part, options.pair_memory_limit, triangles.batch_bytes)
        .run();
  return part;
}

MotifMatrices gather_matrices(Comm& comm, const RankGraph& graph, const RankMatrices& part) {
  Array<Offset> sizes;
  for (size_t r = 0; r < part.node.size(); r++) sizes.push_back(part.start[r + 1] - part.start[r]);
  sizes = gather_rows(comm, graph, sizes);
  Array<Offset> start = {0};
  for (const Offset size : sizes) start.push_back(start.back() + size);
  MotifMatrices matrices{
      .counting = part.counting, .entry = part.entry, .motifs = part.motifs, .of = part.of};
  matrices.pattern.index = gather_lists(comm, graph, start, part.index);
  for (const Array<uint32_t>& values : part.values)
    matrices.values.push_back(gather_lists(comm, graph, start, values));
  if (comm.rank() != 0) return {};
  matrices.pattern.rows = matrices.pattern.cols = graph.num_nodes;
  matrices.pattern.start = std::move(start);
  share_values(matrices);
  return matrices;
}

}  // namespace mgnn
