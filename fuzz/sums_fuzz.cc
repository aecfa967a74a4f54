// The record of checksums in a cache: anything in it is at worst forgotten, and never lets a changed file
// pass.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/data/registry.h"
#include "mgnn/data/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const fuzz::Scratch scratch;
  std::filesystem::create_directories(scratch.path("cache/set"));
  scratch.write("cache/set/file", "content");
  std::ofstream(sums_path(scratch.path("cache")), std::ios::binary)
      << std::string_view(reinterpret_cast<const char*>(data), size);
  DatasetEntry entry;
  try {
    verify_files(entry, scratch.path("cache/set"), scratch.path("cache"));
    forget_sums(scratch.path("cache/set"), scratch.path("cache"));
  } catch (const Error&) {
  }
  return 0;
}
