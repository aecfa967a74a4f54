// Between the bytes of an array and numbers or texts.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/utf8.h"
#include "mgnn/io/half.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/numpy.h"

namespace mgnn {

static_assert(std::endian::native == std::endian::little);

namespace {

// Calls `visit(i, position)` for the i-th element in row-major order, stored at `position`.
template <class Visit>
void for_each_position(const NumpyArray& array, Visit&& visit) {
  const int64_t size = array.size();
  const size_t dimensions = array.shape.size();
  if (!array.column_major || dimensions < 2) {
    for (int64_t i = 0; i < size; i++) visit(i, i);
    return;
  }
  std::vector<int64_t> index(dimensions, 0), stride(dimensions, 1);
  for (size_t d = 1; d < dimensions && size > 0; d++)
    stride[d] = stride[d - 1] * array.shape[d - 1];
  int64_t position = 0;
  for (int64_t i = 0; i < size; i++) {
    visit(i, position);
    for (size_t d = dimensions; d-- > 0;) {
      position += stride[d];
      if (++index[d] < array.shape[d]) break;
      position -= stride[d] * array.shape[d];
      index[d] = 0;
    }
  }
}

// All elements, stored as From, by way of `convert(value, to)`, which says whether it fits.
template <class From, class To, class Convert>
Array<To> converted(const NumpyArray& array, const std::string& what, Convert&& convert) {
  check_memory(saturated_product(array.size(), sizeof(To)), what);
  Array<To> values(size_t(array.size()));
  for_each_position(array, [&](int64_t i, int64_t position) {
    From value;
    std::memcpy(&value, array.bytes.data() + position * int64_t(sizeof(From)), sizeof(From));
    if (!convert(value, values[i]))
      fail_data("{}: element {} is {}, which is too large", what, i, value);
  });
  return values;
}

// Calls `use(From())` with the C++ type of the elements; false if it is not a number.
template <class Use>
bool with_type(const NumpyArray& array, Use&& use) {
  const std::string_view type = std::string_view(array.dtype).substr(1);
  if (type == "b1" || type == "u1") return use(uint8_t()), true;
  if (type == "i1") return use(int8_t()), true;
  if (type == "i2") return use(int16_t()), true;
  if (type == "u2") return use(uint16_t()), true;
  if (type == "i4") return use(int32_t()), true;
  if (type == "u4") return use(uint32_t()), true;
  if (type == "i8") return use(int64_t()), true;
  if (type == "u8") return use(uint64_t()), true;
  if (type == "f2") return use(Half()), true;
  if (type == "f4") return use(float()), true;
  if (type == "f8") return use(double()), true;
  return false;
}

template <class T>
constexpr char kind_of() {
  if (std::is_same_v<T, bool>) return 'b';
  if (std::is_floating_point_v<T>) return 'f';
  return std::is_signed_v<T> ? 'i' : 'u';
}

std::string text_at(const NumpyArray& array, int64_t position, int64_t width,
                    const std::string& what) {
  std::string_view bytes(array.bytes.data() + position * width, size_t(width));
  if (array.dtype[1] == 'S') {
    const size_t end = bytes.find_last_not_of('\0');
    return std::string(bytes.substr(0, end + 1));  // npos + 1 is 0
  }
  std::string text;
  while (bytes.size() >= 4 && bytes.ends_with(std::string_view("\0\0\0\0", 4)))
    bytes.remove_suffix(4);
  for (; !bytes.empty(); bytes.remove_prefix(4)) {
    uint32_t code;
    std::memcpy(&code, bytes.data(), 4);
    if (!append_utf8(text, code))
      fail_data("{}: text {} has the character {:#x}, which does not exist", what, position, code);
  }
  return text;
}

}  // namespace

Array<int64_t> NumpyArray::integers(const std::string& what) const {
  if (!is_integer()) fail_data("{}: whole numbers are needed, but it holds {}", what, dtype);
  Array<int64_t> values;
  with_type(*this, [&]<class From>(From) {
    values = converted<From, int64_t>(*this, what, [&](From value, int64_t& to) {
      to = dtype[1] == 'b' ? value != From() : int64_t(value);
      return !std::is_same_v<From, uint64_t> || to >= 0;
    });
  });
  return values;
}

Array<float> NumpyArray::floats(const std::string& what) const {
  if (!is_integer() && !is_float())
    fail_data("{}: numbers are needed, but it holds {}", what, dtype);
  Array<float> values;
  with_type(*this, [&]<class From>(From) {
    values = converted<From, float>(*this, what, [&](From value, float& to) {
      if constexpr (std::is_same_v<From, double>) {
        const bool fits =
            !std::isfinite(value) || std::abs(value) <= std::numeric_limits<float>::max();
        if (fits) to = float(value);
        return fits;
      }
      to = dtype[1] == 'b' ? float(value != From()) : float(value);
      return true;
    });
  });
  return values;
}

std::vector<std::string> NumpyArray::texts(const std::string& what) const {
  if (!is_text()) fail_data("{}: texts are needed, but it holds {}", what, dtype);
  check_memory(saturated_product(size(), int64_t(sizeof(std::string))), what);
  std::vector<std::string> values(static_cast<size_t>(size()));
  const int64_t width = values.empty() ? 0 : int64_t(bytes.size()) / size();
  for_each_position(*this, [&](int64_t i, int64_t position) {
    values[i] = text_at(*this, position, width, what);
  });
  return values;
}

template <class T>
NumpyArray numpy_array(std::span<const T> values, std::vector<int64_t> shape) {
  NumpyArray array;
  array.dtype = fmt::format("{}{}{}", sizeof(T) == 1 ? '|' : '<', kind_of<T>(), sizeof(T));
  array.shape = std::move(shape);
  check(array.size() == int64_t(values.size()), "an array of {} elements cannot have a shape of {}",
        values.size(), array.size());
  const char* bytes = reinterpret_cast<const char*>(values.data());
  array.bytes.assign(bytes, bytes + values.size_bytes());
  return array;
}

template NumpyArray numpy_array(std::span<const bool>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const int8_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const uint8_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const int16_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const uint16_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const int32_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const uint32_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const int64_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const uint64_t>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const float>, std::vector<int64_t>);
template NumpyArray numpy_array(std::span<const double>, std::vector<int64_t>);

NumpyArray numpy_texts(std::span<const std::string> texts) {
  std::vector<std::u32string> wide;
  bool unicode = true;
  size_t width = 1;
  for (const std::string& text : texts)
    if (text.ends_with('\0'))
      fail_data("the text {} ends in a NUL byte, which NumPy arrays cannot hold", in_quotes(text));
  for (const std::string& text : texts) {
    wide.emplace_back();
    unicode = unicode && decode_utf8(text, wide.back());
    if (!unicode) break;
    width = std::max(width, wide.back().size());
  }
  if (!unicode)
    for (const std::string& text : texts) width = std::max(width, text.size());
  const size_t unit = unicode ? 4 : 1;
  const int64_t total = saturated_product(int64_t(texts.size()), int64_t(width * unit));
  check_memory(total, "texts as an array of fixed width");
  NumpyArray array;
  array.dtype = fmt::format("{}{}", unicode ? "<U" : "|S", width);
  array.shape = {int64_t(texts.size())};
  array.bytes.assign(size_t(total), '\0');
  for (size_t i = 0; i < texts.size(); i++) {
    const void* from = unicode ? static_cast<const void*>(wide[i].data()) : texts[i].data();
    const size_t length = unicode ? 4 * wide[i].size() : texts[i].size();
    if (length > 0) std::memcpy(array.bytes.data() + i * width * unit, from, length);
  }
  return array;
}

}  // namespace mgnn
