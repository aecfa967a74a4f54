// Which instruction sets this machine has, for kernels that are compiled more than once.
#pragma once

namespace mgnn {

// AVX2, FMA and BMI2, unless MGNN_ISA=generic is set in the environment. Asked once.
bool cpu_has_avx2();

// Calls `function` of namespace avx2 or generic: MGNN_DISPATCH(sum_rows, matrix, out).
#define MGNN_DISPATCH(function, ...) \
  (::mgnn::cpu_has_avx2() ? avx2::function(__VA_ARGS__) : generic::function(__VA_ARGS__))

}  // namespace mgnn
