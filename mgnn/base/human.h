// Numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mgnn {

std::string human_count(int64_t count);     // 1,002,666
std::string human_bytes(int64_t bytes);     // 1.4 GiB
std::string human_seconds(double seconds);  // 3.2 ms, 4.1 s, 2 min 05 s
// a, b, c and 17 more: names may be as many as the user's data have.
std::string human_list(std::span<const std::string> names, size_t max = 20);

}  // namespace mgnn
