// The thirteen motifs: connected directed graphs of three nodes, numbered as in Benson, Gleich,
// Leskovec, "Higher-order organization of complex networks", Science 2016.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/names.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

inline constexpr int kNumMotifs = 13;

struct MotifArc {
  int8_t from, to;  // 0, 1, 2
};

struct Motif {
  int number;              // 1..13
  const char* name;        // "cycle", "out-star", …
  const char* triad;       // code of Davis and Leinhardt: "030C"
  bool closed;             // all three pairs are joined; M1..M7
  int num_arcs;            // 2..6
  MotifArc arcs[6];        // the first num_arcs; node 0 is the centre of an open motif
  int automorphisms;       // permutations of the nodes that keep the arcs
  const char* roles[3];    // of nodes 0, 1, 2: "centre", "leaf", …; see roles.h
  const char* drawing;     // one line: "a→b→c→a"
  const char* picture[3];  // three lines of seven columns
};

const std::array<Motif, kNumMotifs>& all_motifs();
const Motif& motif(int number);       // REQUIRES: 1 <= number <= 13
std::string motif_label(int number);  // "M1"

// All orders of three nodes.
inline constexpr int kNodeOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// Bit of each possible arc among three nodes in a set of arcs (0..63).
constexpr int arc_bit(int from, int to) { return 1 << (2 * from + (to > from ? to - 1 : to)); }

// Which motif a set of arcs among three nodes is; 0 if none (not connected).
int motif_of_arcs(int arc_set);

// Some of the thirteen motifs.
class MotifSet {
 public:
  static MotifSet all() { return MotifSet((1u << kNumMotifs) - 1); }
  static MotifSet closed() { return MotifSet(0x7F); }
  static MotifSet open() { return MotifSet(0x1F80); }

  MotifSet() = default;  // none
  void insert(int number) { bits_ |= 1u << (number - 1); }
  bool contains(int number) const { return bits_ >> (number - 1) & 1; }
  bool empty() const { return bits_ == 0; }
  int size() const { return __builtin_popcount(bits_); }
  bool has_open() const { return bits_ & open().bits_; }
  bool has_closed() const { return bits_ & closed().bits_; }
  std::vector<int> numbers() const;  // ascending
  std::string text() const;          // "M1-M7,M13", "all"; parse_motifs reads it
  friend bool operator==(MotifSet, MotifSet) = default;

 private:
  explicit MotifSet(uint32_t bits) : bits_(bits) {}
  uint32_t bits_ = 0;
};

// Reads "1,4,13", "M1-M7", "closed", "open", "all" and lists of these. Throws Error (usage).
MotifSet parse_motifs(std::string_view text);

// What is an instance of a motif (docs/motifs.md):
//   subgraph   a set of arcs that forms the motif; a mutual pair also serves as a single arc
//   induced    three nodes whose whole induced subgraph is the motif
//   published        what the code released with the paper computes; it has two versions, which differ
//                    in M11 and M12, and this is the one that belongs to the kind of data
//                    (data/counting.h), or to a graph of which nothing else is known the first:
//   published-node   the version for nodes of citation graphs
//   published-graph  the version for sets of graphs and knowledge graphs
enum class Counting { subgraph, induced, published, published_node, published_graph };
constexpr auto enum_names(Counting) {
  return std::to_array<Named<Counting>>({{"subgraph", Counting::subgraph},
                                         {"induced", Counting::induced},
                                         {"published", Counting::published},
                                         {"published-node", Counting::published_node},
                                         {"published-graph", Counting::published_graph}});
}
// Whether it is that of the released code, which does not count instances.
constexpr bool is_published(Counting counting) { return counting >= Counting::published; }
// What an entry (i, j) of a motif matrix counts:
//   arc   instances that contain the arc i -> j
//   edge  instances in which i and j are joined, in either direction
//   pair  instances that contain both i and j, joined or not
enum class Entry { arc, edge, pair };
constexpr auto enum_names(Entry) {
  return std::to_array<Named<Entry>>(
      {{"arc", Entry::arc}, {"edge", Entry::edge}, {"pair", Entry::pair}});
}
// What an instance of a motif weighs:
//   none     1: instances are counted, whatever their arcs weigh
//   mean     the mean of the weights of its arcs
//   product  their product
enum class MotifWeights { none, mean, product };
constexpr auto enum_names(MotifWeights) {
  return std::to_array<Named<MotifWeights>>({{"none", MotifWeights::none},
                                             {"mean", MotifWeights::mean},
                                             {"product", MotifWeights::product}});
}

// ---- motif matrices: how often each pair of nodes meets in instances of a motif

struct MotifOptions {
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifSet motifs = MotifSet::all();
  // `pair` entries of open motifs may need far more memory than the graph; above this many bytes
  // at the peak they are refused before any counting. 0: half of what the system has to give.
  int64_t pair_memory_limit = 0;
};

// Where the matrix of a motif is: values[array] times factor.
struct MotifRef {
  static constexpr int kZero = -1, kAbsent = -2;
  int array = kAbsent;  // kZero: the matrix has no non-zeros; kAbsent: not asked for
  int64_t factor = 1;
};

// The matrices of some motifs on one pattern. Matrices that are equal up to a factor share an
// array; zero matrices have none. The pattern is S = A ∨ Aᵀ (nodes joined in either direction),
// with all diagonal places of non-isolated nodes for `published` counting with M8, M9 or M11, and
// with all pairs of leaves for `pair` entries with open motifs. Stored values may be zero.
struct MotifMatrices {
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifSet motifs = {};
  Csr pattern = {};                          // (nodes, nodes)
  std::vector<Array<uint32_t>> values = {};  // distinct matrices, (pattern.nnz()) each
  std::array<MotifRef, kNumMotifs> of = {};  // motif k is of[k - 1]

  bool has(int motif) const { return of[motif - 1].array != MotifRef::kAbsent; }
  bool is_zero(int motif) const { return of[motif - 1].array == MotifRef::kZero; }
  // The entry at place `e` of the pattern. REQUIRES: has(motif).
  int64_t count(int motif, Offset e) const {
    const MotifRef& ref = of[motif - 1];
    return ref.array < 0 ? 0 : ref.factor * int64_t(values[ref.array][e]);
  }
  // All entries of a motif on the pattern, written out. REQUIRES: has(motif).
  Array<int64_t> counts(int motif) const;
  int64_t sum(int motif) const;  // of all entries
};

// All matrices from one pass over the triangles; open motifs never enumerate a wedge (but for the
// leaf-to-leaf part of `pair`). Entries are exact. Parallel; the same for any number of threads.
// Can be interrupted. Throws Error (usage) for `published` with an entry other than `edge`, and
// Error if `pair` needs more memory than the limit.
MotifMatrices motif_matrices(const Graph& graph, const MotifOptions& options = {});

// ---- motif matrices that add up the weights of instances in place of counting them

// The matrices of some motifs on one pattern: that of MotifMatrices.
struct WeightedMotifMatrices {
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifWeights weights = MotifWeights::mean;
  MotifSet motifs = {};
  Csr pattern = {};                                  // (nodes, nodes)
  std::array<Array<double>, kNumMotifs> value = {};  // (nnz) of motif k at k - 1; those asked for

  double sum(int motif) const;  // of all entries, in their order
};

// `arc_weight` is in the order of graph.out. Sums are in double precision and in a fixed order: the
// same for any number of threads. Parallel; O(Σ over connected pairs of the smaller degree, times the
// logarithm of the larger), with open motifs of entry `pair` O(wedges). Can be interrupted. Throws
// Error (usage) for counting `published`, for MotifWeights::none and for weights that are not finite,
// and Error if `pair` needs more memory than the limit.
WeightedMotifMatrices weighted_motif_matrices(const Graph& graph, std::span<const float> arc_weight,
                                              MotifWeights weights,
                                              const MotifOptions& options = {});

}  // namespace mgnn
