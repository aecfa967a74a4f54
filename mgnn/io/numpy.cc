// A .npy file is the magic "\x93NUMPY", two version bytes, the length of the header (two bytes in
// version 1, four in 2 and 3), the header, and the data. The header is a Python dict literal,
// padded with blanks:
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// [1] https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#include "mgnn/io/numpy.h"

#include <algorithm>
#include <cstring>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

constexpr std::string_view kNumpyMagic("\x93NUMPY", 6);
constexpr size_t kMaxDimensions = 32;  // NumPy's own limit

// The dict literal of a header: only the three keys, and only the literals they can have.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  struct Header {
    std::string descr;
    bool column_major = false;
    std::vector<int64_t> shape;
  };

  Header parse() {
    Header header;
    bool seen[3] = {};
    expect('{');
    while (!accept('}')) {
      const std::string key(string());
      expect(':');
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (which == 3 || seen[which]) broken();
      seen[which] = true;
      if (which == 0) header.descr = descr();
      if (which == 1) header.column_major = boolean();
      if (which == 2) header.shape = shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty() || !seen[0] || !seen[1] || !seen[2]) broken();
    return header;
  }

 private:
  [[noreturn]] void broken() const {
    fail_data("{}: the header of the NumPy array is broken near {}", path_,
              in_quotes(rest_.substr(0, 20)));
  }
  void skip_blanks() {
    while (!rest_.empty() && (is_blank(rest_[0]) || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  bool accept(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!accept(c)) broken();
  }
  std::string_view string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const size_t end = rest_.find(quote);
    if (end == std::string_view::npos) broken();
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string descr() {
    skip_blanks();
    if (rest_.starts_with('[') || rest_.starts_with('('))
      fail_data("{}: holds records with fields; save one plain array per field", path_);
    return std::string(string());
  }
  bool boolean() {
    if (accept("True")) return true;
    if (!accept("False")) broken();
    return false;
  }
  int64_t length() {
    skip_blanks();
    const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    int64_t value;
    if (!parse_number(rest_.substr(0, digits), value)) broken();
    rest_.remove_prefix(digits);
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2's long
    return value;
  }
  std::vector<int64_t> shape() {
    std::vector<int64_t> lengths;
    expect('(');
    while (!accept(')')) {
      if (lengths.size() == kMaxDimensions)
        fail_data("{}: has more than {} dimensions", path_, kMaxDimensions);
      lengths.push_back(length());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return lengths;
  }

  std::string_view rest_;
  const std::string& path_;
};

struct Dtype {
  char order, kind;
  int64_t width;  // bytes of an element
};

Dtype parse_dtype(std::string_view descr, const std::string& where) {
  Dtype type{'|', 0, 0};
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    type.order = rest[0] == '=' ? '<' : rest[0];
    rest.remove_prefix(1);
  }
  if (rest.starts_with('O'))
    fail_data("{}: holds Python objects; save with allow_pickle=False", where);
  int64_t width = 0;
  const bool known = !rest.empty() && parse_number(rest.substr(1), width) && width >= 1 &&
                     width < (int64_t(1) << 32);
  type.kind = known ? rest[0] : 0;
  const auto one_of = [&](std::initializer_list<int64_t> widths) {
    return std::find(widths.begin(), widths.end(), width) != widths.end();
  };
  const bool good = (type.kind == 'b' && width == 1) || type.kind == 'S' || type.kind == 'U' ||
                    ((type.kind == 'i' || type.kind == 'u') && one_of({1, 2, 4, 8})) ||
                    (type.kind == 'f' && one_of({2, 4, 8}));
  if (!good)
    fail_data(
        "{}: has elements of type {}; only bool, integers, floats of up to 64 bits and "
        "fixed-width strings can be read",
        where, in_quotes(descr));
  if (width == 1 && type.kind != 'U') type.order = '|';
  if (type.kind == 'S') type.order = '|';
  if (type.order == '|' && (type.kind == 'U' || (width > 1 && type.kind != 'S')))
    fail_data("{}: the element type {} lacks its byte order", where, in_quotes(descr));
  type.width = type.kind == 'U' ? 4 * width : width;
  return type;
}

void reverse_each(Array<char>& bytes, size_t unit) {
  for (size_t i = 0; i < bytes.size(); i += unit)
    std::reverse(bytes.begin() + ptrdiff_t(i), bytes.begin() + ptrdiff_t(i + unit));
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | uint8_t(bytes[i]);
  return value;
}

}  // namespace

int64_t NumpyArray::size() const { return saturated_product(shape); }
bool NumpyArray::is_integer() const {
  return dtype.size() > 1 && std::string_view("biu").find(dtype[1]) != std::string_view::npos;
}
bool NumpyArray::is_float() const { return dtype.size() > 1 && dtype[1] == 'f'; }
bool NumpyArray::is_text() const {
  return dtype.size() > 1 && (dtype[1] == 'S' || dtype[1] == 'U');
}

NumpyArray numpy_array_of(std::string_view descr, std::vector<int64_t> shape, bool column_major,
                          std::string_view bytes, const std::string& where) {
  const Dtype type = parse_dtype(descr, where);
  if (shape.size() > kMaxDimensions)
    fail_data("{}: has more than {} dimensions", where, kMaxDimensions);
  for (int64_t length : shape)
    if (length < 0) fail_data("{}: has a negative length in its shape", where);
  const int64_t needed = saturated_product(saturated_product(shape), type.width);
  if (needed != int64_t(bytes.size()))
    fail_data("{}: holds {} bytes of data, but its shape asks for {}; is it {}?", where,
              bytes.size(), needed, int64_t(bytes.size()) < needed ? "cut short" : "damaged");
  check_memory(needed, where);
  NumpyArray array;
  const int64_t width = type.kind == 'U' ? type.width / 4 : type.width;
  array.dtype = fmt::format("{}{}{}", type.order == '>' ? '<' : type.order, type.kind, width);
  array.shape = std::move(shape);
  array.column_major = column_major;
  array.bytes.assign(bytes.begin(), bytes.end());
  if (type.order == '>') reverse_each(array.bytes, type.kind == 'U' ? 4 : size_t(type.width));
  return array;
}

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with(kNumpyMagic); }

NumpyArray parse_npy(std::string_view bytes, const std::string& path) {
  if (!looks_like_npy(bytes))
    fail_data("{}: is not a NumPy array: it does not begin like one", path);
  if (bytes.size() < 8) fail_data("{}: the NumPy array is cut short in its header", path);
  const int version = uint8_t(bytes[6]);
  if (version < 1 || version > 3)
    fail_data("{}: is a NumPy array of version {}; versions 1 to 3 are known", path, version);
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  if (bytes.size() < start) fail_data("{}: the NumPy array is cut short in its header", path);
  const uint64_t length = little_endian(bytes.substr(8, length_bytes));
  if (length > bytes.size() - start)
    fail_data("{}: the NumPy array is cut short in its header", path);
  HeaderParser::Header header = HeaderParser(bytes.substr(start, length), path).parse();
  return numpy_array_of(header.descr, std::move(header.shape), header.column_major,
                        bytes.substr(start + length), path);
}

NumpyArray read_npy(const std::string& path) { return parse_npy(read_bytes(path).view(), path); }

std::string npy_header(const NumpyArray& array) {
  std::string lengths;
  for (int64_t length : array.shape) lengths += fmt::format("{}, ", length);
  if (array.shape.size() > 1) lengths.resize(lengths.size() - 2);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                 array.dtype, array.column_major ? "True" : "False", lengths);
  const size_t before = 10;  // magic, version 1.0, length
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  const auto size = uint16_t(text.size());
  return std::string(kNumpyMagic) + '\x01' + '\0' + char(size & 0xFF) + char(size >> 8) + text;
}

void write_npy(const std::string& path, const NumpyArray& array, bool overwrite) {
  AtomicFile file(path, overwrite);
  file.write(npy_header(array));
  file.write({array.bytes.data(), array.bytes.size()});
  file.commit();
}

}  // namespace mgnn
