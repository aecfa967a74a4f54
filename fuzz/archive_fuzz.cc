// Archives of datasets: whatever they say, nothing appears outside of their folder.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/data/unpack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const fuzz::Scratch scratch;
  const std::string archive = scratch.write("archive", {reinterpret_cast<const char*>(data), size});
  try {
    unpack_archive(archive, scratch.path("folder"),
                   {.max_bytes = 1 << 20, .max_files = 20, .max_ratio = 200});
  } catch (const Error&) {
    if (std::filesystem::exists(scratch.path("folder"))) __builtin_trap();
  }
  scratch.remove("folder");
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path("")))
    if (entry.path().filename() != "archive") __builtin_trap();
  return 0;
}
