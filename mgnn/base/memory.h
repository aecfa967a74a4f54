// How much memory this process has taken and may still take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mgnn {

int64_t peak_memory_bytes();      // maximum resident so far
int64_t resident_memory_bytes();  // resident now

// One thing that limits memory.
struct MemoryLimit {
  std::string source;     // "the system", "cgroup /jobs/7", "ulimit -v", "the limit that was set"
  int64_t available = 0;  // bytes that it still allows
  bool operator==(const MemoryLimit&) const = default;
};

// The limits of the control groups of this process, version 1 and 2: of its group and of all above it,
// less what they use, without file cache that the kernel can drop. `root` is prepended to /proc and
// /sys. Files that are missing or malformed limit nothing.
std::vector<MemoryLimit> cgroup_memory_limits(const std::string& root = "");

// All limits: of the system, of control groups, of the process (ulimit -v, -d), and of
// set_memory_limit. Those that limit nothing are left out.
std::vector<MemoryLimit> memory_limits();
// The tightest one. Costs some system calls, about 0.1 ms.
MemoryLimit tightest_memory_limit();
int64_t available_memory_bytes();

// The maximum of resident memory that estimates and readers heed; 0: no limit but those above.
void set_memory_limit(int64_t bytes);
int64_t memory_limit();

// Nodes that a graph file may merely claim to have, in a header: by default 4,194,304 (2^22), of which
// a graph needs 128 MiB. Nodes that its entries name are not limited.
void set_max_claimed_nodes(int64_t nodes);  // 0: the default
int64_t max_claimed_nodes();

// Throws Error (failed) that begins with `where` and ends with `advice` if `bytes` is more than the
// available memory. Small sizes are not checked, so that it can be called in a loop.
void check_memory(int64_t bytes, const std::string& where,
                  const std::string& advice = "use less data or a machine with more memory");

// Memory that work will take soon: until it is released, which is when it has been taken, it counts as
// taken for all other checks. Thread-safe.
class MemoryClaim {
 public:
  MemoryClaim() = default;
  MemoryClaim(const MemoryClaim&) = delete;
  MemoryClaim& operator=(const MemoryClaim&) = delete;
  ~MemoryClaim() { release(); }

  // Throws as check_memory. REQUIRES: nothing is claimed.
  void claim(int64_t bytes, const std::string& where, const std::string& advice);
  void release();

 private:
  int64_t bytes_ = 0;
};

}  // namespace mgnn
