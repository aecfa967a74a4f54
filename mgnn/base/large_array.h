// Arrays that are read or written in random order: on large pages, without which most of the time
// goes to address translation.
#pragma once

#include <cstddef>

#include "mgnn/base/types.h"

namespace mgnn {

// Asks the system for large pages under memory that was not touched yet.
void prefer_large_pages(void* memory, size_t bytes);

// Memory aligned to large pages. Throws std::bad_alloc.
void* allocate_large_pages(size_t bytes);
void free_large_pages(void* memory) noexcept;

template <class T>
struct LargePageAllocator : UninitialisedAllocator<T> {
  template <class U>
  struct rebind {
    using other = LargePageAllocator<U>;
  };
  static constexpr size_t kMinLargeBytes = size_t(4) << 20;  // below it, the usual memory

  T* allocate(size_t n) {
    if (n * sizeof(T) < kMinLargeBytes) return UninitialisedAllocator<T>::allocate(n);
    return static_cast<T*>(allocate_large_pages(n * sizeof(T)));
  }
  void deallocate(T* memory, size_t n) noexcept {
    if (n * sizeof(T) < kMinLargeBytes)
      UninitialisedAllocator<T>::deallocate(memory, n);
    else
      free_large_pages(memory);
  }
};

template <class T>
using LargeArray = std::vector<T, LargePageAllocator<T>>;

}  // namespace mgnn
