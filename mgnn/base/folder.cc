#include "mgnn/base/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/temporary.h"

namespace mgnn {
namespace {

namespace fs = std::filesystem;

// "a/b/" and "a/b" -> "a"
fs::path folder_above(const std::string& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
}

// A folder that was not there, under a temporary name.
std::string make_temporary_folder(const std::string& target) {
  constexpr int kMaxNames = 1000;
  std::string name;
  for (int i = 0; i < kMaxNames; i++) {
    name = temporary_name(target, i);
    if (mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) break;
  }
  fail("{}: cannot be made: {}", name, std::strerror(errno));
}

[[noreturn]] void fail_to_replace(const std::string& path, int reason) {
  fail("{}: cannot be replaced: {}; the older folder is kept", path, std::strerror(reason));
}

}  // namespace

void make_folder(const std::string& path) {
  std::error_code error;
  const bool is_new = fs::create_directories(path, error);
  if (error) fail("{}: cannot create: {}", path, error.message());
  if (is_new && !sync_entry(path)) fail("{}: cannot create: {}", path, std::strerror(errno));
}

std::string make_new_folder(const std::string& path) {
  make_folder(folder_above(path).string());
  std::string name = path;
  for (int i = 2; mkdir(name.c_str(), 0777) != 0; i++) {
    if (errno != EEXIST) fail("{}: cannot create: {}", name, std::strerror(errno));
    name = fmt::format("{}-{}", path, i);
  }
  return name;
}

void check_folder_writable(const std::string& path) {
  fs::path nearest = fs::absolute(path).lexically_normal();
  if (!nearest.has_filename()) nearest = nearest.parent_path();
  while (!file_exists(nearest.string()) && nearest.has_relative_path())
    nearest = nearest.parent_path();
  if (!is_directory(nearest.string())) fail_usage("{}: is a file, not a folder", nearest.string());
  const AtomicFile attempt((nearest / ".mgnn-is-writable").string());
}

std::vector<std::string> names_in_folder(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(path.empty() ? "." : path.c_str()),
                                                    closedir);
  if (!entries && (errno == ENOENT || errno == ENOTDIR)) return names;
  errno = entries ? 0 : errno;
  while (entries) {
    const dirent* entry = readdir(entries.get());
    if (!entry) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) fail("{}: cannot be listed: {}", path, std::strerror(errno));
  std::sort(names.begin(), names.end());
  return names;
}

void remove_file(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    fail("{}: cannot be removed: {}", path, std::strerror(errno));
}

void replace_folder(const std::string& path,
                    const std::function<void(const std::string& folder)>& fill) {
  const fs::path above = folder_above(path);
  make_folder(above.string());
  const std::string target = path.ends_with("/") ? fs::path(path).parent_path().string() : path;
  sweep_temporaries(above.string(), fs::path(target).filename().string());
  const std::string temporary = make_temporary_folder(target);
  std::error_code problem;
  try {
    const std::shared_ptr<const void> lock = lock_folder(temporary);
    fill(temporary);
    swap_folder(temporary, target);
  } catch (...) {
    fs::remove_all(temporary, problem);
    throw;
  }
  if (file_exists(temporary)) fs::remove_all(temporary, problem);
  if (problem)
    fail("{}: is written, but the older folder is left as {}: {}", path, temporary,
         problem.message());
  if (!sync_entry(target))
    fail("{}: is written, but may be lost with the power: {}", path, std::strerror(errno));
}

void swap_folder(const std::string& temporary, const std::string& path) {
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != ENOENT && errno != EINVAL && errno != ENOSYS) fail_to_replace(path, errno);
  // There is none yet, or the file system cannot exchange names.
  const std::string older = temporary_name(path, 1000);
  const bool replaces = std::rename(path.c_str(), older.c_str()) == 0;
  if (!replaces && errno != ENOENT) fail_to_replace(path, errno);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    if (replaces && std::rename(older.c_str(), path.c_str()) != 0)
      fail("{}: cannot be replaced: {}; the older folder is now {}", path, std::strerror(reason),
           older);
    fail("{}: cannot write: {}", path, std::strerror(reason));
  }
  if (replaces && std::rename(older.c_str(), temporary.c_str()) != 0)
    fail("{}: is written, but the older folder is left as {}: {}", path, older,
         std::strerror(errno));
}

bool sync_entry(const std::string& path) {
  const int folder = open(folder_above(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno == EACCES;  // it need not be readable to be written to
  const bool synced = fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int reason = errno;
  close(folder);
  errno = reason;
  return synced;
}

std::shared_ptr<const void> lock_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("{}: cannot be opened: {}", path, std::strerror(errno));
  int reason = 0;
  do {
    reason = flock(folder, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  } while (reason == EINTR);
  if (reason == EWOULDBLOCK) {
    close(folder);
    fail_usage("{}: another process is writing to it", path);
  }
  return std::shared_ptr<const void>(nullptr, [folder](const void*) { close(folder); });
}

}  // namespace mgnn
