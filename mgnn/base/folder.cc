#include "mgnn/base/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "mgnn/base/error.h"

namespace mgnn {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail("{}: cannot create: {}", path, error.message());
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
