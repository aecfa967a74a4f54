// Numbers as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mgnn {

std::string human_count(int64_t count);  // 1,002,666
std::string human_bytes(int64_t bytes);  // 1.4 GiB
// The inverse of human_bytes: 4096, 500M, 1.5G, "2 GiB"; K, M, G and T are powers of 1024. Nothing if it
// is not a size.
std::optional<int64_t> parse_bytes(std::string_view text);
std::string human_seconds(double seconds);  // 3.2 ms, 4.1 s, 2 min 05 s
// a, b, c and 17 more: names may be as many as the user's data have.
std::string human_list(std::span<const std::string> names, size_t max = 20);

}  // namespace mgnn
