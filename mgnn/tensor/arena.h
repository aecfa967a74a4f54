// Memory for one training step: taken piece by piece, given back all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mgnn {

// After a first step has shown how much is needed, later steps of at most that size allocate
// nothing. Not safe for several threads at once.
class Arena {
 public:
  static constexpr size_t kAlignment = 64;

  // `count` uninitialised elements, aligned to a cache line; never null. They live until reset().
  template <class T>
  T* array(int64_t count) {
    return static_cast<T*>(take(size_t(count) * sizeof(T)));
  }
  void* take(size_t bytes);

  // Gives everything back. Several blocks become one of their whole size.
  void reset();

  size_t capacity() const;  // bytes held

 private:
  struct Free {
    void operator()(std::byte* block) const;
  };
  struct Block {
    std::unique_ptr<std::byte[], Free> data;
    size_t size;
  };
  void add_block(size_t bytes);

  std::vector<Block> blocks_;
  size_t used_ = 0;  // of the last block
};

}  // namespace mgnn
