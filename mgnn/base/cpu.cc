#include "mgnn/base/cpu.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace mgnn {
namespace {

InstructionSet detect() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
  if (!avx2) return InstructionSet::generic;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vbmi2");
  return avx512 ? InstructionSet::avx512 : InstructionSet::avx2;
}

InstructionSet choose() {
  const InstructionSet best = detect();
  const char* const wanted = std::getenv("MGNN_ISA");
  for (const auto set : {InstructionSet::generic, InstructionSet::avx2})
    if (wanted && std::string_view(wanted) == name_of(set)) return std::min(set, best);
  return best;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet set = choose();
  return set;
}

const char* name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::generic:
      return "generic";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
  }
  return "";
}

}  // namespace mgnn
