// A folder of this process, in memory, for what is read and written by its path.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace mgnn::fuzz {

inline void overwrite(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size())) std::abort();
  close(file);
}

class Scratch {
 public:
  Scratch() {
    setenv("TZ", "UTC0", 1);  // else every date in an archive asks for /etc/localtime
    for (const char* const parent : {"/dev/shm", "/tmp"}) {
      folder_ = std::string(parent) + "/mgnn-fuzz-XXXXXX";
      if (mkdtemp(folder_.data())) return;
    }
    std::abort();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, std::string_view bytes) const {
    overwrite(path(name), bytes);
    return path(name);
  }
  // A file that is only read: the same content again is there already.
  const std::string& input(const std::string& name, std::string_view bytes) {
    Written& file = inputs_[name];
    if (file.path.empty() || file.bytes != bytes) {
      file = {path(name), std::string(bytes)};
      overwrite(file.path, bytes);
    }
    return file.path;
  }
  void remove(const std::string& name) const { std::filesystem::remove_all(path(name)); }

 private:
  struct Written {
    std::string path, bytes;
  };
  std::string folder_;
  std::map<std::string, Written> inputs_;
};

}  // namespace mgnn::fuzz
