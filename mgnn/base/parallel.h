// How many threads, and whether they are worth starting.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "mgnn/base/types.h"

namespace mgnn {

// Threads that a parallel region starts: set_num_threads, else OMP_NUM_THREADS, else the cores
// that this process may use. Results never depend on it.
int num_threads();
void set_num_threads(int threads);  // 0: back to the default

// Whether `work` elementary steps (about a nanosecond each) repay the start of threads.
inline bool worth_threads(int64_t work) { return work > 100'000 && num_threads() > 1; }

// Carries the first exception out of a parallel region, which none may leave by itself. Once one
// is caught, `run` does nothing more, so that the loop ends early.
class ParallelError {
 public:
  template <class Body>
  void run(Body&& body) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      body();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  // After the region.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

// Item `part` of `parts` nearly equal ranges of 0..n-1 is [split_point(n, parts, part),
// split_point(n, parts, part + 1)).
inline int64_t split_point(int64_t n, int64_t parts, int64_t part) {
  return n / parts * part + std::min(n % parts, part);
}

}  // namespace mgnn
