#include "mgnn/base/large_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace mgnn {
namespace {

constexpr uintptr_t kPage = uintptr_t(2) << 20;

uintptr_t rounded_up(uintptr_t value) { return (value + kPage - 1) & ~(kPage - 1); }

}  // namespace

void prefer_large_pages(void* memory, size_t bytes) {
  const uintptr_t begin = rounded_up(reinterpret_cast<uintptr_t>(memory));
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) & ~(kPage - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void* allocate_large_pages(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kPage, bytes) != 0) throw std::bad_alloc();
  prefer_large_pages(memory, bytes);  // the rest that does not fill a page stays on small ones
  return memory;
}

void free_large_pages(void* memory) noexcept { std::free(memory); }

}  // namespace mgnn
