// Pickles, as each of the three things they can be.
#include "mgnn/base/error.h"
#include "mgnn/io/pickle.h"

namespace {

template <class Parse>
void attempt(Parse&& parse) {
  try {
    parse();
  } catch (const mgnn::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { mgnn::parse_pickled_adjacency(bytes, "fuzz"); });
  attempt([&] { mgnn::parse_pickled_csr_matrix(bytes, "fuzz"); });
  attempt([&] { mgnn::parse_pickled_array(bytes, "fuzz").floats("fuzz"); });
  return 0;
}
