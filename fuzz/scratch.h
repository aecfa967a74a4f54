// A folder of this process, in memory, for what is read and written by its path.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace mgnn::fuzz {

class Scratch {
 public:
  Scratch() {
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
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  void remove(const std::string& name) const { std::filesystem::remove_all(path(name)); }

 private:
  std::string folder_;
};

}  // namespace mgnn::fuzz
