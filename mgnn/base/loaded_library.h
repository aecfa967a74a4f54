// A shared library that is loaded when it is first used, so that programs which never use it need not
// have it.
#pragma once

#include <string>

namespace mgnn {

class LoadedLibrary {
 public:
  // `file`: as the system looks for it ("librsvg-2.so.2"); `package`: who brings it, for messages.
  LoadedLibrary(std::string file, std::string package);

  bool is_there() const { return handle_ != nullptr; }
  // The function of that name. Throws Error (failed) if the library is not there or has none.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  const std::string file_, package_;
  std::string problem_;  // why it is not there
  void* handle_ = nullptr;
};

}  // namespace mgnn
