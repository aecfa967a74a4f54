#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "mgnn/base/large_array.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {
namespace {

constexpr size_t kFirstBlock = size_t(1) << 16, kMetaBlock = size_t(1) << 20;

size_t rounded_up(size_t bytes) {
  return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
}

// Addresses that no limit but that of the address space counts; pages that are not written take nothing.
std::byte* map_addresses(size_t bytes) {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(place);
}

std::byte* allocate(size_t bytes, size_t alignment) {
  auto* data = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(alignment)));
  prefer_large_pages(data, bytes);  // neighbours are read in any order
  return data;
}

}  // namespace

void Arena::Free::operator()(std::byte* block) const {
  if (mapped > 0)
    munmap(block, mapped);
  else
    ::operator delete[](block, std::align_val_t(kAlignment));
}

void Arena::add_block(size_t bytes) {
  const bool meta = MetaScope::active();
  std::byte* const data = meta ? map_addresses(bytes) : allocate(bytes, kAlignment);
  std::unique_ptr<std::byte[], Free> block(data, Free{meta ? bytes : 0});
  blocks_.push_back({std::move(block), bytes});
  used_of_last_ = 0;
}

void* Arena::take(size_t bytes) {
  bytes = rounded_up(std::max<size_t>(bytes, 1));
  used_ += int64_t(bytes);
  if (blocks_.empty() || blocks_.back().size - used_of_last_ < bytes)
    add_block(MetaScope::active() ? std::max(bytes, kMetaBlock)
                                  : std::max({bytes, capacity(), kFirstBlock}));
  std::byte* place = blocks_.back().data.get() + used_of_last_;
  used_of_last_ += bytes;
  return place;
}

void Arena::reset() {
  used_ = 0;
  used_of_last_ = 0;
  if (blocks_.size() <= 1) return;
  const size_t whole = capacity();
  blocks_.clear();
  add_block(whole);
}

void Arena::reserve(int64_t bytes) {
  if (!blocks_.empty() || bytes <= 0) return;
  add_block(rounded_up(size_t(bytes)));
  // Written to, so that others who ask the system see it as taken.
  constexpr int64_t kPage = 4096;
  for (int64_t i = 0; i < bytes; i += kPage) blocks_.back().data[size_t(i)] = std::byte(0);
}

size_t Arena::capacity() const {
  size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

}  // namespace mgnn
