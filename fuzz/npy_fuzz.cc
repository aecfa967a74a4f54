// NumPy arrays, and graphs made of them.
#include "mgnn/base/error.h"
#include "mgnn/io/numpy_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const mgnn::NumpyArray array = mgnn::parse_npy(bytes, "fuzz.npy");
    if (array.is_integer()) array.integers("fuzz.npy");
    if (array.is_text()) array.texts("fuzz.npy");
    if (!array.is_text()) array.floats("fuzz.npy");
    mgnn::parse_numpy_graph(bytes, "fuzz.npy");
  } catch (const mgnn::Error&) {
  }
  return 0;
}
