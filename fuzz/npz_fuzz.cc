// NumPy archives, and graphs made of them.
#include "mgnn/base/error.h"
#include "mgnn/io/numpy_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    mgnn::numpy_graph(mgnn::parse_npz({reinterpret_cast<const char*>(data), size}, "fuzz.npz"),
                      "fuzz.npz");
  } catch (const mgnn::Error&) {
  }
  return 0;
}
