#include <algorithm>
#include <new>

#include "mgnn/base/large_array.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {
namespace {

constexpr size_t kFirstBlock = size_t(1) << 16;

size_t rounded_up(size_t bytes) {
  return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
}

}  // namespace

void Arena::Free::operator()(std::byte* block) const {
  ::operator delete[](block, std::align_val_t(kAlignment));
}

void Arena::add_block(size_t bytes) {
  auto* data = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(kAlignment)));
  prefer_large_pages(data, bytes);  // neighbours are read in any order
  blocks_.push_back({std::unique_ptr<std::byte[], Free>(data), bytes});
  used_ = 0;
}

void* Arena::take(size_t bytes) {
  bytes = rounded_up(std::max<size_t>(bytes, 1));
  if (blocks_.empty() || blocks_.back().size - used_ < bytes)
    add_block(std::max({bytes, capacity(), kFirstBlock}));
  std::byte* place = blocks_.back().data.get() + used_;
  used_ += bytes;
  return place;
}

void Arena::reset() {
  used_ = 0;
  if (blocks_.size() <= 1) return;
  const size_t whole = capacity();
  blocks_.clear();
  add_block(whole);
}

size_t Arena::capacity() const {
  size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

}  // namespace mgnn
