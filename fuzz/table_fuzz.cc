#include "mgnn/base/error.h"
#include "mgnn/io/table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  const char* const text = reinterpret_cast<const char*>(data);
  try {
    const Table table = parse_table(FileBytes(Array<char>(text, text + size)), "fuzz");
    table.column("id");
  } catch (const Error&) {
  }
  return 0;
}
