#include "mgnn/io/text_parts.h"

#include <algorithm>
#include <cstring>

#include "mgnn/base/parallel.h"
#include "mgnn/io/edges_kernel.h"

namespace mgnn {

constexpr size_t kReadAhead = 64;
constexpr size_t kPart = 1 << 20;

int64_t count_lines(const char* begin, const char* end) {
  return MGNN_DISPATCH(count_newlines, begin, end);
}

TextParts::TextParts(std::string_view text, int64_t first_line) {
  const auto line_end = [&](size_t from) { return std::min(text.find('\n', from), text.size()); };
  size_t body = 0;  // ends where the tail begins
  if (text.size() > kReadAhead) {
    const size_t last = text.rfind('\n', text.size() - kReadAhead - 1);
    body = last == text.npos ? 0 : last + 1;
  }
  for (size_t begin = 0; begin < body;) {
    const size_t end = std::min(line_end(std::min(begin + kPart, body - 1)) + 1, body);
    parts_.push_back({text.data() + begin, text.data() + end, 0, 0});
    begin = end;
  }
  tail_ = text.substr(body);
  if (!tail_.ends_with('\n')) tail_ += '\n';
  const size_t tail_size = tail_.size();
  tail_.append(kReadAhead, '\0');
  parts_.push_back({tail_.data(), tail_.data() + tail_size, 0, 0});

#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(int64_t(text.size()) / 8))
  for (size_t i = 0; i < parts_.size(); i++)
    parts_[i].lines = count_lines(parts_[i].begin, parts_[i].end);
  for (TextPart& part : parts_) {
    part.first_line = first_line;
    first_line += part.lines;
  }
}

}  // namespace mgnn
