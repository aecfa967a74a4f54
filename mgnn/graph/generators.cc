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

#include "mgnn/base/clock.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/sparse/group.h"

namespace mgnn {
namespace {

constexpr Offset kBlock = 1 << 16;  // edges

void check_nodes(NodeId num_nodes) {
  check(num_nodes >= 0, "a graph cannot have {} nodes", num_nodes);
}

void check_probability(const char* name, double p) {
  check(p >= 0 && p <= 1, "{} is {}, but a probability is from 0 to 1", name, p);
}

void check_fits(double num_edges) {
  const double needed = num_edges * sizeof(Edge);
  const int64_t available = available_memory_bytes();
  if (needed > double(available))
    fail("{:.3g} edges need {:.3g} GiB, but only {} of memory are available; ask for fewer",
         num_edges, needed / double(1 << 30), human_bytes(available));
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

// Tosses a coin for every target of every row and lists the successes, row by row, ascending.
template <class TargetsOf>
Array<Edge> chosen_pairs(NodeId rows, double p, const Rng& rng, TargetsOf&& targets_of) {
  if (p == 0 || rows == 0) return {};
  const Offset pairs = targets_of(rows - 1).start + targets_of(rows - 1).count;
  if (pairs == 0) return {};
  check_fits(p * double(pairs));
  const double wanted = std::ceil(double(kBlock) / p);  // coins of a block
  const Offset per_block = wanted < double(pairs) ? Offset(wanted) : pairs;
  const Offset blocks = (pairs - 1) / per_block + 1;
  const double log_failure = std::log1p(-p);

  std::vector<Array<Edge>> chosen{size_t(blocks)};
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
  for (Offset b = 0; b < blocks; b++)
    error.run([&] {
      Rng source = rng.split(uint64_t(b));
      Offset next = b * per_block;
      const Offset end = std::min(pairs - next, per_block) + next;
      NodeId u = row_of(next, 0, rows, targets_of);
      while (true) {
        const double skip = std::floor(std::log1p(-source.uniform()) / log_failure);
        if (skip >= double(end - next)) break;
        next += Offset(skip);
        u = row_of(next, u, rows, targets_of);
        const Targets targets = targets_of(u);
        chosen[size_t(b)].push_back({u, targets[next - targets.start]});
        if (++next == end) break;
      }
    });
  error.rethrow();

  Array<Offset> place(size_t(blocks) + 1, 0);
  for (size_t b = 0; b < size_t(blocks); b++) place[b + 1] = place[b] + Offset(chosen[b].size());
  Array<Edge> edges(size_t(place.back()));
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
  for (Offset b = 0; b < blocks; b++) {
    std::copy(chosen[b].begin(), chosen[b].end(), edges.begin() + place[b]);
    chosen[b] = {};
  }
  return edges;
}

// Calls write(rng, from, to) for every block [from, to) of 0..count-1, in parallel.
template <class Write>
void each_block(Offset count, const Rng& rng, Write&& write) {
  const Offset blocks = (count + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
  for (Offset b = 0; b < blocks; b++)
    write(rng.split(uint64_t(b)), b * kBlock, std::min((b + 1) * kBlock, count));
}

// The items in an order that is uniform among all orders: each goes to a random bucket, and every
// bucket, small enough for the cache, is shuffled.
Array<NodeId> shuffled(const Array<NodeId>& items, const Rng& rng) {
  constexpr NodeId kBuckets = 1023;
  const Offset count = Offset(items.size());
  const Offset blocks = (count + kBlock - 1) / kBlock;
  const int parts = worth_threads(count) ? num_threads() : 1;
  const Rng to_bucket = rng.split(0), within = rng.split(1);
  RowBuckets buckets = bucket_rows(kBuckets, parts, [&](int part, auto&& emit) {
    for (Offset b = split_point(blocks, parts, part); b < split_point(blocks, parts, part + 1);
         b++) {
      Rng source = to_bucket.split(uint64_t(b));
      for (Offset i = b * kBlock; i < std::min((b + 1) * kBlock, count); i++)
        emit(NodeId(source.below(kBuckets)), items[size_t(i)]);
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
    return Targets{u * (n - 1), n - 1, 0, u, 1};
  };
  return {num_nodes, chosen_pairs(num_nodes, probability, rng, others), {}};
}

namespace {

Edge random_pair(NodeId num_nodes, Rng& rng) {
  const NodeId u = NodeId(rng.below(uint64_t(num_nodes)));
  const NodeId v = NodeId(rng.below(uint64_t(num_nodes) - 1));
  return {u, v + (v >= u)};
}

// `count` different pairs: as many draws, and those that were repetitions drawn anew until new.
// No step tells one pair from another, so every set of pairs is as likely. REQUIRES: at most
// about half of all pairs are wanted.
Csr random_pairs(NodeId num_nodes, Offset count, const Rng& rng) {
  Array<Edge> draws(static_cast<size_t>(count));
  each_block(count, rng.split(0), [&](Rng source, Offset from, Offset to) {
    for (Offset i = from; i < to; i++) draws[size_t(i)] = random_pair(num_nodes, source);
  });
  const auto grouped = [&] {
    const int parts = worth_threads(count) ? num_threads() : 1;
    const Offset size = Offset(draws.size());
    RowBuckets buckets = bucket_rows(num_nodes, parts, [&](int part, auto&& emit) {
      for (Offset i = split_point(size, parts, part); i < split_point(size, parts, part + 1); i++)
        emit(draws[size_t(i)].from, draws[size_t(i)].to);
    });
    draws.clear();
    const auto once = [](NodeId, std::span<NodeId> row) {
      return std::unique(row.begin(), row.end()) - row.begin();
    };
    return group_rows(num_nodes, num_nodes, std::move(buckets), once, RowOrder::ascending);
  };
  Graph graph{grouped(), {}};
  if (graph.num_arcs() == count) return std::move(graph.out);

  Rng source = rng.split(1);
  std::unordered_set<uint64_t> more;
  while (graph.num_arcs() + Offset(more.size()) < count) {
    const Edge e = random_pair(num_nodes, source);
    if (!graph.has_arc(e.from, e.to)) more.insert(uint64_t(e.from) << 32 | uint64_t(e.to));
  }
  draws = arcs(graph);
  graph = {};
  for (const uint64_t pair : more) draws.push_back({NodeId(pair >> 32), NodeId(pair)});
  return grouped();
}

}  // namespace

GeneratedEdges er_edges_exactly(NodeId num_nodes, Offset num_arcs, Rng rng) {
  check_nodes(num_nodes);
  const Offset pairs = Offset(num_nodes) * std::max<Offset>(Offset(num_nodes) - 1, 0);
  check(num_arcs >= 0 && num_arcs <= pairs, "{} nodes have {} possible arcs; {} cannot be chosen",
        num_nodes, pairs, num_arcs);
  check_fits(3. * double(num_arcs));
  if (num_arcs <= pairs / 2)
    return {num_nodes, arcs(Graph{random_pairs(num_nodes, num_arcs, rng), {}}), {}};
  const Graph left_out{random_pairs(num_nodes, pairs - num_arcs, rng), {}};
  GeneratedEdges result{num_nodes, {}, {}};
  result.edges.reserve(size_t(num_arcs));
  for (NodeId u = 0; u < num_nodes; u++) {
    const auto row = left_out.out.row(u);
    auto skip = row.begin();
    for (NodeId v = 0; v < num_nodes; v++) {
      if (skip != row.end() && *skip == v)
        skip++;
      else if (u != v)
        result.edges.push_back({u, v});
    }
  }
  return result;
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

}  // namespace

GeneratedEdges rmat_edges(const RmatOptions& options, Rng rng) {
  const double a = options.a, b = options.b, c = options.c, noise = options.noise;
  const NodeId nodes = options.nodes;
  const Offset arcs = options.arcs;
  const bool shuffle = options.shuffle;
  check(nodes > 0, "R-MAT needs at least one node, not {}", nodes);
  check(arcs >= 0, "a graph cannot have {} arcs", arcs);
  check(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1 + 1e-9,
        "R-MAT shares a = {}, b = {}, c = {} must not be negative, nor their sum above 1", a, b, c);
  check(noise >= 0 && noise <= std::min(b, c),
        "R-MAT noise is {}, but 0 to min(b, c) = {} is meant", noise, std::min(b, c));
  check(a > 0 || std::has_single_bit(uint32_t(nodes)),
        "R-MAT with a = 0 needs a power of two as the number of nodes, not {}", nodes);
  check_fits(double(arcs));
  const int scale = std::bit_width(uint32_t(nodes) - 1);
  const std::vector<RmatLevel> levels = rmat_levels(options, scale, rng.split(0));
  const Array<NodeId> number = shuffle ? random_numbering(nodes, rng.split(1)) : Array<NodeId>();
  GeneratedEdges result{nodes, Array<Edge>(static_cast<size_t>(arcs)), {}};
  each_block(arcs, rng.split(2), [&](Rng source, Offset from, Offset to) {
    for (Offset i = from; i < to; i++) {
      Edge e = rmat_edge(levels, source);
      while (e.from >= nodes || e.to >= nodes) e = rmat_edge(levels, source);
      result.edges[size_t(i)] = shuffle ? Edge{number[e.from], number[e.to]} : e;
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
    if (directed_) return {within_[b] + row * (size - 1), size - 1, first, u, 1};
    return {within_[b] + row * (2 * size - row - 1) / 2, size - row - 1, u + 1, last, 0};
  }

  Targets between(NodeId u, int32_t b) const {
    const NodeId first = start_[b], last = start_[b + 1], n = start_.back();
    const Offset count = directed_ ? n - (last - first) : n - last;
    const Offset place = between_[b] + (u - first) * count;
    return directed_ ? Targets{place, count, 0, first, last - first}
                     : Targets{place, count, last, n, 0};
  }

 private:
  const std::vector<NodeId>& start_;  // (blocks + 1)
  const bool directed_;
  std::vector<Offset> within_, between_;  // (blocks) pairs in earlier blocks
};

}  // namespace

GeneratedEdges sbm_edges(const SbmOptions& options, Rng rng) {
  check_probability("p_in", options.p_in);
  check_probability("p_out", options.p_out);
  std::vector<NodeId> start = {0};
  if (options.sizes.empty()) {
    check_nodes(options.nodes);
    check(options.blocks >= 1, "a block model cannot have {} blocks", options.blocks);
    for (int b = 1; b <= options.blocks; b++)
      start.push_back(NodeId(split_point(options.nodes, options.blocks, b)));
  }
  for (const NodeId size : options.sizes) {
    check(size >= 0 && size <= std::numeric_limits<NodeId>::max() - start.back(),
          "block sizes must not be negative, and fit 32 bits together; one is {}", size);
    start.push_back(start.back() + size);
  }
  const NodeId n = start.back();
  GeneratedEdges result{n, {}, std::vector<int32_t>(size_t(n))};
  for (size_t b = 0; b + 1 < start.size(); b++)
    std::fill(result.block.begin() + start[b], result.block.begin() + start[b + 1], int32_t(b));

  const BlockPairs pairs(start, options.directed);
  const auto within = [&](NodeId u) { return pairs.within(u, result.block[u]); };
  const auto between = [&](NodeId u) { return pairs.between(u, result.block[u]); };
  result.edges = chosen_pairs(n, options.p_in, rng.split(0), within);
  const Array<Edge> others = chosen_pairs(n, options.p_out, rng.split(1), between);
  result.edges.insert(result.edges.end(), others.begin(), others.end());
  if (!options.directed) {
    const size_t once = result.edges.size();
    result.edges.resize(2 * once);
    for (size_t e = 0; e < once; e++)
      result.edges[once + e] = {result.edges[e].to, result.edges[e].from};
  }
  return result;
}

namespace {

// Node u, degree[u] times.
Array<NodeId> stubs(std::span<const NodeId> degree) {
  double total = 0;
  for (size_t u = 0; u < degree.size(); u++) {
    check(degree[u] >= 0, "node {} cannot have degree {}", u, degree[u]);
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
  GeneratedEdges result{NodeId(out_degree.size()), Array<Edge>(from.size()), {}};
  for (size_t e = 0; e < from.size(); e++) result.edges[e] = {from[e], to[e]};
  return result;
}

Array<NodeId> power_law_degrees(const PowerLawOptions& o, Rng rng) {
  check_nodes(o.nodes);
  check(o.least >= 0 && o.exponent > 0, "a power law needs least >= 0 and exponent > 0, not {}, {}",
        o.least, o.exponent);
  const double root = std::sqrt(double(o.nodes) * double(std::max<NodeId>(o.least, 1)));
  const NodeId most = o.most > 0 ? o.most : std::max(o.least, NodeId(std::min(root, 1e9)));
  check(most >= o.least && most < std::max<NodeId>(o.nodes, 2),
        "degrees from {} to {} cannot be among {} nodes", o.least, most, o.nodes);
  std::vector<double> up_to;  // weight of the degrees least..least + i; degree 0 weighs like 1
  double sum = 0;
  for (NodeId k = o.least; k <= most; k++)
    up_to.push_back(sum += std::pow(std::max<double>(k, 1), -o.exponent));
  Array<NodeId> degree(static_cast<size_t>(o.nodes));
  for (NodeId& d : degree) {
    const auto found = std::upper_bound(up_to.begin(), up_to.end() - 1, rng.uniform() * sum);
    d = NodeId(found - up_to.begin()) + o.least;
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
  GeneratedEdges result{num_nodes, {}, {}};
  for (NodeId v = 1; v < num_nodes; v++) result.edges.push_back({0, v});
  return result;
}

GeneratedEdges path_edges(NodeId num_nodes) {
  check_nodes(num_nodes);
  GeneratedEdges result{num_nodes, {}, {}};
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
