// The inner loop of the triangle pass; compiled once per instruction set.
#pragma once

#include <cstddef>

#include "mgnn/base/cpu.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

// Marks of the neighbours of the node at work, x, by rank.
constexpr uint8_t kUnmarked = 0x7F;
constexpr uint8_t kAboveFlag = 0x80;  // ranked before x
constexpr uint8_t mark_of(int type) { return uint8_t(7 * type); }

constexpr uint32_t kHitBatch = 1024;

struct ScanJob {
  const uint32_t* upper_start;
  const uint32_t* upper;
  const LowerNeighbour* first;  // of x: the lower neighbours to scan
  const LowerNeighbour* last;
  const uint8_t* mark;       // (nodes + 1 + padding) by rank
  const uint16_t* position;  // (nodes + 1) of the neighbours ranked before x, in x's upper row
  // Hits ranked before x that are not counted yet, by type of the lower node as x sees it: three
  // lists of `hits_size` each, at least kHitBatch + the longest upper row + 8.
  uint32_t* hits;
  size_t hits_size;
  // (3, size of x's upper row, 4): [type of w as x sees it][neighbour u before x][type of u as w
  // sees it], increased by one for each lower neighbour w of both. REQUIRES: no overflow.
  uint16_t* below;
  size_t upper_size;
  PairHistogram* above;  // that of each scanned pair is written
};

struct CountJob {
  const uint32_t* upper_start;
  const uint32_t* upper;
  const LowerNeighbour* first;  // of x: the lower neighbours to scan
  const LowerNeighbour* last;
  const uint8_t* mark;  // (nodes + 1 + padding) by rank; no flags
};

// Triangles by the type of the lower neighbour v as x sees it and the cell 3 · type(v, k) +
// type(x, k). Nine counters of seven bits share a word, and there are eight words of each type.
struct TypeCounter {
  static constexpr int kWords = 8, kMaxSteps = 127;  // a step adds at most one to each word

  alignas(64) uint64_t word[kNumTypes][kWords] = {};
  int steps[kNumTypes] = {};
  int64_t total[kNumTypes][9] = {};

  void flush(int type) {
    for (uint64_t& packed : word[type]) {
      for (int c = 0; c < 9; c++) total[type][c] += int64_t(packed >> (7 * c) & 0x7F);
      packed = 0;
    }
    steps[type] = 0;
  }
};

MGNN_DECLARE_KERNELS(
    void scan_lower(const ScanJob& job);
    // ScanJob::below to the histograms of x's upper pairs, (size). The upper node
    // sees w as w does not see it: reversed.
    void store_below(const uint16_t* below, size_t size, PairHistogram* histograms);
    // above += below. If a sum reaches PairHistogram::kWide, nothing
    // changes and false is returned.
    bool add_histograms(PairHistogram* above, const PairHistogram* below, size_t count);
    // Counts the triangles of x, its lower neighbours v and what comes before x in the
    // rows of these.
    void count_types(const CountJob& job, TypeCounter& counter);)

}  // namespace mgnn
