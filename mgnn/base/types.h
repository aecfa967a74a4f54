// The number types and the array that all rooms share.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgnn {

using NodeId = int32_t;  // a node, 0..n-1
using Offset = int64_t;  // a position among arcs, or a count of them

// Leaves new elements of plain types uninitialised, so that a large array is first touched by the
// threads that fill it, and only once. Arrays begin at a cache line, as wide vectors like it.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  static constexpr std::align_val_t kLine{64};

  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* memory, size_t) noexcept { ::operator delete(memory, kLine); }
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
