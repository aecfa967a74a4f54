#include "mgnn/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "mgnn/base/error.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/mapping.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/temporary.h"

namespace mgnn {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd > STDERR_FILENO) close(fd);
  }
};

// Waits until there is something to read, or a signal asks to stop.
void wait_for_input(int fd) {
  pollfd input{fd, POLLIN, 0};
  while (poll(&input, 1, 100) <= 0) check_interrupted();
}

FileBytes read_to_end(int fd, const std::string& path) {
  Array<char> bytes;
  size_t used = 0;
  while (true) {
    if (bytes.size() - used < (1 << 16)) {
      const size_t capacity = std::max<size_t>(bytes.size() * 2, 1 << 17);
      check_memory(2 * int64_t(capacity), path,  // what is made of it needs as much
                   "give less, or the name of a file, which is not kept in memory");
      bytes.resize(capacity);
    }
    wait_for_input(fd);
    const ssize_t got = read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_data("{}: cannot read: {}", path, std::strerror(errno));
    if (got == 0) break;
    used += size_t(got);
  }
  bytes.resize(used);
  return FileBytes(std::move(bytes));
}

// Kind and permissions of what has that name; 0: nothing has.
mode_t mode_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return status.st_mode;
  // Nothing is below a file, and nothing has a name that is too long.
  if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
    fail("{}: cannot be looked at: {}", path, std::strerror(errno));
  return 0;
}

// Whether `path` is there and neither a file nor a folder.
bool is_device(const std::string& path) {
  const mode_t mode = mode_of(path);
  return mode != 0 && !S_ISREG(mode) && !S_ISDIR(mode);
}

// A new file beside `path`, never one that is there: a leftover, or a link that somebody has laid.
// It has the permissions of the file that it will replace. Null: errno says why.
std::FILE* open_beside(const std::string& path, std::string& name) {
  constexpr int kMaxNames = 1000;
  const mode_t replaced = mode_of(path) & 0777;
  int fd = -1;
  for (int i = 0; fd < 0 && i < kMaxNames; i++) {
    name = temporary_name(path, i);
    fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
              replaced ? replaced : 0666);
    if (fd < 0 && errno != EEXIST) return nullptr;
  }
  if (fd < 0) return nullptr;
  lock_temporary_file(fd);
  std::FILE* const file = replaced && fchmod(fd, replaced) != 0 ? nullptr : fdopen(fd, "wb");
  if (file) return file;
  const int reason = errno;
  close(fd);
  unlink(name.c_str());
  errno = reason;
  return nullptr;
}

}  // namespace

FileBytes::~FileBytes() {
  if (!mapped_) return;
  unlist_mapping(view_.data());
  munmap(const_cast<char*>(view_.data()), view_.size());
}

void FileBytes::swap(FileBytes& other) noexcept {
  std::swap(owned_, other.owned_);  // moves the buffer, so views into it stay valid
  std::swap(view_, other.view_);
  std::swap(mapped_, other.mapped_);
}

FileBytes map_file(const std::string& path) {
  if (path == "-") return read_to_end(STDIN_FILENO, "standard input");
  const Descriptor descriptor{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (descriptor.fd < 0) fail_data("{}: cannot open: {}", path, std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor.fd, &status) != 0) fail_data("{}: {}", path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_data("{}: is a folder, not a file", path);
  if (!S_ISREG(status.st_mode)) return read_to_end(descriptor.fd, path);
  FileBytes bytes;
  if (status.st_size == 0) return bytes;
  void* memory = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
  if (memory == MAP_FAILED) return read_to_end(descriptor.fd, path);
  madvise(memory, size_t(status.st_size), MADV_WILLNEED);
  bytes.view_ = {static_cast<const char*>(memory), size_t(status.st_size)};
  bytes.mapped_ = true;
  list_mapping(bytes.view_, path);
  return bytes;
}

AtomicFile::AtomicFile(const std::string& path, bool overwrite)
    : path_(path), direct_(is_device(path)) {
  if (is_directory(path)) fail_usage("{}: is a folder; name a file in it", path);
  check_overwrite(path, overwrite);
  temporary_ = path;
  file_ = direct_ ? std::fopen(path.c_str(), "wb") : open_beside(path, temporary_);
  if (!file_) fail_to_write(errno);
  if (direct_) return;
  list_temporary(temporary_);
  const std::filesystem::path name(path);
  sweep_temporaries(name.parent_path().string(), name.filename().string());
}

AtomicFile::~AtomicFile() { remove_temporary(); }

void AtomicFile::remove_temporary() {
  if (file_) std::fclose(file_);
  file_ = nullptr;
  if (!temporary_.empty() && !direct_) {
    unlink(temporary_.c_str());
    unlist_temporary(temporary_);
  }
  temporary_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  if (bytes.empty()) return;  // fwrite may not be given a null pointer
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail_to_write(errno);
}

void AtomicFile::fail_to_write(int reason) const {
  const bool kept = !direct_ && access(path_.c_str(), F_OK) == 0;
  fail("{}: cannot write: {}{}", path_, std::strerror(reason),
       kept ? "; the older file is kept" : "");
}

void AtomicFile::commit() {
  const bool written = std::fflush(file_) == 0 && (direct_ || fsync(fileno(file_)) == 0);
  const int reason = errno;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!written) fail_to_write(reason);
  if (!closed) fail_to_write(errno);
  if (direct_) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail_to_write(errno);
  unlist_temporary(temporary_);
  temporary_.clear();
  if (!sync_entry(path_))
    fail("{}: is written, but may be lost with the power: {}", path_, std::strerror(errno));
}

void write_file(const std::string& path, std::string_view bytes, bool overwrite) {
  if (path == "-") {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout))
      fail("standard output: cannot write: {}", std::strerror(errno));
    return;
  }
  AtomicFile file(path, overwrite);
  file.write(bytes);
  file.commit();
}

bool file_exists(const std::string& path) { return mode_of(path) != 0; }

bool is_directory(const std::string& path) { return S_ISDIR(mode_of(path)); }

void check_overwrite(const std::string& path, bool overwrite) {
  if (!overwrite && !path.empty() && path != "-" && !is_device(path) && file_exists(path))
    fail_usage(Hint::overwrite, "{}: exists already", path);
}

void check_writable(const std::string& path, bool overwrite) {
  check_overwrite(path, overwrite);
  if (path.empty() || path == "-" || is_device(path)) return;
  const AtomicFile attempt(path);
}

}  // namespace mgnn
