// A text in parts that threads read by themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

struct TextPart {
  const char *begin, *end;  // whole lines; end[-1] is '\n'
  int64_t lines;            // in it
  int64_t first_line;       // number of its first one
};

// `text`, whose first line has the number `first_line`, cut at line ends. 64 bytes can be read
// from every place in a part, past its end too: the last lines, and a last '\n' that may be
// missing, are copied to where this is true. REQUIRES: the text outlives this.
class TextParts {
 public:
  TextParts(std::string_view text, int64_t first_line);

  int64_t count() const { return int64_t(parts_.size()); }
  const TextPart& operator[](int64_t part) const { return parts_[size_t(part)]; }

 private:
  std::vector<TextPart> parts_;
  std::string tail_;
};

int64_t count_lines(const char* begin, const char* end);

}  // namespace mgnn
