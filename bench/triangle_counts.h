// Triangle counts that motif counting is measured against, graphs to measure on, CPU seconds and memory.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "mgnn/graph/generators.h"
#include "mgnn/graph/graph.h"
#include "mgnn/motif/ranked_pairs.h"

namespace mgnn::bench {

inline double cpu_now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

template <class Action>
inline double min_cpu(int trials, Action&& action) {
  double minimum = 1e30;
  for (int i = 0; i < trials; i++) {
    const double start = cpu_now();
    action();
    minimum = std::min(minimum, cpu_now() - start);
  }
  return minimum;
}

inline void keep_memory(bool keep) {
  mallopt(M_MMAP_MAX, keep ? 0 : 65536);
  mallopt(M_TRIM_THRESHOLD, keep ? -1 : 128 << 10);
  if (!keep) malloc_trim(0);
}

// Peak resident memory since the last reset; needs /proc.
inline int64_t status_kib(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::atoll(line.c_str() + std::strlen(field));
  return 0;
}

// Rows by rank, hubs first, each ascending: what both opponents count on.
struct OrderedRows {
  Array<uint32_t> start, index;
  explicit OrderedRows(const Graph& graph) {
    const RankedPairs pairs = ranked_pairs(graph);
    const auto n = size_t(pairs.num_nodes());
    start.assign(n + 1, 0);
    index.reserve(size_t(pairs.connected.nnz()));
    Array<NodeId> node(n);
    for (size_t u = 0; u < n; u++) node[pairs.profile[u].rank - 1] = NodeId(u);
    for (size_t r = 0; r < n; r++) {
      for (const NodeId v : pairs.connected.row(node[r]))
        index.push_back(pairs.profile[v].rank - 1);
      start[r + 1] = uint32_t(index.size());
      std::sort(index.begin() + start[r], index.end());
    }
  }
  uint32_t size() const { return uint32_t(start.size()) - 1; }
};

inline int64_t count_by_merge(const OrderedRows& rows) {
  int64_t triangles = 0;
  const uint32_t* const index = rows.index.data();
  for (uint32_t u = 0; u < rows.size(); u++) {
    for (uint32_t e = rows.start[u]; e < rows.start[u + 1]; e++) {
      const uint32_t v = index[e];
      if (v > u) break;
      const uint32_t* it = index + rows.start[u];
      for (uint32_t f = rows.start[v]; f < rows.start[v + 1]; f++) {
        const uint32_t w = index[f];
        if (w > v) break;
        while (*it < w) it++;
        triangles += *it == w;
      }
    }
  }
  return triangles;
}

inline int64_t count_by_marks(const OrderedRows& rows) {
  int64_t triangles = 0;
  std::vector<uint8_t> mark(rows.size(), 0);
  const uint32_t* const index = rows.index.data();
  for (uint32_t u = 0; u < rows.size(); u++) {
    uint32_t e = rows.start[u];
    for (; e < rows.start[u + 1] && index[e] < u; e++) mark[index[e]] = 1;
    for (uint32_t f = e; f < rows.start[u + 1]; f++) {
      if (f + 8 < rows.start[u + 1]) __builtin_prefetch(index + rows.start[index[f + 8]]);
      for (const uint32_t* w = index + rows.start[index[f]]; *w < u; w++) triangles += mark[*w];
    }
    for (uint32_t f = rows.start[u]; f < e; f++) mark[index[f]] = 0;
  }
  return triangles;
}

// Edge factor about 16, as usual for RMAT.
inline Graph rmat(int64_t million_arcs) {
  NodeId nodes = 1;
  while (int64_t(nodes) * 24 < million_arcs * 1'000'000) nodes *= 2;
  GeneratedEdges generated =
      rmat_edges({.nodes = nodes, .arcs = million_arcs * 1'000'000, .shuffle = true}, Rng(1));
  return make_graph(generated.num_nodes, std::move(generated.edges));
}

}  // namespace mgnn::bench
