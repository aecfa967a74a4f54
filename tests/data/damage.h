// Files of a folder, cut and flipped: the reader must end with an Error or a valid dataset.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "mgnn/data/dataset.h"
#include "tests/util.h"

namespace mgnn::testing {

// Calls load() for every file of `folder` cut at `cuts` places and with `flips` single bytes
// changed, one at a time; the files are as before at the end. Gives how many loads failed.
inline int damage_every_file(const std::string& folder, int cuts, int flips,
                             const std::function<Dataset()>& load, uint64_t seed = 1) {
  Rng rng(seed);
  int refused = 0;
  const auto attempt = [&](const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    try {
      validate(load());
    } catch (const Error& error) {
      refused++;
      EXPECT_NE(error.kind(), ErrorKind::usage) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << path << ": not an Error: " << other.what();
    }
  };
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  for (const std::string& path : paths) {
    const std::string whole = content_of(path);
    for (int i = 0; i < cuts; i++)
      attempt(path, whole.substr(0, whole.size() * size_t(i) / size_t(cuts)));
    for (int i = 0; i < flips && !whole.empty(); i++) {
      std::string bad = whole;
      bad[rng.below(bad.size())] = char(rng.next());
      attempt(path, bad);
    }
    std::ofstream(path, std::ios::binary) << whole;
  }
  return refused;
}

}  // namespace mgnn::testing
