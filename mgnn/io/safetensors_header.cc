// A header is
//
//   {"__metadata__": {"key": "text", …},
//    "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
//
// and is read event by event: a tree would forget keys that occur twice, and nest as deep as the
// file likes.

#include "mgnn/io/safetensors_header.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

using Json = nlohmann::json;
constexpr size_t kMaxTensorDimensions = 64;  // PyTorch's own limit

class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}
  SafetensorsHeader header;

  bool start_object(size_t) override {
    if (place_ == Place::outside) return move_to(Place::header);
    if (place_ != Place::header) wrong();
    if (name_ == kSafetensorsMetadata) return move_to(Place::metadata);
    header.entries.emplace_back().name = name_;
    seen_ = {};
    return move_to(Place::tensor);
  }
  bool end_object() override {
    if (place_ == Place::header) return move_to(Place::outside);
    if (place_ == Place::tensor && !(seen_.dtype && seen_.shape && seen_.offsets == 2))
      fail_data("{}: tensor {}: the header lacks its dtype, shape or data_offsets", path_,
                in_quotes(name_));
    return move_to(Place::header);
  }
  bool key(std::string& text) override {
    check_no_nul(text);
    if (place_ == Place::header) {
      if (!names_.insert(text).second) twice(text);
      name_ = text;
    }
    if (place_ == Place::metadata && header.metadata.contains(text)) twice(text);
    key_ = text;
    return true;
  }
  bool string(std::string& text) override {
    check_no_nul(text);
    if (place_ == Place::metadata) {
      header.metadata[key_] = std::move(text);
      return true;
    }
    if (place_ != Place::tensor || key_ != "dtype" || seen_.dtype) wrong();
    seen_.dtype = true;
    header.entries.back().dtype = std::move(text);
    return true;
  }
  bool start_array(size_t) override {
    if (place_ == Place::tensor && key_ == "shape" && !seen_.shape) {
      seen_.shape = true;
      return move_to(Place::shape);
    }
    if (place_ != Place::tensor || key_ != "data_offsets" || seen_.offsets > 0) wrong();
    return move_to(Place::offsets);
  }
  bool end_array() override {
    if (place_ == Place::offsets && seen_.offsets != 2) wrong();
    return move_to(Place::tensor);
  }
  bool number_unsigned(uint64_t value) override {
    if (place_ != Place::shape && place_ != Place::offsets) wrong();
    SafetensorsEntry& entry = header.entries.back();
    if (place_ == Place::offsets) {
      if (seen_.offsets == 2) wrong();
      (seen_.offsets++ == 0 ? entry.begin : entry.end) = value;
      return true;
    }
    if (value > uint64_t(std::numeric_limits<int64_t>::max())) wrong();
    if (entry.shape.size() == kMaxTensorDimensions)
      fail_data("{}: tensor {}: has more than {} dimensions", path_, in_quotes(name_),
                kMaxTensorDimensions);
    entry.shape.push_back(int64_t(value));
    return true;
  }
  bool null() override { wrong(); }
  bool boolean(bool) override { wrong(); }
  bool number_integer(int64_t) override { wrong(); }  // a negative one
  bool number_float(double, const std::string&) override { wrong(); }
  bool binary(Json::binary_t&) override { wrong(); }
  bool parse_error(size_t position, const std::string&, const Json::exception&) override {
    fail_data("{}: the header of the safetensors file is not valid JSON near its byte {}", path_,
              position);
  }

 private:
  enum class Place { outside, header, metadata, tensor, shape, offsets };

  bool move_to(Place place) {
    place_ = place;
    return true;
  }
  // Other readers refuse it too, since in C a text would seem to end there.
  void check_no_nul(const std::string& text) const {
    if (text.find('\0') != std::string::npos)
      fail_data("{}: the header of the safetensors file has a NUL in {}", path_, in_quotes(text));
  }
  [[noreturn]] void wrong() const {
    const std::string field = place_ == Place::header ? "" : in_quotes(key_) + " of ";
    fail_data("{}: the header of the safetensors file has an unexpected value for {}{}", path_,
              field, in_quotes(name_));
  }
  [[noreturn]] void twice(const std::string& name) const {
    fail_data("{}: the header of the safetensors file has {} twice", path_, in_quotes(name));
  }

  const std::string& path_;
  Place place_ = Place::outside;
  std::string name_, key_;  // of the tensor, and of the field in it
  struct {
    bool dtype = false, shape = false;
    int offsets = 0;
  } seen_;
  std::unordered_set<std::string> names_;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& path) {
  // The JSON library takes a NUL for the end, and would not look at what follows it.
  const size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    fail_data("{}: the header of the safetensors file is not valid JSON near its byte {}", path,
              nul + 1);
  HeaderReader reader(path);
  Json::sax_parse(text.begin(), text.end(), &reader);
  return std::move(reader.header);
}

std::string json_string(std::string_view text) { return Json(text).dump(); }

}  // namespace mgnn
