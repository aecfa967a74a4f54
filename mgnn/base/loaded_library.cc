#include "mgnn/base/loaded_library.h"

#include <dlfcn.h>

#include "mgnn/base/error.h"

namespace mgnn {

// It stays loaded: what it started may run until the end.
LoadedLibrary::LoadedLibrary(std::string file, std::string package)
    : file_(std::move(file)), package_(std::move(package)) {
  handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) problem_ = dlerror();
}

void* LoadedLibrary::symbol(const char* name) const {
  if (!handle_) fail("{} cannot be loaded; install {} ({})", file_, package_, problem_);
  void* const found = dlsym(handle_, name);
  if (!found) fail("{} has no {}; install {} as of Debian", file_, name, package_);
  return found;
}

}  // namespace mgnn
