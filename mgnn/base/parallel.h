// Whether threads are worth starting, and what loops over parts of an array need.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <numeric>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/threads.h"
#include "mgnn/base/types.h"

namespace mgnn {

// Whether other programs want the cores, too: then threads seldom run at the same time, and those that
// are done wait for the others' turns.
bool cores_are_contested();

// Whether `work` elementary steps (about a nanosecond each) repay the start of threads.
inline bool worth_threads(int64_t work) {
  return work > 100'000 && num_threads() > 1 && (work > 20'000'000 || !cores_are_contested());
}

// Carries the first exception out of a parallel region, which none may leave by itself: whatever
// allocates in one goes through `run`. Once one is caught, `run` does nothing more, so that the loop
// ends early; and what a thread could not make for itself is never used. What interrupts the thread
// that makes this interrupts all that `run`.
class ParallelError {
 public:
  template <class Body>
  void run(Body&& body) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      interrupts_.with(body);
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
  const InterruptShare interrupts_;
};

// Item `part` of `parts` nearly equal ranges of 0..n-1 is [split_point(n, parts, part),
// split_point(n, parts, part + 1)).
inline int64_t split_point(int64_t n, int64_t parts, int64_t part) {
  return n / parts * part + std::min(n % parts, part);
}

// The first of 0..n, n included, with before(i) >= amount, where `before` ascends; n if none has.
template <class Before>
int64_t first_after(int64_t amount, int64_t n, Before&& before) {
  int64_t first = 0;
  while (first < n) {
    const int64_t middle = first + (n - first) / 2;
    if (int64_t(before(middle)) < amount)
      first = middle + 1;
    else
      n = middle;
  }
  return first;
}

// a[i] becomes a[0] + … + a[i].
template <class T>
void sum_up(T* a, int64_t n) {
  const int parts = worth_threads(n) ? num_threads() : 1;
  Array<T> before(size_t(parts), T(0));
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts - 1; part++)  // nothing comes after the last
    before[part + 1] =
        std::accumulate(a + split_point(n, parts, part), a + split_point(n, parts, part + 1), T(0));
  for (int part = 1; part < parts; part++) before[part] += before[part - 1];
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    T sum = before[part];
    for (int64_t i = split_point(n, parts, part); i < split_point(n, parts, part + 1); i++)
      a[i] = sum += a[i];
  }
}

}  // namespace mgnn
