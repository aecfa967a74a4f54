#include "mgnn/serve/workers.h"

#include "mgnn/base/threads.h"

namespace mgnn {

Workers::Workers(size_t threads, size_t max_waiting) : max_waiting_(max_waiting) {
  for (size_t i = 0; i < threads; i++) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Workers::offer(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= max_waiting_) return false;
    queue_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Workers::work() {
  const ThreadScope one(1);
  for (;;) {
    std::function<void()> next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (ending_) return;
      next = std::move(queue_.front());
      queue_.pop_front();
    }
    next();
  }
}

}  // namespace mgnn
