// Small things that many tests need.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"

namespace mgnn::testing {

// A folder that is gone after the test.
class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mgnn-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // Writes `content` to a file in the folder and gives its path.
  std::string file(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories(std::filesystem::path(*this / name).parent_path());
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  return std::string(map_file(path).view());
}

// The folder of real datasets, or "" where it is absent: MGNN_DATA_DIR, else ../shared/data.
inline std::string data_dir() {
  const char* given = std::getenv("MGNN_DATA_DIR");
  const std::string path = given ? given : std::string(MGNN_SOURCE_DIR) + "/../shared/data";
  return std::filesystem::is_directory(path) ? path : "";
}
#define MGNN_NEEDS_DATA()                  \
  if (::mgnn::testing::data_dir().empty()) \
  GTEST_SKIP() << "no real datasets here: set MGNN_DATA_DIR to their folder"

// The message of the Error that `action` throws, or "" if it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Every arc with the same probability.
inline Graph random_graph(NodeId nodes, double density, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < nodes; v++)
      if (u != v && rng.chance(density)) edges.push_back({u, v});
  return make_graph(nodes, std::move(edges));
}

}  // namespace mgnn::testing
