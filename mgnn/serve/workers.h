// A bounded queue of work, and threads that do it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mgnn {

class Workers {
 public:
  // Each works with one OpenMP thread.
  Workers(size_t threads, size_t max_waiting);
  ~Workers();  // what waits is dropped, what is being done is waited for

  // False if too many wait already.
  bool offer(std::function<void()> work);
  size_t waiting() const;
  size_t count() const { return threads_.size(); }

 private:
  void work();

  const size_t max_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mgnn
