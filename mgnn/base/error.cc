#include "mgnn/base/error.h"

#include <algorithm>
#include <vector>

#include "mgnn/base/utf8.h"

namespace mgnn {
std::string in_quotes(std::string_view text, size_t most) {
  std::string out = "\"";
  size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == most) return out + "…\"";
    const size_t length = first_code_point(text).bytes;
    const bool plain = length > 1 || (length == 1 && text[0] >= ' ' && text[0] != 0x7F);
    if (plain)
      out += text.substr(0, length);
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(plain ? length : 1);
  }
  return out + "\"";
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) {
    for (size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        d[i][j] = int(i + j);
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace mgnn
