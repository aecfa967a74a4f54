#include "mgnn/base/clock.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace mgnn {
namespace {

// A number in a file of the kernel's, or `otherwise` (the word "max" too).
int64_t number_in(const char* path, int64_t otherwise) {
  std::ifstream file(path);
  int64_t value;
  return file >> value ? value : otherwise;
}

}  // namespace

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

int64_t available_memory_bytes() {
  constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  int64_t available = kUnlimited;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    int64_t kib;
    if (key == "MemAvailable:" && meminfo >> kib) available = kib * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  const int64_t limit = number_in("/sys/fs/cgroup/memory.max", kUnlimited);
  const int64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return limit == kUnlimited ? available : std::min(available, std::max<int64_t>(limit - used, 0));
}

}  // namespace mgnn
