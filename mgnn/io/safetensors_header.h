// The JSON header of a safetensors file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mgnn {

inline constexpr size_t kMaxSafetensorsHeader = 100'000'000;  // bytes, as the public reader's
inline constexpr std::string_view kSafetensorsMetadata = "__metadata__";

struct SafetensorsEntry {
  std::string name, dtype;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;  // as the header claims, unchecked
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // names differ
  std::map<std::string, std::string> metadata;
};

// Throws Error (data) if it is no JSON object of that form. Memory is in proportion to `text`,
// whatever its nesting.
SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& path);

// `text` as JSON, in quotes. REQUIRES: it is UTF-8.
std::string json_string(std::string_view text);

}  // namespace mgnn
