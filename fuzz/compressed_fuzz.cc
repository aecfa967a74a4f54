#include "mgnn/base/error.h"
#include "mgnn/io/compressed.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  const char* const text = reinterpret_cast<const char*>(data);
  try {
    if (is_compressed({text, size}))
      unpack({text, size}, "fuzz", {.harmless = 1 << 18, .ratio = 50});
  } catch (const Error&) {
  }
  return 0;
}
