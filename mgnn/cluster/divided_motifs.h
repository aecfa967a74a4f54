// Census and motif matrices of a graph that is divided among ranks. Called by all ranks; numbers are those
// of motif/census.h and motif/motifs.h, for any number of ranks and threads.
#pragma once

#include "mgnn/cluster/triangles.h"
#include "mgnn/motif/census.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {

struct DividedCensusOptions {
  Counting counting = Counting::subgraph;
  bool per_node = false;
  bool per_role = false;
  TriangleOptions triangles = {};
};

// All ranks have the total; per_node and per_role, of all nodes, are on rank 0. Throws Error (usage) as
// census does.
Census divided_census(Comm& comm, const RankGraph& graph, const DividedCensusOptions& options);

// The rows of this rank's nodes. Arrays are shared by motifs whose matrices are equal up to a factor on
// every graph with the same types of pairs; there may be zero ones, and more that are proportional.
struct RankMatrices {
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifSet motifs = {};
  Array<NodeId> node;         // (rows) ascending
  Array<Offset> start = {0};  // (rows + 1)
  Array<NodeId> index;        // columns
  std::vector<Array<uint32_t>> values = {};
  std::array<MotifRef, kNumMotifs> of = {};

  int64_t count(int motif, Offset e) const {
    const MotifRef& ref = of[motif - 1];
    return ref.array < 0 ? 0 : ref.factor * int64_t(values[ref.array][e]);
  }
};

// Throws Error (usage) as motif_matrices does, and (failed) if pairs of leaves need more memory than
// options.pair_memory_limit on a rank.
RankMatrices divided_matrices(Comm& comm, const RankGraph& graph, const MotifOptions& options,
                              const TriangleOptions& triangles = {});

// All rows on rank 0, as motif_matrices gives them; nothing on the others.
MotifMatrices gather_matrices(Comm& comm, const RankGraph& graph, const RankMatrices& part);

}  // namespace mgnn
