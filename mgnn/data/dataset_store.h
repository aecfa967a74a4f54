// Named arrays of a file that are taken one after the other, each checked.
#pragma once

#include <cstring>
#include <map>
#include <set>
#include <span>

#include "mgnn/io/safetensors.h"

namespace mgnn {

// The tensors of a file that holds a dataset. Everything throws Error (data) that begins with the path.
class DatasetStore {
 public:
  // Throws unless the metadata say that it is a dataset, of a version that is known.
  DatasetStore(std::string_view bytes, const std::string& path);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  // "path: name", for messages.
  std::string where(const std::string& name) const;

  // The values, or none if there is no such tensor; it must be of that type and have as many
  // dimensions.
  template <class T, class Values = Array<T>>
  Values take(const std::string& name, size_t dimensions = 1);
  std::vector<int64_t> shape(const std::string& name) const;  // REQUIRES: it is there
  // One number, or `absent`.
  int64_t take_number(const std::string& name, int64_t absent);
  std::vector<std::string> take_texts(const std::string& name);
  std::string take_text(const std::string& name);  // one, or "" if it is not there

  // Throws if there is a tensor that was not taken.
  void check_all_taken() const;

 private:
  std::string_view bytes_of(const std::string& name, std::string_view dtype, size_t dimensions);

  std::string path_;
  std::map<std::string, SafeTensorView, std::less<>> tensors_;
  std::set<std::string> taken_;
};

// Throws Error (data) unless `start` begins at 0, never falls, and ends at `end`.
void check_starts(std::span<const Offset> start, size_t end, const std::string& where);

template <class T>
constexpr std::string_view kTensorType = "";
template <>
inline constexpr std::string_view kTensorType<char> = "U8";
template <>
inline constexpr std::string_view kTensorType<int32_t> = "I32";
template <>
inline constexpr std::string_view kTensorType<int64_t> = "I64";
template <>
inline constexpr std::string_view kTensorType<float> = "F32";
template <>
inline constexpr std::string_view kTensorType<double> = "F64";

template <class T, class Values>
Values DatasetStore::take(const std::string& name, size_t dimensions) {
  const std::string_view bytes = bytes_of(name, kTensorType<T>, dimensions);
  Values values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace mgnn
