// Arrays in memory that belongs to somebody else.
#pragma once

#include <functional>

#include "mgnn/base/types.h"

namespace mgnn {

// Offers memory to the next Array of that size that this thread makes, while it lives.
class BorrowedMemory {
 public:
  BorrowedMemory(const void* memory, size_t bytes, std::function<void()> release);
  ~BorrowedMemory();
  BorrowedMemory(const BorrowedMemory&) = delete;
  BorrowedMemory& operator=(const BorrowedMemory&) = delete;

 private:
  friend void* take_borrowed(size_t bytes) noexcept;
  const void* const memory_;
  const size_t bytes_;
  bool is_taken_ = false;
};

// The `count` values as an array, without a copy; a copy of the array is one of the values. Nobody may
// write to it. `release` is called once, by any thread, when the array goes.
template <class T>
Array<T> borrowed_array(const T* values, size_t count, std::function<void()> release) {
  const BorrowedMemory offer(values, count * sizeof(T), std::move(release));
  return Array<T>(count);
}

}  // namespace mgnn
