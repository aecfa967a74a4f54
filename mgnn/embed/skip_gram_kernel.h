// One step of skip-gram with negative sampling.
#pragma once

#include <cstdint>

#include "mgnn/base/cpu.h"

namespace mgnn {

// Every input against every output; the first output is the observed token, the others are negative
// samples. Rows have `columns` numbers, a multiple of 16, those beyond the dimension zero.
struct SkipGramStep {
  float* const* input;
  int num_inputs;
  float* const* output;
  int num_outputs;
  int columns;
};

enum class SkipGramUpdate { inputs_only, inputs_and_outputs };

// Size of the gradients of a step, which the kernels fill eight at a time.
constexpr int64_t skip_gram_gradients_size(int64_t num_inputs, int64_t num_outputs) {
  return (num_inputs * num_outputs + 7) / 8 * 8 + 8;
}

// gradients:  g[i, k] = rate (label_k - sigmoid(input_i . output_k)),  label 1 for k = 0, else 0
// update:     input_i += Σ_k g[i, k] output_k,  output_k += Σ_i g[i, k] input_i
//             in the columns first .. last - 1 (multiples of 8), from the values before the step,
//             except for inputs that occur more than once.
MGNN_DECLARE_KERNELS(void skip_gram_gradients(const SkipGramStep& s, float rate, float* gradient);
                     void skip_gram_update(const SkipGramStep& s, const float* gradient, int first,
                                           int last, SkipGramUpdate which);)

}  // namespace mgnn
