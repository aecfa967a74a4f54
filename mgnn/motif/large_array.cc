#include "mgnn/motif/large_array.h"

#include <sys/mman.h>

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
  const size_t size = rounded_up(bytes);
  void* const whole = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<uintptr_t>(whole);
  const uintptr_t begin = rounded_up(address);  // what is before and behind goes back
  if (begin > address) munmap(whole, begin - address);
  if (begin < address + kPage)
    munmap(reinterpret_cast<void*>(begin + size), address + kPage - begin);
  madvise(reinterpret_cast<void*>(begin), size, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(begin);
}

void free_large_pages(void* memory, size_t bytes) noexcept { munmap(memory, rounded_up(bytes)); }

}  // namespace mgnn
