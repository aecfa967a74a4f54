#include "mgnn/base/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "mgnn/base/error.h"

namespace mgnn {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail("{}: cannot create: {}", path, error.message());
}

void swap_folder(const std::string& temporary, const std::string& path) {
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != ENOENT && errno != EINVAL && errno != ENOSYS)
    fail("{}: cannot be replaced: {}; the older folder is kept", path, std::strerror(errno));
  // There is none yet, or the file system cannot exchange names.
  const std::string older = temporary + ".old";
  const bool replaces = std::rename(path.c_str(), older.c_str()) == 0;
  if (!replaces && errno != ENOENT)
    fail("{}: cannot be replaced: {}; the older folder is kept", path, std::strerror(errno));
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    if (replaces) std::rename(older.c_str(), path.c_str());
    fail("{}: cannot write: {}", path, std::strerror(reason));
  }
  if (replaces) std::rename(older.c_str(), temporary.c_str());
}

std::shared_ptr<const void> lock_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return nullptr;
  const bool taken = flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (taken) {
    close(folder);
    fail_usage("{}: another process is writing to it", path);
  }
  return std::shared_ptr<const void>(nullptr, [folder](const void*) { close(folder); });
}

}  // namespace mgnn
