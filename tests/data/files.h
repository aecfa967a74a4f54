// Folders of small files, and what is said of broken ones.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "mgnn/data/dataset.h"
#include "tests/util.h"

namespace mgnn::testing {

using Files = std::map<std::string, std::string>;  // content by name

inline void write_files(const TempDir& dir, const Files& files) {
  for (const auto& [name, content] : files) dir.file(name, content);
}

// The error of loading `files` after one of them was replaced, without the folder's name.
inline std::string error_with(Files files, const std::string& name, const std::string& content,
                              Dataset (*load)(const std::string&)) {
  const TempDir dir;
  files[name] = content;
  write_files(dir, files);
  if (content == "(none)") std::filesystem::remove(dir / name);
  std::string error = error_of([&] { load(dir.path()); });
  for (size_t at; (at = error.find(dir.path())) != std::string::npos;)
    error.replace(at, dir.path().size(), "D");
  return error;
}

}  // namespace mgnn::testing
