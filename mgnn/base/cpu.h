// Which instruction sets this machine has, for kernels that are compiled once for each.
#pragma once

namespace mgnn {

// avx2: with FMA and BMI2. avx512: with the parts that came with Ice Lake and Zen 4, whose clocks
// do not fall when wide vectors are used.
enum class InstructionSet { generic, avx2, avx512 };

// The best that this machine has, or the lesser one that MGNN_ISA names in the environment. Asked
// once.
InstructionSet instruction_set();
const char* name_of(InstructionSet set);

// Declares functions of a kernel, once in the namespace of each set.
#define MGNN_DECLARE_KERNELS(...) \
  namespace generic {             \
  __VA_ARGS__                     \
  }                               \
  namespace avx2 {                \
  __VA_ARGS__                     \
  }                               \
  namespace avx512 {              \
  __VA_ARGS__                     \
  }

// Calls `function` of the set in use: MGNN_DISPATCH(sum_rows, matrix, out).
#define MGNN_DISPATCH(function, ...)                                                           \
  (::mgnn::instruction_set() == ::mgnn::InstructionSet::avx512 ? avx512::function(__VA_ARGS__) \
   : ::mgnn::instruction_set() == ::mgnn::InstructionSet::avx2 ? avx2::function(__VA_ARGS__)   \
                                                               : generic::function(__VA_ARGS__))

}  // namespace mgnn
