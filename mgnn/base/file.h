// Files as bytes: mapped or read whole on the way in, written beside and renamed on the way out.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "mgnn/base/types.h"

namespace mgnn {

// The content of a file, fixed. Either mapped into memory or owned.
class FileBytes {
 public:
  FileBytes() = default;
  explicit FileBytes(Array<char> owned)
      : owned_(std::move(owned)), view_(owned_.data(), owned_.size()) {}
  FileBytes(FileBytes&& other) noexcept { swap(other); }
  FileBytes& operator=(FileBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  ~FileBytes();

  std::string_view view() const { return view_; }
  size_t size() const { return view_.size(); }

 private:
  friend FileBytes map_file(const std::string& path);
  void swap(FileBytes& other) noexcept;

  Array<char> owned_;
  std::string_view view_;
  bool mapped_ = false;
};

// The bytes of a regular file, mapped; of a pipe, or of standard input for "-", read to its end.
// Throws Error (data) if opening fails or it is a folder.
FileBytes map_file(const std::string& path);

// A file that appears under its name only when complete: bytes go to a temporary name in the same
// folder, which no other file has, and `commit` syncs it, renames it and syncs the folder. Without
// `commit` the temporary file is removed and whatever stood under the name before stays. A file that
// is replaced hands on its permissions. A name that is a device or a pipe (/dev/null) is written to
// directly and never replaced.
class AtomicFile {
 public:
  // Throws Error if the folder is not writable, or if `path` exists and not `overwrite`.
  explicit AtomicFile(const std::string& path, bool overwrite = true);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  // For libraries that write files by themselves: they write to this name, then `commit`.
  const std::string& temporary_path() const { return temporary_; }
  void commit();

 private:
  void remove_temporary();
  [[noreturn]] void fail_to_write(int reason) const;

  std::string path_, temporary_;
  bool direct_;
  std::FILE* file_ = nullptr;
};

// Writes `bytes` to `path` by way of an AtomicFile; "-" is standard output.
void write_file(const std::string& path, std::string_view bytes, bool overwrite = true);

// Whether there is a file, folder or device of that name. These two throw Error (failed) if the
// system cannot say: a file that cannot be looked at is not one that is not there.
bool file_exists(const std::string& path);
bool is_directory(const std::string& path);
// Throws Error (usage) if `path` is the name of a file or folder that exists, unless `overwrite`. An
// empty path, "-" and devices pass.
void check_overwrite(const std::string& path, bool overwrite);
// The same, and throws Error if it is a folder, or the folder of the file is missing or not writable:
// what writing would say, for programs that would rather know before a long computation.
void check_writable(const std::string& path, bool overwrite);

}  // namespace mgnn
