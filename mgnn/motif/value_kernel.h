// From pair histograms and degrees to entries of motif matrices; compiled once per instruction set.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/motif/pair_forms.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

struct ValueOutput {
  uint32_t* value;  // on the pattern's places
  int lane;
};

// PairForms::common, two cells of a histogram in the halves of 32 bits; [1] is for histograms that
// are to be transposed. The last step has one cell only.
struct PairedCoefficients {
  static constexpr int kSteps = 5;
  alignas(32) uint32_t common[2][kNumTypes][kSteps][kLanes];
  explicit PairedCoefficients(const PairForms& forms) {
    for (size_t t = 0; t < kNumTypes; t++)
      for (size_t step = 0; step < kSteps; step++)
        for (size_t lane = 0; lane < kLanes; lane++)
          for (size_t transposed = 0; transposed < 2; transposed++) {
            const auto coefficient = [&](size_t c) -> uint32_t {
              if (c == 9) return 0;
              return forms.common[t][transposed ? c % 3 * 3 + c / 3 : c][lane] & 0xFFFF;
            };
            common[transposed][t][step][lane] = coefficient(2 * step) | coefficient(2 * step + 1)
                                                                            << 16;
          }
  }
};

struct ValueJob {
  const PairForms* forms;
  const PairedCoefficients* coefficients;  // of the same forms
  const RankedPairs* pairs;
  const PairHistograms* histograms;
  const Csr* pattern;  // `connected`, or the same with diagonal places
  bool closed_lanes, open_lanes, open_lanes_need_common;
  bool stream = false;  // values go past the cache: for more than it holds
};

MGNN_DECLARE_KERNELS(
    // Rows first .. last - 1 of the pattern to every output.
    void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                      int num_outputs);)

}  // namespace mgnn
