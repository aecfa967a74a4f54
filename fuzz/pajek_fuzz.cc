#include "fuzz/parse.h"
#include "mgnn/io/pajek.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  return fuzz::parse_graph(data, size,
                           [](std::string_view text) { return parse_pajek(text, "fuzz"); });
}
