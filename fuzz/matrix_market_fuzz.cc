#include "mgnn/base/error.h"
#include "mgnn/io/matrix_market.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  const char* const text = reinterpret_cast<const char*>(data);
  try {
    parse_matrix_market({text, size}, "fuzz");
  } catch (const Error&) {
  }
  return 0;
}
