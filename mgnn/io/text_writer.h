// Text on its way to a file.
#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <string_view>

namespace mgnn {

// Gathers text in large pieces. A path that ends in .gz, .bz2, .xz or .zst is compressed; "-" is
// standard output; any other file appears under its name only with `commit` (see AtomicFile).
class TextWriter {
 public:
  explicit TextWriter(const std::string& path, bool overwrite = true);
  ~TextWriter();

  void text(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > kPiece) flush();
  }
  // As short as reads back the same.
  template <class Number>
  void number(Number value) {
    char digits[64];
    text({digits, size_t(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
  }
  void commit();

 private:
  static constexpr size_t kPiece = 1 << 18;
  struct Target;
  void flush();

  std::string buffer_;
  std::unique_ptr<Target> target_;
};

// Throws Error (data) if the id of a node cannot be a line of text, or a part of one: it has a line end
// or NUL byte, or is not UTF-8.
void check_id_is_text(std::string_view id, const std::string& path);

}  // namespace mgnn
