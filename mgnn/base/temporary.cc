// Two signs say that an owner is gone: there is no process of its number, and nobody has a lock. The
// number alone would not do for processes of other machines or containers, nor the lock for the
// moment between making and locking a file.

#include "mgnn/base/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>

namespace mgnn {
namespace {

constexpr std::string_view kMark = ".mgnn-", kEnding = ".tmp";

struct OpenDescriptor {
  int fd;
  ~OpenDescriptor() {
    if (fd >= 0) close(fd);
  }
};

// The process that a temporary name belongs to; 0: it is not one of ours, or not of `name`.
pid_t owner_of(std::string_view temporary, std::string_view name) {
  const size_t at = temporary.rfind(kMark);
  if (at == std::string_view::npos || at == 0 || !temporary.ends_with(kEnding)) return 0;
  if (!name.empty() && temporary.substr(0, at) != name) return 0;
  const char* const end = temporary.data() + temporary.size() - kEnding.size();
  pid_t process = 0;
  const char* first = temporary.data() + at + kMark.size();
  auto [next, problem] = std::from_chars(first, end, process);
  if (problem != std::errc() || process <= 0) return 0;
  if (next == end) return process;
  int attempt = 0;
  if (*next != '-') return 0;
  const auto [last, wrong] = std::from_chars(next + 1, end, attempt);
  return wrong == std::errc() && last == end ? process : 0;
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

bool is_unlocked_file(int fd) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

void sweep(const std::string& path) {
  const OpenDescriptor item{open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  struct stat status {};
  if (item.fd < 0 || fstat(item.fd, &status) != 0) return;
  if (S_ISREG(status.st_mode) && is_unlocked_file(item.fd)) unlink(path.c_str());
  if (S_ISDIR(status.st_mode) && flock(item.fd, LOCK_EX | LOCK_NB) == 0) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
}

// Names that a signal handler can read, who takes no mutex: `used` is set last.
struct ListedName {
  std::atomic<bool> used = false;
  std::array<char, 4096> path = {};
};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<ListedName, 32> listed;  // more than are ever written at the same time
std::mutex listed_mutex;

}  // namespace

std::string temporary_name(const std::string& path, int attempt) {
  const std::string number = attempt == 0 ? "" : fmt::format("-{}", attempt);
  return fmt::format("{}{}{}{}{}", path, kMark, getpid(), number, kEnding);
}

void sweep_temporaries(const std::string& folder, const std::string& name) {
  const std::string where = folder.empty() ? "." : folder;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(where.c_str()), closedir);
  if (!entries) return;
  while (const dirent* entry = readdir(entries.get())) {
    const pid_t owner = owner_of(entry->d_name, name);
    if (owner > 0 && is_gone(owner)) sweep(where + "/" + entry->d_name);
  }
}

void lock_temporary_file(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  fcntl(descriptor, F_OFD_SETLK, &lock);
}

void list_temporary(const std::string& path) {
  const std::lock_guard lock(listed_mutex);
  for (ListedName& entry : listed) {
    if (entry.used || path.size() >= entry.path.size()) continue;
    std::memcpy(entry.path.data(), path.c_str(), path.size() + 1);
    entry.used = true;
    return;
  }
}

void unlist_temporary(const std::string& path) {
  const std::lock_guard lock(listed_mutex);
  for (ListedName& entry : listed)
    if (entry.used && path == entry.path.data()) entry.used = false;
}

void remove_listed_temporaries() {
  for (const ListedName& entry : listed)
    if (entry.used) unlink(entry.path.data());
}

}  // namespace mgnn
