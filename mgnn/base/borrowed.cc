#include "mgnn/base/borrowed.h"

#include <mutex>
#include <unordered_map>

namespace mgnn {
namespace {

struct Owners {
  std::mutex mutex;
  // Of arrays that are there. Several in the same memory need not be told apart: it is there until the
  // last of them has been released.
  std::unordered_multimap<const void*, std::function<void()>> release;
};
Owners& owners() {
  static auto* const all = new Owners;  // arrays may go after static objects
  return *all;
}

thread_local BorrowedMemory* current_offer = nullptr;

}  // namespace

std::atomic<int64_t> borrowed_arrays = 0;

BorrowedMemory::BorrowedMemory(const void* memory, size_t bytes, std::function<void()> release)
    : memory_(memory), bytes_(bytes) {
  const std::lock_guard lock(owners().mutex);
  owners().release.emplace(memory, std::move(release));
  borrowed_arrays++;
  current_offer = this;
}

BorrowedMemory::~BorrowedMemory() {
  current_offer = nullptr;
  if (!is_taken_) give_back_borrowed(memory_);
}

void* take_borrowed(size_t bytes) noexcept {
  BorrowedMemory* const offer = current_offer;
  if (!offer || offer->is_taken_ || offer->bytes_ != bytes || bytes == 0) return nullptr;
  offer->is_taken_ = true;
  return const_cast<void*>(offer->memory_);
}

bool give_back_borrowed(const void* memory) noexcept {
  std::function<void()> release;
  {
    const std::lock_guard lock(owners().mutex);
    const auto found = owners().release.find(memory);
    if (found == owners().release.end()) return false;
    release = std::move(found->second);
    owners().release.erase(found);
    borrowed_arrays--;
  }
  if (release) release();
  return true;
}

}  // namespace mgnn
