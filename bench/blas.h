// The opponent's BLAS at its best.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace mgnn::bench {

// An OpenBLAS older than the processor takes it for a Prescott, without AVX: the program then
// begins again with the kernels that the processor has. Call it first.
inline void let_blas_use_this_processor(char** argv) {
  const auto core = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (!core || std::string_view(core()) != "Prescott" || std::getenv("OPENBLAS_CORETYPE")) return;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  if (!wide && !__builtin_cpu_supports("avx2")) return;
  setenv("OPENBLAS_CORETYPE", wide ? "SkylakeX" : "Haswell", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace mgnn::bench
