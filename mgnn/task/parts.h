// Items of a training in batches.
#pragma once

#include <span>

#include "mgnn/base/parallel.h"

namespace mgnn {

// Nearly equal parts of at most `size`: a last batch of a few items would have poor statistics.
class Parts {
 public:
  Parts(std::span<const NodeId> items, int64_t size)
      : items_(items), count_((int64_t(items.size()) + size - 1) / size) {}
  int64_t count() const { return count_; }
  int64_t start(int64_t i) const { return split_point(int64_t(items_.size()), count_, i); }
  std::span<const NodeId> operator[](int64_t i) const {
    return items_.subspan(size_t(start(i)), size_t(start(i + 1) - start(i)));
  }

 private:
  std::span<const NodeId> items_;
  int64_t count_;
};

}  // namespace mgnn
