// The number types and the array that all rooms share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgnn {

using NodeId = int32_t;  // a node, 0..n-1
using Offset = int64_t;  // a position among arcs, or a count of them

// How many arrays are in borrowed memory, or about to be: see base/borrowed.h, where these are.
extern std::atomic<int64_t> borrowed_arrays;
void* take_borrowed(size_t bytes) noexcept;  // what was offered for the next array, or null
bool give_back_borrowed(const void* memory) noexcept;  // false: it is not borrowed

// Leaves new elements of plain types uninitialised, so that a large array is first touched by the
// threads that fill it, and only once. Arrays begin at a cache line, as wide vectors like it.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  static constexpr std::align_val_t kLine{64};

  T* allocate(size_t n) {
    if (borrowed_arrays.load(std::memory_order_relaxed) != 0) [[unlikely]]
      if (void* const borrowed = take_borrowed(n * sizeof(T))) return static_cast<T*>(borrowed);
    return static_cast<T*>(::operator new(n * sizeof(T), kLine));
  }
  void deallocate(T* memory, size_t) noexcept {
    if (borrowed_arrays.load(std::memory_order_relaxed) != 0) [[unlikely]]
      if (give_back_borrowed(memory)) return;
    ::operator delete(memory, kLine);
  }
  template <class U>
  void construct(U* p) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
};

// A std::vector whose `Array<T>(n)` and `resize(n)` do not zero plain types; `Array<T>(n, 0)` does.
template <class T>
using Array = std::vector<T, UninitialisedAllocator<T>>;

}  // namespace mgnn
