// From pair histograms and degrees to entries of motif matrices; compiled once per instruction set.
#pragma once

#include "mgnn/motif/pair_forms.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

struct ValueOutput {
  uint32_t* value;  // on the pattern's places
  int lane;
};

// PairForms::common with every coefficient twice, in each half of 32 bits.
struct PairedCoefficients {
  alignas(32) uint32_t common[kNumTypes][9][kLanes];
  explicit PairedCoefficients(const PairForms& forms) {
    for (size_t t = 0; t < kNumTypes; t++)
      for (size_t c = 0; c < 9; c++)
        for (size_t lane = 0; lane < kLanes; lane++)
          common[t][c][lane] = (forms.common[t][c][lane] & 0xFFFF) * 0x10001u;
  }
};

struct ValueJob {
  const PairForms* forms;
  const PairedCoefficients* coefficients;  // of the same forms
  const RankedPairs* pairs;
  const PairHistograms* histograms;
  const Csr* pattern;  // `connected`, or the same with diagonal places
  bool closed_lanes, open_lanes, open_lanes_need_common;
};

namespace generic {
// Rows first .. last - 1 of the pattern to every output.
void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs);
// Sums of these rows: (last - first, kLanes).
void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums);
}  // namespace generic
namespace avx2 {
void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs);
void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums);
}  // namespace avx2

}  // namespace mgnn
