// The record of checksums in a cache: anything in it is at worst forgotten, and never lets a changed file
// pass.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/data/registry.h"
#include "mgnn/data/verify.h"

namespace {

struct Cache : mgnn::fuzz::Scratch {
  Cache() {
    std::filesystem::create_directories(path("cache/set"));
    write("cache/set/file", "content");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const Cache cache;
  const std::string folder = cache.path("cache");
  fuzz::overwrite(sums_path(folder), {reinterpret_cast<const char*>(data), size});
  DatasetEntry entry;
  try {
    verify_files(entry, cache.path("cache/set"), folder);
    forget_sums(cache.path("cache/set"), folder);
  } catch (const Error&) {
  }
  return 0;
}
