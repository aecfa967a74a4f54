// Random choices belong to fixed blocks of work, each with its own source (`Rng::split`), and every
// block knows where its edges go, so that threads share nothing and change nothing.
//
// Independent coins (ER, SBM) are not tossed one by one: the number of failures before the next
// success is geometric, floor(log(1 - U) / log(1 - p)), and one number skips them all. Since that
// law has no memory, the row of coins can be cut into blocks anywhere.

#include "mgnn/graph/generators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/sparse/group.h"

namespace mgnn {
namespace {

constexpr Offset kEdgesPerBlock = 1 << 16;

void check_nodes(NodeId num_nodes) {
  check(num_nodes >= 0, "invalid number of nodes: {}", num_nodes);
}

void check_probability(const char* name, double p) {
  check(p >= 0 && p <= 1, "{} is {}, but a probability is from 0 to 1", name, p);
}

void check_fits(double num_edges) {
  const double needed = num_edges * sizeof(Edge);
  const MemoryLimit limit = tightest_memory_limit();
  if (needed > double(limit.available))
    fail("{:.3g} edges need {}, but there is {} of memory (by {}); ask for fewer", num_edges,
         human_bytes(int64_t(std::min(needed, 0x1p62))), human_bytes(limit.available),
         limit.source);
}

// The nodes that a row may be joined to: `count` numbers from `first` on, but for a gap. The pairs
// of all rows are numbered one after the other; `start` is the number of this row's first.
struct Targets {
  Offset start = 0, count = 0;
  NodeId first = 0, gap = 0, gap_size = 0;
  NodeId operator[](Offset k) const {
    const NodeId v = NodeId(first + k);
    return v >= gap ? v + gap_size : v;
  }
};

// The row of a pair's number, not before row `from`: steps of doubling size, then halving.
template <class TargetsOf>
NodeId row_of(Offset pair, NodeId from, NodeId rows, TargetsOf&& targets_of) {
  Offset low = from, high = Offset(from) + 1;
  while (high < rows && targets_of(NodeId(high)).start <= pair)
    low = std::exchange(high, high + 2 * (high - low));
  high = std::min<Offset>(high, rows);
  while (high - low > 1) {
    const Offset middle = (low + high) / 2;
    (targets_of(NodeId(middle)).start <= pair ? low : high) = middle;
  }
  return NodeId(low);
}

// Tosses the coins of pairs first .. last - 1 and lists the successes, ascending.
template <class TargetsOf>
Array<Edge> chosen_pairs_between(Offset first, Offset last, NodeId rows, double p, Rng rng,
                                 TargetsOf&& targets_of) {
  const double log_failure = std::log1p(-p);
  Array<Edge> edges;
  NodeId u = row_of(first, 0, rows, targets_of);
  for (Offset next = first; next < last; next++) {
    const double skip = std::floor(std::log1p(-rng.uniform()) / log_failure);
    if (skip >= double(last - next)) break;
    next += Offset(skip);
    u = row_of(next, u, rows, targets_of);
    const Targets targets = targets_of(u);
    edges.push_back({u, targets[next - targets.start]});
  }
  return edges;
}

Array<Edge> concatenated(std::vector<Array<Edge>> blocks) {
  Array<Offset> place(blocks.size() + 1, 0);
  for (size_t b = 0; b < blocks.size(); b++) place[b + 1] = place[b] + Offset(blocks[b].size());
  Array<Edge> edges(size_t(place.back()));
#pragma omp parallel for schedule(dynamic, 1) if (blocks.size() > 1 && num_threads() > 1)
  for (size_t b = 0; b < blocks.size(); b++) {
    std::copy(blocks[b].begin(), blocks[b].end(), edges.begin() + place[b]);
    blocks[b] = Array<Edge>();
  }
  return edges;
}

// Tosses a coin for every target of every row and lists the successes, row by row, ascending.
template <class TargetsOf>
Array<Edge> chosen_pairs(NodeId rows, double p, const Rng& rng, TargetsOf&& targets_of) {
  if (p == 0 || rows == 0) return {};
  const Offset pairs = targets_of(rows - 1).start + targets_of(rows - 1).count;
  if (pairs == 0) return {};
  check_fits(p * double(pairs));
  const double wanted = std::ceil(double(kEdgesPerBlock) / p);
  const Offset per_block = wanted < double(pairs) ? Offset(wanted) : pairs;
  const Offset num_blocks = (pairs - 1) / per_block + 1;
  std::vector<Array<Edge>> blocks{size_t(num_blocks)};
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (num_blocks > 1 && num_threads() > 1)
  for (Offset b = 0; b < num_blocks; b++)
    error.run([&] {
      const Offset first = b * per_block, last = first + std::min(pairs - first, per_block);
      blocks[b] = chosen_pairs_between(first, last, rows, p, rng.split(uint64_t(b)), targets_of);
    });
  error.rethrow();
  return concatenated(std::move(blocks));
}

// Calls write(rng, from, to) for every block [from, to) of 0..count-1, in parallel.
template <class Write>
void each_block(Offset count, const Rng& rng, Write&& write) {
  const Offset blocks = (count + kEdgesPerBlock - 1) / kEdgesPerBlock;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1 && num_threads() > 1)
  for (Offset b = 0; b < blocks; b++)
    write(rng.split(uint64_t(b)), b * kEdgesPerBlock, std::min((b + 1) * kEdgesPerBlock, count));
}

// The items in an order that is uniform among all orders: each goes to a random bucket, and every
// bucket, small enough for the cache, is shuffled.
Array<NodeId> shuffled(const Array<NodeId>& items, const Rng& rng) {
  constexpr NodeId kBuckets = 1023;
  const Offset count = Offset(items.size());
  const Offset blocks = (count + kEdgesPerBlock - 1) / kEdgesPerBlock;
  const int parts = worth_threads(count) ? num_threads() : 1;
  const Rng to_bucket = rng.split(0), within = rng.split(1);
  RowBuckets buckets = bucket_rows(kBuckets, parts, [&](int part, auto&& emit) {
    for (Offset b = split_point(blocks, parts, part); b < split_point(blocks, parts, part + 1);
         b++) {
      Rng source = to_bucket.split(uint64_t(b));
      for (Offset i = b * kEdgesPerBlock; i < std::min((b + 1) * kEdgesPerBlock, count); i++)
        emit(NodeId(source.below(kBuckets)), items[i]);
    }
  });
  Csr rows =
      group_rows(kBuckets, 0, std::move(buckets), [&](NodeId b, std::span<NodeId> of_bucket) {
        within.split(uint64_t(b)).shuffle(of_bucket);
        return of_bucket.size();
      });
  return std::move(rows.index);
}

Array<NodeId> random_numbering(NodeId num_nodes, const Rng& rng) {
  Array<NodeId> numbers(static_cast<size_t>(num_nodes));
  std::iota(numbers.begin(), numbers.end(), 0);
  return shuffled(numbers, rng);
}

}  // namespace

GeneratedEdges er_edges(NodeId num_nodes, double probability, Rng rng) {
  check_nodes(num_nodes);
  check_probability("the probability of an arc", probability);
  const auto others = [n = Offset(num_nodes)](NodeId u) {
    return Targets{.start = u * (n - 1), .count = n - 1, .first = 0, .gap = u, .gap_size = 1};
  };
  return {.num_nodes = num_nodes, .edges = chosen_pairs(num_nodes, probability, rng, others)};
}

namespace {

Edge random_pair(NodeId num_nodes, Rng& rng) {
  const NodeId u = NodeId(rng.below(uint64_t(num_nodes)));
  const NodeId v = NodeId(rng.below(uint64_t(num_nodes) - 1));
  return {u, v + (v >= u)};
}

// The different ones among some pairs.
Graph grouped_pairs(NodeId num_nodes, Array<Edge> pairs) {
  const auto size = Offset(pairs.size());
  const int parts = worth_threads(size) ? num_threads() : 1;
  RowBuckets buckets = bucket_rows(num_nodes, parts, [&](int part, auto&& emit) {
    const Offset end = split_point(size, parts, part + 1);
    for (Offset i = split_point(size, parts, part); i < end; i++) emit(pairs[i].from, pairs[i].to);
  });
  pairs = Array<Edge>();
  const auto unique = [](NodeId, std::span<NodeId> row) {
    return std::unique(row.begin(), row.end()) - row.begin();
  };
  return {group_rows(num_nodes, num_nodes, std::move(buckets), unique, RowOrder::ascending), {}};
}

// Pairs that `graph` does not have, until it has `count` with them.
std::unordered_set<uint64_t> missing_pairs(const Graph& graph, Offset count, Rng rng) {
  std::unordered_set<uint64_t> pairs;
  while (graph.num_arcs() + Offset(pairs.size()) < count) {
    const Edge e = random_pair(graph.num_nodes(), rng);
    if (!graph.has_arc(e.from, e.to)) pairs.insert(uint64_t(e.from) << 32 | uint64_t(e.to));
  }
  return pairs;
}

// `count` different pairs: as many draws, and those that were repetitions drawn anew until new.
// No step tells one pair from another, so every set of pairs is as likely. REQUIRES: at most
// about half of all pairs are wanted.
Graph random_pairs(NodeId num_nodes, Offset count, const Rng& rng) {
  Array<Edge> draws(static_cast<size_t>(count));
  each_block(count, rng.split(0), [&](Rng source, Offset from, Offset to) {
    for (Offset i = from; i < to; i++) draws[i] = random_pair(num_nodes, source);
  });
  Graph graph = grouped_pairs(num_nodes, std::move(draws));
  if (graph.num_arcs() == count) return graph;
  const auto missing = missing_pairs(graph, count, rng.split(1));
  Array<Edge> pairs = arcs(graph);
  graph = {};
  for (const uint64_t pair : missing) pairs.push_back({NodeId(pair >> 32), NodeId(pair)});
  return grouped_pairs(num_nodes, std::move(pairs));
}

// All pairs but those of `graph`, ascending.
Array<Edge> other_pairs(const Graph& graph, Offset count) {
  Array<Edge> edges;
  edges.reserve(size_t(count));
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    const auto row = graph.out.row(u);
    auto skip = row.begin();
    for (NodeId v = 0; v < graph.num_nodes(); v++) {
      if (skip != row.end() && *skip == v)
        skip++;
      else if (u != v)
        edges.push_back({u, v});
    }
  }
  return edges;
}

}  // namespace

GeneratedEdges er_edges_exactly(NodeId num_nodes, Offset num_arcs, Rng rng) {
  check_nodes(num_nodes);
  const Offset pairs = Offset(num_nodes) * std::max<Offset>(Offset(num_nodes) - 1, 0);
  check(num_arcs >= 0 && num_arcs <= pairs, "invalid number of arcs: {}; {} nodes have 0 to {}",
        num_arcs, num_nodes, pairs);
  check_fits(3. * double(num_arcs));
  if (num_arcs <= pairs / 2)
    return {.num_nodes = num_nodes, .edges = arcs(random_pairs(num_nodes, num_arcs, rng))};
  const Graph left_out = random_pairs(num_nodes, pairs - num_arcs, rng);
  return {.num_nodes = num_nodes, .edges = other_pairs(left_out, num_arcs)};
}

namespace {

// Where the 32-bit draw of one level leaves quarters a, b, c.
struct RmatLevel {
  uint64_t a, ab, abc;
};

std::vector<RmatLevel> rmat_levels(const RmatOptions& o, int count, Rng rng) {
  const double d = 1 - o.a - o.b - o.c;
  std::vector<RmatLevel> levels;
  for (int i = 0; i < count; i++) {
    const double mu = o.noise * (2 * rng.uniform() - 1);
    const double a = o.a - (o.a + d > 0 ? 2 * mu * o.a / (o.a + d) : 0);
    const auto scaled = [](double share) { return uint64_t(std::clamp(share, 0., 1.) * 0x1p32); };
    levels.push_back({scaled(a), scaled(a + o.b + mu), scaled(a + o.b + o.c + 2 * mu)});
  }
  return levels;
}

Edge rmat_edge(const std::vector<RmatLevel>& levels, Rng& rng) {
  uint32_t u = 0, v = 0;
  uint64_t bits = 0;
  for (size_t i = 0; i < levels.size(); i++) {
    bits = i % 2 == 0 ? rng.next() : bits >> 32;
    const uint64_t draw = bits & 0xFFFFFFFF;
    const uint32_t below = draw >= levels[i].ab;
    const uint32_t right = (draw >= levels[i].a) ^ below ^ (draw >= levels[i].abc);
    u = u << 1 | below;
    v = v << 1 | right;
  }
  return {NodeId(u), NodeId(v)};
}

void check_rmat(const RmatOptions& o) {
  check(o.nodes > 0, "R-MAT needs at least one node, not {}", o.nodes);
  check(o.arcs >= 0, "invalid number of arcs: {}", o.arcs);
  check(o.a >= 0 && o.b >= 0 && o.c >= 0 && o.a + o.b + o.c <= 1 + 1e-9,
        "R-MAT shares a = {}, b = {}, c = {} must not be negative, nor their sum above 1", o.a, o.b,
        o.c);
  check(o.noise >= 0 && o.noise <= std::min(o.b, o.c),
        "R-MAT noise is {}, but must be from 0 to min(b, c) = {}", o.noise, std::min(o.b, o.c));
  check(o.a > 0 || std::has_single_bit(uint32_t(o.nodes)),
        "R-MAT with a = 0 needs a power of two as the number of nodes, not {}", o.nodes);
  check_fits(double(o.arcs));
}

}  // namespace

GeneratedEdges rmat_edges(const RmatOptions& options, Rng rng) {
  check_rmat(options);
  const NodeId nodes = options.nodes;
  const int scale = std::bit_width(uint32_t(nodes) - 1);
  const std::vector<RmatLevel> levels = rmat_levels(options, scale, rng.split(0));
  const bool shuffle = options.shuffle;
  const Array<NodeId> number = shuffle ? random_numbering(nodes, rng.split(1)) : Array<NodeId>();
  GeneratedEdges result{.num_nodes = nodes, .edges = Array<Edge>(size_t(options.arcs))};
  each_block(options.arcs, rng.split(2), [&](Rng source, Offset from, Offset to) {
    for (Offset i = from; i < to; i++) {
      Edge e = rmat_edge(levels, source);
      while (e.from >= nodes || e.to >= nodes) e = rmat_edge(levels, source);
      result.edges[i] = shuffle ? Edge{number[e.from], number[e.to]} : e;
    }
  });
  return result;
}

namespace {

// The pairs of nodes in the same block, and in different blocks; undirected: u < v only.
class BlockPairs {
 public:
  BlockPairs(const std::vector<NodeId>& start, bool directed) : start_(start), directed_(directed) {
    Offset within = 0, between = 0;
    for (size_t b = 0; b + 1 < start.size(); b++) {
      within_.push_back(within);
      between_.push_back(between);
      const Offset size = start[b + 1] - start[b];
      within += directed ? size * (size - 1) : size * (size - 1) / 2;
      between += size * (directed ? start.back() - size : start.back() - start[b + 1]);
    }
  }

  Targets within(NodeId u, int32_t b) const {
    const NodeId first = start_[b], last = start_[b + 1];
    const Offset row = u - first, size = last - first;
    if (directed_)
      return {.start = within_[b] + row * (size - 1),
              .count = size - 1,
              .first = first,
              .gap = u,
              .gap_size = 1};
    return {.start = within_[b] + row * (2 * size - row - 1) / 2,
            .count = size - row - 1,
            .first = u + 1,
            .gap = last};
  }

  Targets between(NodeId u, int32_t b) const {
    const NodeId first = start_[b], last = start_[b + 1], n = start_.back();
    const Offset count = directed_ ? n - (last - first) : n - last;
    Targets targets{.start = between_[b] + (u - first) * count, .count = count};
    if (directed_)
      targets.gap = first, targets.gap_size = last - first;
    else
      targets.first = last, targets.gap = n;
    return targets;
  }

 private:
  const std::vector<NodeId>& start_;  // (blocks + 1)
  const bool directed_;
  std::vector<Offset> within_, between_;  // (blocks) pairs in earlier blocks
};

// The first node of every block, and the number of nodes.
std::vector<NodeId> block_start(const SbmOptions& options) {
  std::vector<NodeId> start = {0};
  if (options.sizes.empty()) {
    check_nodes(options.nodes);
    check(options.blocks >= 1, "invalid number of blocks: {}", options.blocks);
    for (int b = 1; b <= options.blocks; b++)
      start.push_back(NodeId(split_point(options.nodes, options.blocks, b)));
  }
  for (const NodeId size : options.sizes) {
    check(size >= 0 && size <= std::numeric_limits<NodeId>::max() - start.back(),
          "block sizes must not be negative, and fit 32 bits together; one is {}", size);
    start.push_back(start.back() + size);
  }
  return start;
}

void append_reverse(Array<Edge>& edges) {
  const size_t size = edges.size();
  edges.resize(2 * size);
  for (size_t e = 0; e < size; e++) edges[size + e] = {edges[e].to, edges[e].from};
}

}  // namespace

GeneratedEdges sbm_edges(const SbmOptions& options, Rng rng) {
  check_probability("p_in", options.p_in);
  check_probability("p_out", options.p_out);
  const std::vector<NodeId> start = block_start(options);
  const NodeId n = start.back();
  GeneratedEdges result{.num_nodes = n, .block = std::vector<int32_t>(size_t(n))};
  for (size_t b = 0; b + 1 < start.size(); b++)
    std::fill(result.block.begin() + start[b], result.block.begin() + start[b + 1], int32_t(b));

  const BlockPairs pairs(start, options.directed);
  const auto within = [&](NodeId u) { return pairs.within(u, result.block[u]); };
  const auto between = [&](NodeId u) { return pairs.between(u, result.block[u]); };
  result.edges = chosen_pairs(n, options.p_in, rng.split(0), within);
  const Array<Edge> others = chosen_pairs(n, options.p_out, rng.split(1), between);
  result.edges.insert(result.edges.end(), others.begin(), others.end());
  if (!options.directed) append_reverse(result.edges);
  return result;
}

namespace {

// Node u, degree[u] times.
Array<NodeId> stubs(std::span<const NodeId> degree) {
  double total = 0;
  for (size_t u = 0; u < degree.size(); u++) {
    check(degree[u] >= 0, "node {} has the invalid degree {}", u, degree[u]);
    total += degree[u];
  }
  check_fits(2 * total);
  Array<NodeId> nodes(static_cast<size_t>(total));
  auto to = nodes.begin();
  for (size_t u = 0; u < degree.size(); u++) to = std::fill_n(to, degree[u], NodeId(u));
  return nodes;
}

}  // namespace

GeneratedEdges configuration_edges(std::span<const NodeId> out_degree,
                                   std::span<const NodeId> in_degree, Rng rng) {
  check(out_degree.size() == in_degree.size(), "{} out-degrees, but {} in-degrees",
        out_degree.size(), in_degree.size());
  const Array<NodeId> from = stubs(out_degree);
  Array<NodeId> to = stubs(in_degree);
  check(from.size() == to.size(), "out-degrees sum to {}, but in-degrees to {}", from.size(),
        to.size());
  to = shuffled(to, rng);
  GeneratedEdges result{.num_nodes = NodeId(out_degree.size()), .edges = Array<Edge>(from.size())};
  for (size_t e = 0; e < from.size(); e++) result.edges[e] = {from[e], to[e]};
  return result;
}

Array<NodeId> power_law_degrees(const PowerLawOptions& o, Rng rng) {
  check_nodes(o.nodes);
  check(o.min_degree >= 0 && o.exponent > 0,
        "a power law needs min_degree >= 0 and exponent > 0, not {}, {}", o.min_degree, o.exponent);
  const double root = std::sqrt(double(o.nodes) * double(std::max<NodeId>(o.min_degree, 1)));
  const NodeId max_degree =
      o.max_degree > 0 ? o.max_degree : std::max(o.min_degree, NodeId(std::min(root, 1e9)));
  check(max_degree >= o.min_degree && max_degree < std::max<NodeId>(o.nodes, 2),
        "invalid degrees from {} to {} among {} nodes", o.min_degree, max_degree, o.nodes);
  std::vector<double> cumulative;  // weight of the degrees up to min_degree + i; 0 weighs like 1
  double sum = 0;
  for (NodeId k = o.min_degree; k <= max_degree; k++)
    cumulative.push_back(sum += std::pow(std::max<double>(k, 1), -o.exponent));
  Array<NodeId> degree(static_cast<size_t>(o.nodes));
  for (NodeId& d : degree) {
    const auto drawn =
        std::upper_bound(cumulative.begin(), cumulative.end() - 1, rng.uniform() * sum);
    d = NodeId(drawn - cumulative.begin()) + o.min_degree;
  }
  return degree;
}

GeneratedEdges power_law_edges(const PowerLawOptions& options, Rng rng) {
  Array<NodeId> out = power_law_degrees(options, rng.split(0));
  Array<NodeId> in = power_law_degrees(options, rng.split(1));
  Offset surplus = std::accumulate(out.begin(), out.end(), Offset(0)) -
                   std::accumulate(in.begin(), in.end(), Offset(0));
  Rng where = rng.split(2);
  for (; surplus > 0; surplus--) in[where.below(in.size())]++;
  for (; surplus < 0; surplus++) out[where.below(out.size())]++;
  return configuration_edges(out, in, rng.split(3));
}

GeneratedEdges star_edges(NodeId num_nodes) {
  check_nodes(num_nodes);
  GeneratedEdges result{.num_nodes = num_nodes};
  for (NodeId v = 1; v < num_nodes; v++) result.edges.push_back({0, v});
  return result;
}

GeneratedEdges path_edges(NodeId num_nodes) {
  check_nodes(num_nodes);
  GeneratedEdges result{.num_nodes = num_nodes};
  for (NodeId v = 1; v < num_nodes; v++) result.edges.push_back({v - 1, v});
  return result;
}

GeneratedEdges cycle_edges(NodeId num_nodes) {
  GeneratedEdges result = path_edges(num_nodes);
  if (num_nodes > 1) result.edges.push_back({num_nodes - 1, 0});
  return result;
}

GeneratedEdges complete_edges(NodeId num_nodes) { return er_edges(num_nodes, 1, Rng(0)); }

}  // namespace mgnn
