#include "mgnn/base/folder.h"

#include <filesystem>

#include "mgnn/base/error.h"

namespace mgnn {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail("{}: cannot create: {}", path, error.message());
}

}  // namespace mgnn
