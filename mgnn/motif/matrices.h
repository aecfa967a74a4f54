// Motif matrices: how often each pair of nodes meets in instances of a motif.
#pragma once

#include <array>

#include "mgnn/graph/graph.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {

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

}  // namespace mgnn
