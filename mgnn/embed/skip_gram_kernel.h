// One step of skip-gram with negative sampling.
#pragma once

#include <cstdint>

#include "mgnn/base/cpu.h"

namespace mgnn {

// Every input against every output; the first output is the one that was seen, the others are
// noise. Rows have `columns` numbers, a multiple of 16, those beyond the dimension zero.
struct SkipGramStep {
  float* const* input;
  int num_inputs;
  float* const* output;
  int num_outputs;
  int columns;
};

// Room for the slopes of a step, which the kernels fill eight at a time.
constexpr int64_t skip_gram_slopes_size(int64_t num_inputs, int64_t num_outputs) {
  return (num_inputs * num_outputs + 7) / 8 * 8 + 8;
}

// slopes:  slope[i, k] = rate (seen - sigmoid(input_i . output_k)),  seen 1 for k = 0, else 0
// update:  input_i += Σ_k slope[i, k] output_k,  output_k += Σ_i slope[i, k] input_i
//          in the columns first .. last - 1 (multiples of 8); with the values of before, but for
//          inputs that occur more than once. Outputs stay as they are unless `outputs_learn`.
MGNN_DECLARE_KERNELS(void skip_gram_slopes(const SkipGramStep& s, float rate, float* slope);
                     void skip_gram_update(const SkipGramStep& s, const float* slope, int first,
                                           int last, bool outputs_learn);)

}  // namespace mgnn
