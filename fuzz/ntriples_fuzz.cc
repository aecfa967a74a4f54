#include "fuzz/parse.h"
#include "mgnn/io/rdf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const std::vector<std::string> wanted = {"http://x/mass", "p"};
  return fuzz::parse_graph(
      data, size, [](std::string_view text) { return parse_ntriples(text, "fuzz", wanted); });
}
