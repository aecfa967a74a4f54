// safetensors files.
#include "mgnn/base/error.h"
#include "mgnn/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    mgnn::parse_safetensors({reinterpret_cast<const char*>(data), size}, "fuzz.safetensors");
  } catch (const mgnn::Error&) {
  }
  return 0;
}
