// A safetensors file is the length of its header (8 bytes, little-endian), the header (see
// safetensors_header.cc; blanks may follow it), and the data, which the tensors fill without gaps
// in whatever order. We put wide elements first and pad the header to a multiple of 8, so that
// every tensor is aligned for its type.
//
// Our header begins with kHeaderStart and its own checksum, at a fixed place.
//
// [1] https://github.com/huggingface/safetensors#format

#include "mgnn/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/sha256.h"
#include "mgnn/base/utf8.h"
#include "mgnn/io/half.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/safetensors_header.h"

namespace mgnn {

static_assert(std::endian::native == std::endian::little);

namespace {

using Data = decltype(SafeTensor::data);

constexpr std::string_view kSum = "mgnn.sha256";
constexpr std::string_view kHeaderStart = R"({"__metadata__":{"mgnn.sha256":")";
constexpr size_t kSumDigits = 64;

std::string sum_key(std::string_view tensor) { return fmt::format("{}:{}", kSum, tensor); }
std::string tensor_place(const std::string& path, std::string_view name) {
  return fmt::format("{}: tensor {}", path, in_quotes(name));
}

// ---- types

template <class Stored, class T>
Data decoded(std::string_view bytes, const std::string& where) {
  const size_t size = bytes.size() / sizeof(Stored);
  check_memory(saturated_product(int64_t(size), sizeof(T)), where);
  Array<T> values(size);
  for (size_t i = 0; i < size; i++) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = T(value);
  }
  return values;
}

struct StoredType {
  std::string_view name;
  int64_t width;  // bytes of an element
  Data (*decode)(std::string_view bytes, const std::string& where);
};
constexpr StoredType kDtypes[] = {
    {"F32", 4, decoded<float, float>},     {"F64", 8, decoded<double, double>},
    {"I32", 4, decoded<int32_t, int32_t>}, {"I64", 8, decoded<int64_t, int64_t>},
    {"U8", 1, decoded<uint8_t, uint8_t>},  {"BOOL", 1, decoded<uint8_t, uint8_t>},
    {"F16", 2, decoded<Half, float>},      {"BF16", 2, decoded<BrainFloat, float>},
};
// What each alternative of Data is written as: the first ones of the table, in the same order.
std::string dtype_name(const SafeTensor& tensor) {
  return std::string(kDtypes[tensor.data.index()].name);
}

// `tensor`: an entry of the header, or a view.
template <class Tensor>
const StoredType& dtype_of(const Tensor& tensor, const std::string& path) {
  for (const StoredType& dtype : kDtypes)
    if (dtype.name == tensor.dtype) return dtype;
  fail_data("{}: has elements of type {}; F16, BF16, F32, F64, I32, I64, U8 and BOOL can be read",
            tensor_place(path, tensor.name), in_quotes(tensor.dtype));
}

std::string_view bytes_of(const SafeTensor& tensor) {
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(values[0]));
      },
      tensor.data);
}

// ---- reading

std::string_view header_of(std::string_view bytes, const std::string& path) {
  uint64_t length = 0;
  if (bytes.size() < sizeof(length))
    fail_data("{}: is not a safetensors file: it is shorter than 8 bytes", path);
  std::memcpy(&length, bytes.data(), sizeof(length));
  if (length > kMaxSafetensorsHeader)
    fail_data("{}: is not a safetensors file: its header would have {} bytes, and {} are allowed",
              path, length, kMaxSafetensorsHeader);
  if (length > bytes.size() - sizeof(length))
    fail_data("{}: its header has {} bytes, but only {} are there; is it cut short?", path, length,
              bytes.size() - sizeof(length));
  const std::string_view header = bytes.substr(sizeof(length), length);
  if (!header.starts_with('{'))
    fail_data("{}: is not a safetensors file: its header does not begin with {{", path);
  return header;
}

std::string header_sum(std::string header) {
  return sha256_of(header.replace(kHeaderStart.size(), kSumDigits, kSumDigits, '0'));
}

// Whether the header has our checksum; throws if it is wrong.
bool check_header_sum(std::string_view header, const std::string& path) {
  if (!header.starts_with(kHeaderStart) || header.size() < kHeaderStart.size() + kSumDigits)
    return false;
  if (header.substr(kHeaderStart.size(), kSumDigits) != header_sum(std::string(header)))
    fail_data(
        "{}: its header does not match its checksum: the file is damaged or was changed; use "
        "another copy",
        path);
  return true;
}

void check_extent(const SafetensorsEntry& entry, size_t data_size, const std::string& path) {
  const std::string where = tensor_place(path, entry.name);
  if (entry.begin > entry.end)
    fail_data("{}: ends at byte {}, before it begins at {}", where, entry.end, entry.begin);
  if (entry.end > data_size)
    fail_data("{}: ends at byte {}, but there are only {} bytes of data; is the file cut short?",
              where, entry.end, data_size);
  const int64_t needed =
      saturated_product(saturated_product(entry.shape), dtype_of(entry, path).width);
  if (uint64_t(needed) != entry.end - entry.begin)
    fail_data("{}: has {} bytes of data, but its shape asks for {}", where, entry.end - entry.begin,
              needed);
}

// Each within the data, of the size its shape asks for, and together all of it, none twice.
void check_extents(const std::vector<SafetensorsEntry>& entries, size_t data_size,
                   const std::string& path) {
  for (const SafetensorsEntry& entry : entries) check_extent(entry, data_size, path);
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(entries[a].begin, entries[a].end) < std::tie(entries[b].begin, entries[b].end);
  });
  uint64_t end = 0;
  for (size_t i : order) {
    if (entries[i].begin != end)
      fail_data("{}: begins at byte {}, but the one before it ends at {}",
                tensor_place(path, entries[i].name), entries[i].begin, end);
    end = entries[i].end;
  }
  if (end != data_size)
    fail_data("{}: has {} bytes of data, but its tensors end at byte {}; is it damaged?", path,
              data_size, end);
}

// Takes our checksums out of the metadata; empty if there are none.
std::map<std::string, std::string> take_sums(std::map<std::string, std::string>& metadata) {
  std::map<std::string, std::string> sums;
  auto it = metadata.lower_bound(std::string(kSum));
  while (it != metadata.end() && it->first.starts_with(kSum)) sums.insert(metadata.extract(it++));
  return sums;
}

void check_sum(const std::map<std::string, std::string>& sums, const SafetensorsEntry& entry,
               std::string_view bytes, const std::string& path) {
  const auto sum = sums.find(sum_key(entry.name));
  if (sum == sums.end() || sum->second != sha256_of(bytes))
    fail_data("{}: its data do not match their checksum: the file is damaged; use another copy",
              tensor_place(path, entry.name));
}

// ---- writing

void check_text(std::string_view text, const std::string& path) {
  check(find_invalid_utf8(text) == text.npos && text.find('\0') == text.npos,
        "{}: the text {} is not UTF-8 or has a NUL, which safetensors files cannot hold", path,
        in_quotes(text));
}

void check_header_size(size_t size, const std::string& path) {
  check(size <= kMaxSafetensorsHeader,
        "{}: names and metadata take more than the {} bytes that are allowed", path,
        kMaxSafetensorsHeader);
}

void check_tensor(const SafeTensorView& tensor, const std::string& path) {
  const int64_t size = int64_t(tensor.bytes.size()) / dtype_of(tensor, path).width;
  const bool negative = std::any_of(tensor.shape.begin(), tensor.shape.end(),
                                    [](int64_t length) { return length < 0; });
  check(!negative && saturated_product(tensor.shape) == size &&
            size * dtype_of(tensor, path).width == int64_t(tensor.bytes.size()),
        "{}: has {} elements, which its shape ({}) does not fit", tensor_place(path, tensor.name),
        size, fmt::join(tensor.shape, ", "));
}

void check_content(const SafeTensorViews& content, const std::string& path) {
  std::unordered_set<std::string_view> names = {kSafetensorsMetadata};
  for (const SafeTensorView& tensor : content.tensors) {
    check_text(tensor.name, path);
    check(names.insert(tensor.name).second, "{}: the name is taken already",
          tensor_place(path, tensor.name));
    check_tensor(tensor, path);
  }
  for (const auto& [key, value] : content.metadata) {
    check_header_size(key.size() + value.size(), path);  // before it is copied
    check_text(key, path);
    check_text(value, path);
    check(!key.starts_with(kSum), "{}: the metadata key {} is reserved for checksums", path,
          in_quotes(key));
  }
}

// The tensors as their bytes stand in the file.
std::vector<const SafeTensorView*> layout(const SafeTensorViews& content, const std::string& path) {
  std::vector<const SafeTensorView*> order;
  for (const SafeTensorView& tensor : content.tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return dtype_of(*a, path).width > dtype_of(*b, path).width;
  });
  return order;
}

std::string metadata_text(const SafeTensorViews& content) {
  std::string text = fmt::format("{}{}\",\"{}.tensors\":\"{}\"", kHeaderStart,
                                 std::string(kSumDigits, '0'), kSum, content.tensors.size());
  for (const SafeTensorView& tensor : content.tensors)
    text += fmt::format(",{}:\"{}\"", json_string(sum_key(tensor.name)), sha256_of(tensor.bytes));
  for (const auto& [key, value] : content.metadata)
    text += fmt::format(",{}:{}", json_string(key), json_string(value));
  return text + "}";
}

std::string header_text(const SafeTensorViews& content,
                        const std::vector<const SafeTensorView*>& order) {
  std::vector<size_t> begin(content.tensors.size());
  size_t end = 0;
  for (const SafeTensorView* tensor : order) {
    begin[size_t(tensor - content.tensors.data())] = end;
    end += tensor->bytes.size();
  }
  std::string text = metadata_text(content);
  for (size_t i = 0; i < begin.size(); i++) {
    const SafeTensorView& tensor = content.tensors[i];
    text += fmt::format(R"(,{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                        json_string(tensor.name), tensor.dtype, fmt::join(tensor.shape, ","),
                        begin[i], begin[i] + tensor.bytes.size());
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  return text.replace(kHeaderStart.size(), kSumDigits, header_sum(text));
}

// Calls write(bytes) with one piece of the file after the other.
template <class Write>
void write_pieces(const SafeTensorViews& content, const std::string& path, const Write& write) {
  const std::vector<const SafeTensorView*> order = layout(content, path);
  const std::string header = header_text(content, order);
  const uint64_t length = header.size();
  check_header_size(length, path);
  write(std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)));
  write(std::string_view(header));
  for (const SafeTensorView* tensor : order) write(tensor->bytes);
}

}  // namespace

const SafeTensor* SafeTensors::find(std::string_view name) const {
  for (const SafeTensor& tensor : tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

bool looks_like_safetensors(std::string_view bytes) {
  uint64_t length = 0;
  if (bytes.size() <= sizeof(length)) return false;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const std::string_view header = bytes.substr(sizeof(length));
  return header.starts_with(kHeaderStart) ||  // also if the length is damaged
         (length <= std::min(kMaxSafetensorsHeader, header.size()) && header.starts_with('{'));
}

SafeTensorViews view_safetensors(std::string_view bytes, const std::string& path) {
  const std::string_view text = header_of(bytes, path);
  const bool has_sum = check_header_sum(text, path);
  SafetensorsHeader header = parse_safetensors_header(text, path);
  const std::string_view data = bytes.substr(sizeof(uint64_t) + text.size());
  check_extents(header.entries, data.size(), path);
  const auto sums = take_sums(header.metadata);
  if (!sums.empty() && !has_sum)
    fail_data(
        "{}: has checksums of tensors but none of its header: the file is damaged, or another "
        "program kept the metadata {}*; use another copy, or save it without them",
        path, kSum);
  SafeTensorViews content;
  for (SafetensorsEntry& entry : header.entries) {
    const std::string_view part = data.substr(entry.begin, entry.end - entry.begin);
    if (has_sum) check_sum(sums, entry, part, path);
    content.tensors.push_back(
        {std::move(entry.name), std::move(entry.dtype), std::move(entry.shape), part});
  }
  content.metadata = std::move(header.metadata);
  return content;
}

SafeTensors parse_safetensors(std::string_view bytes, const std::string& path) {
  SafeTensorViews views = view_safetensors(bytes, path);
  SafeTensors content;
  for (SafeTensorView& view : views.tensors) {
    Data values = dtype_of(view, path).decode(view.bytes, tensor_place(path, view.name));
    content.tensors.push_back({std::move(view.name), std::move(view.shape), std::move(values)});
  }
  content.metadata = std::move(views.metadata);
  return content;
}

SafeTensors read_safetensors(const std::string& path) {
  return parse_safetensors(map_file(path).view(), path);
}

namespace {

SafeTensorViews views_of(const SafeTensors& content) {
  SafeTensorViews views{{}, content.metadata};
  for (const SafeTensor& tensor : content.tensors)
    views.tensors.push_back({tensor.name, dtype_name(tensor), tensor.shape, bytes_of(tensor)});
  return views;
}

}  // namespace

void write_safetensors(const std::string& path, const SafeTensors& content, bool overwrite) {
  write_tensor_views(path, views_of(content), overwrite);
}

std::string safetensors_bytes(const SafeTensors& content) {
  return safetensors_bytes(views_of(content));
}

void write_tensor_views(const std::string& path, const SafeTensorViews& content, bool overwrite) {
  check_content(content, path);
  AtomicFile file(path, overwrite);
  write_pieces(content, path, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

std::string safetensors_bytes(const SafeTensorViews& content) {
  check_content(content, "safetensors");
  std::string bytes;
  write_pieces(content, "safetensors", [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

}  // namespace mgnn
