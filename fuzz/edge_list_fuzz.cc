// The first byte chooses the options, the rest is the text.
#include "mgnn/base/error.h"
#include "mgnn/io/edge_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  if (size == 0) return 0;
  const int choice = data[0];
  EdgeListOptions options;
  options.ids = IdKind(choice % 3);
  options.header = HeaderLine(choice / 3 % 3);
  options.trim = choice / 9 % 2;
  options.separator = Separator("\0\t, "[choice / 18 % 4]);
  if (choice / 72 % 2) options.weight_column = "3";
  try {
    parse_edge_list({reinterpret_cast<const char*>(data) + 1, size - 1}, "fuzz", options);
  } catch (const Error&) {
  }
  return 0;
}
