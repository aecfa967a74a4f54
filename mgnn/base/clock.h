// Time and memory of this process.
#pragma once

#include <chrono>
#include <cstdint>

namespace mgnn {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int64_t peak_memory_bytes();       // maximum resident so far
int64_t available_memory_bytes();  // what the system can still give, within the cgroup's limit

}  // namespace mgnn
