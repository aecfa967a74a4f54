#include "mgnn/data/dataset_store.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/data/dataset_parts.h"
#include "mgnn/io/memory.h"

namespace mgnn {

DatasetStore::DatasetStore(std::string_view bytes, const std::string& path) : path_(path) {
  SafeTensorViews content = view_safetensors(bytes, path);
  const auto fact = [&](const char* key) {
    const auto found = content.metadata.find(key);
    return found == content.metadata.end() ? "" : found->second;
  };
  if (fact("format") != kDatasetFormat)
    fail_data("{}: is a safetensors file, but not a dataset that mgnn wrote", path);
  if (fact("version") != std::to_string(kDatasetVersion))
    fail_data("{}: is a dataset of version {}, and this program reads version {}", path,
              in_quotes(fact("version")), kDatasetVersion);
  for (SafeTensorView& tensor : content.tensors) tensors_.emplace(tensor.name, std::move(tensor));
}

std::string DatasetStore::where(const std::string& name) const {
  return fmt::format("{}: {}", path_, name);
}

std::vector<int64_t> DatasetStore::shape(const std::string& name) const {
  return tensors_.at(name).shape;
}

std::string_view DatasetStore::bytes_of(const std::string& name, std::string_view dtype,
                                        size_t dimensions) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) return {};
  const SafeTensorView& tensor = found->second;
  if (tensor.dtype != dtype || tensor.shape.size() != dimensions)
    fail_data("{}: should be an array of {} with {} dimensions, and is one of {} with {}",
              where(name), dtype, dimensions, tensor.dtype, tensor.shape.size());
  check_memory(int64_t(tensor.bytes.size()), where(name));
  taken_.insert(name);
  return tensor.bytes;
}

int64_t DatasetStore::take_number(const std::string& name, int64_t absent) {
  if (!has(name)) return absent;
  const Array<int64_t> values = take<int64_t>(name);
  if (values.size() != 1) fail_data("{}: should be one number", where(name));
  return values[0];
}

std::vector<std::string> DatasetStore::take_texts(const std::string& name) {
  const std::string_view text = bytes_of(name, kTensorType<char>, 1);
  const Array<Offset> start = take<Offset>(name + "_start");
  if (!has(name) && !has(name + "_start")) return {};
  check_starts(start, text.size(), where(name));
  check_memory(saturated_product(int64_t(start.size()), sizeof(std::string)), where(name));
  std::vector<std::string> texts;
  texts.reserve(start.size() - 1);
  for (size_t i = 0; i + 1 < start.size(); i++)
    texts.emplace_back(text.substr(size_t(start[i]), size_t(start[i + 1] - start[i])));
  return texts;
}

std::string DatasetStore::take_text(const std::string& name) {
  std::vector<std::string> texts = take_texts(name);
  if (texts.size() > 1) fail_data("{}: should be one text", where(name));
  return texts.empty() ? "" : std::move(texts[0]);
}

void DatasetStore::check_all_taken() const {
  for (const auto& [name, tensor] : tensors_)
    if (!taken_.contains(name))
      fail_data(
          "{}: has the part {}, which is not one of a dataset, or not of one with its other parts; "
          "is it of a newer program?",
          path_, in_quotes(name));
}

void check_starts(std::span<const Offset> start, size_t end, const std::string& where) {
  if (start.empty() || start.front() != 0 || start.back() != Offset(end) ||
      !std::is_sorted(start.begin(), start.end()))
    fail_data("{}: the places where its rows begin do not rise from 0 to {}", where, end);
}

}  // namespace mgnn
