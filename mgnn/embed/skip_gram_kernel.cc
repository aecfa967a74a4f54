// All inner products of a step at once, two inputs by up to six outputs in registers; then the
// sigmoids, eight at a time; then both updates, column by column, with the outputs and their
// increments in registers.

#include "mgnn/embed/skip_gram_kernel.h"

#include "mgnn/tensor/lanes.h"

namespace mgnn::MGNN_KERNEL {
namespace {

using V = Vec<float, 8>;

// dot[i, k] = input_i . output_k for `inputs` and `outputs` of them.
template <int inputs, int outputs>
inline void dots(float* const* input, float* const* output, int columns, float* dot, int stride) {
  V sum[inputs][8] = {};
  for (int c = 0; c < columns; c += 8) {
    V x[inputs];
    for (int i = 0; i < inputs; i++) x[i] = load<V>(input[i] + c);
    for (int k = 0; k < outputs; k++) {
      const V y = load<V>(output[k] + c);
      for (int i = 0; i < inputs; i++) sum[i][k] += x[i] * y;
    }
  }
  for (int i = 0; i < inputs; i++) {
    const V total = sums_of(sum[i]);
    for (int k = 0; k < outputs; k++) dot[i * stride + k] = total[k];
  }
}

template <int inputs>
inline void dots_of(const SkipGramStep& s, int i, int k, float* dot) {
  float* const* input = s.input + i;
  float* const* output = s.output + k;
  float* to = dot + i * s.num_outputs + k;
  const int stride = s.num_outputs;
  switch (s.num_outputs - k) {
    case 1:
      return dots<inputs, 1>(input, output, s.columns, to, stride);
    case 2:
      return dots<inputs, 2>(input, output, s.columns, to, stride);
    case 3:
      return dots<inputs, 3>(input, output, s.columns, to, stride);
    case 4:
      return dots<inputs, 4>(input, output, s.columns, to, stride);
    case 5:
      return dots<inputs, 5>(input, output, s.columns, to, stride);
    default:
      return dots<inputs, 6>(input, output, s.columns, to, stride);
  }
}

inline __attribute__((always_inline)) V sigmoid(V x) {
  const V e = exp_of_negative(x < 0.f ? x : -x);
  const V small = e / (1.f + e);
  return x < 0.f ? small : 1.f - small;
}

// Outputs k .. k + outputs - 1 in one sweep over the inputs.
template <int outputs, bool with_outputs>
inline void update(const SkipGramStep& s, int k, const float* gradient, int first, int last) {
  float* const* output = s.output + k;
  for (int c = first; c < last; c += 8) {
    V y[outputs], increment[outputs] = {};
    for (int j = 0; j < outputs; j++) y[j] = load<V>(output[j] + c);
    for (int i = 0; i < s.num_inputs; i++) {
      const float* g = gradient + i * s.num_outputs + k;
      const V x = load<V>(s.input[i] + c);
      V sum = x;
      for (int j = 0; j < outputs; j++) {
        sum += g[j] * y[j];
        if (with_outputs) increment[j] += g[j] * x;
      }
      store(s.input[i] + c, sum);
    }
    // One after the other: the same row may be there more than once.
    if (with_outputs)
      for (int j = 0; j < outputs; j++) store(output[j] + c, load<V>(output[j] + c) + increment[j]);
  }
}

template <bool with_outputs>
void update_all(const SkipGramStep& s, const float* gradient, int first, int last) {
  for (int k = 0; k < s.num_outputs; k += 6) switch (s.num_outputs - k) {
      case 1:
        update<1, with_outputs>(s, k, gradient, first, last);
        break;
      case 2:
        update<2, with_outputs>(s, k, gradient, first, last);
        break;
      case 3:
        update<3, with_outputs>(s, k, gradient, first, last);
        break;
      case 4:
        update<4, with_outputs>(s, k, gradient, first, last);
        break;
      case 5:
        update<5, with_outputs>(s, k, gradient, first, last);
        break;
      default:
        update<6, with_outputs>(s, k, gradient, first, last);
    }
}

}  // namespace

void skip_gram_gradients(const SkipGramStep& s, float rate, float* gradient) {
  const int count = s.num_inputs * s.num_outputs;
  int i = 0;
  for (; i + 2 <= s.num_inputs; i += 2)
    for (int k = 0; k < s.num_outputs; k += 6) dots_of<2>(s, i, k, gradient);
  if (i < s.num_inputs)
    for (int k = 0; k < s.num_outputs; k += 6) dots_of<1>(s, i, k, gradient);
  for (int e = count; e < (count + 7) / 8 * 8; e++) gradient[e] = 0;
  for (int e = 0; e < count; e += 8) store(gradient + e, -rate * sigmoid(load<V>(gradient + e)));
  for (i = 0; i < s.num_inputs; i++) gradient[i * s.num_outputs] += rate;
}

void skip_gram_update(const SkipGramStep& s, const float* gradient, int first, int last,
                      SkipGramUpdate which) {
  if (which == SkipGramUpdate::inputs_and_outputs)
    update_all<true>(s, gradient, first, last);
  else
    update_all<false>(s, gradient, first, last);
}

}  // namespace mgnn::MGNN_KERNEL
