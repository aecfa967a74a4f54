#include "mgnn/base/memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <mutex>
#include <string_view>
#include <utility>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

std::atomic<int64_t> chosen_limit = 0, chosen_nodes = 0, claimed_bytes = 0;

// The number behind `key` in lines such as "key 123" or "key: 123 kB"; of the whole file if `key` is
// empty. The word "max", nothing and all else are `otherwise`.
int64_t number_in_file(const std::string& path, std::string_view key, int64_t otherwise) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::string_view rest = line, field;
    if (!key.empty() && (!next_field(rest, ' ', field) || field != key)) continue;
    int64_t value;
    if (!next_field(rest, ' ', field) || !parse_number(field, value) || value < 0) return otherwise;
    return value;
  }
  return otherwise;
}

// What differs between the versions of control groups.
struct CgroupFiles {
  std::string mount;
  const char *limit, *usage;
  std::vector<const char*> reclaimable;  // keys of memory.stat
};

// Of one group; kUnlimited if it has no limit.
int64_t available_in_group(const std::string& folder, const CgroupFiles& files) {
  constexpr int64_t kNoLimit = int64_t(1) << 60;  // version 1 writes "none" as a huge number
  const int64_t limit = number_in_file(folder + "/" + files.limit, "", kUnlimited);
  if (limit >= kNoLimit) return kUnlimited;
  int64_t used = number_in_file(folder + "/" + files.usage, "", 0);
  for (const char* key : files.reclaimable)
    used -= std::min(used, number_in_file(folder + "/memory.stat", key, 0));
  return std::max<int64_t>(limit - used, 0);
}

// Of the group `path` and those above it. Inside a container the path may be that of the host, of
// which only a part, or nothing but the root, is there.
void add_groups(std::string path, const CgroupFiles& files, std::vector<MemoryLimit>& limits) {
  while (true) {
    while (path.ends_with('/')) path.pop_back();
    const int64_t available = available_in_group(files.mount + path, files);
    if (available != kUnlimited)
      limits.push_back({"cgroup " + (path.empty() ? "/" : path), available});
    if (path.empty()) return;
    path.erase(path.rfind('/'));
  }
}

bool names_memory(std::string_view controllers) {
  std::string_view name;
  while (next_field(controllers, ',', name))
    if (name == "memory") return true;
  return false;
}

int64_t pages_in_statm(int field) {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0;
  for (int i = 0; i <= field; i++)
    if (!(statm >> pages)) return 0;
  return pages * sysconf(_SC_PAGESIZE);
}

// `ulimit` of a resource of which `used` bytes are taken.
void add_process_limit(const char* name, __rlimit_resource resource, int statm_field,
                       std::vector<MemoryLimit>& limits) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= rlim_t(kUnlimited)) return;
  limits.push_back(
      {name, std::max<int64_t>(int64_t(limit.rlim_cur) - pages_in_statm(statm_field), 0)});
}

}  // namespace

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

int64_t resident_memory_bytes() { return pages_in_statm(1); }

std::vector<MemoryLimit> cgroup_memory_limits(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  const std::vector<const char*> cache = {"inactive_file", "active_file", "slab_reclaimable"};
  const std::vector<const char*> cache_1 = {"total_inactive_file", "total_active_file"};
  std::vector<MemoryLimit> limits;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // hierarchy:controllers:path
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (!path.starts_with('/') || path.find("/..") != path.npos)
      path = "/";  // outside the namespace
    if (names_memory(controllers)) {
      add_groups(path,
                 {mount + "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", cache_1},
                 limits);
    } else if (controllers.empty()) {
      add_groups(path, {mount, "memory.max", "memory.current", cache}, limits);
      add_groups(path, {mount + "/unified", "memory.max", "memory.current", cache}, limits);
    }
  }
  return limits;
}

std::vector<MemoryLimit> memory_limits() {
  std::vector<MemoryLimit> limits;
  const int64_t kib = number_in_file("/proc/meminfo", "MemAvailable:", kUnlimited);
  if (kib != kUnlimited) limits.push_back({"the system", kib * 1024});
  for (MemoryLimit& limit : cgroup_memory_limits()) limits.push_back(std::move(limit));
  add_process_limit("ulimit -v", RLIMIT_AS, 0, limits);
  add_process_limit("ulimit -d", RLIMIT_DATA, 5, limits);
  if (const int64_t chosen = memory_limit())
    limits.push_back(
        {"the limit that was set", std::max<int64_t>(chosen - resident_memory_bytes(), 0)});
  return limits;
}

MemoryLimit tightest_memory_limit() {
  MemoryLimit tightest{"the system", kUnlimited};
  for (MemoryLimit& limit : memory_limits())
    if (limit.available < tightest.available) tightest = std::move(limit);
  return tightest;
}

int64_t available_memory_bytes() { return tightest_memory_limit().available; }

void set_memory_limit(int64_t bytes) { chosen_limit = std::max<int64_t>(bytes, 0); }

int64_t memory_limit() { return chosen_limit; }

void set_max_claimed_nodes(int64_t nodes) { chosen_nodes = std::max<int64_t>(nodes, 0); }

int64_t max_claimed_nodes() {
  constexpr int64_t kDefault = 1 << 22;
  const int64_t chosen = chosen_nodes;
  return chosen > 0 ? chosen : kDefault;
}

static MemoryLimit unclaimed_memory() {
  MemoryLimit limit = tightest_memory_limit();
  limit.available = std::max<int64_t>(limit.available - claimed_bytes, 0);
  return limit;
}

void check_memory(int64_t bytes, const std::string& where, const std::string& advice) {
  const int64_t chosen = memory_limit();
  const int64_t small = chosen > 0 ? std::min<int64_t>(chosen / 16, 64 << 20) : 64 << 20;
  if (bytes <= small) return;
  MemoryLimit limit = unclaimed_memory();
  if (bytes > limit.available) {
    malloc_trim(0);  // what was freed may not have been given back yet
    limit = unclaimed_memory();
  }
  if (bytes > limit.available)
    fail("{}: needs {} of memory, but there is {} (by {}); {}", where, human_bytes(bytes),
         human_bytes(limit.available), limit.source, advice);
}

void MemoryClaim::claim(int64_t bytes, const std::string& where, const std::string& advice) {
  static std::mutex mutex;  // of two claims at the same time one is the first
  const std::lock_guard lock(mutex);
  check_memory(bytes, where, advice);
  bytes_ = bytes;
  claimed_bytes += bytes;
}

void MemoryClaim::release() { claimed_bytes -= std::exchange(bytes_, 0); }

}  // namespace mgnn
