#include "mgnn/base/cpu.h"

#include <cstdlib>
#include <string_view>

namespace mgnn {
namespace {

bool detect_avx2() {
  const char* isa = std::getenv("MGNN_ISA");
  if (isa && std::string_view(isa) == "generic") return false;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}

}  // namespace

bool cpu_has_avx2() {
  static const bool has = detect_avx2();
  return has;
}

}  // namespace mgnn
