// The safetensors format: named arrays and some text, as networks are exchanged in.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

struct SafeTensor {
  std::string name;
  std::vector<int64_t> shape;  // () is a scalar
  std::variant<Array<float>, Array<double>, Array<int32_t>, Array<int64_t>, Array<uint8_t>>
      data;  // row-major
};

struct SafeTensors {
  std::vector<SafeTensor> tensors;              // names differ
  std::map<std::string, std::string> metadata;  // keys that begin with "mgnn.sha256" are reserved

  // By name, or null. Looks at one after the other.
  const SafeTensor* find(std::string_view name) const;
};

// A tensor as bytes that somebody else holds: as it stands in a file, or is to stand in one.
struct SafeTensorView {
  std::string name;
  std::string dtype;           // "F32", "F64", "I32", "I64", "U8", …
  std::vector<int64_t> shape;  // () is a scalar
  std::string_view bytes;      // row-major, little-endian; aligned for nothing
};

struct SafeTensorViews {
  std::vector<SafeTensorView> tensors;          // names differ
  std::map<std::string, std::string> metadata;  // without checksums
};

// Tensors come in the order of the header. F16 and BF16 become float, BOOL becomes uint8_t; other
// types without a place in `data` are refused. Throws Error (data) on anything malformed, naming
// the file and the tensor; bounds are checked before memory is taken. What `write_safetensors`
// wrote is checked against its checksums; files of other programs need none.
SafeTensors read_safetensors(const std::string& path);
SafeTensors parse_safetensors(std::string_view bytes, const std::string& path);
// The same, checked likewise, without a copy: the views point into `bytes`.
SafeTensorViews view_safetensors(std::string_view bytes, const std::string& path);
// Whether the bytes begin as such a file does, sound or not.
bool looks_like_safetensors(std::string_view bytes);

// The file appears when complete; if it cannot be written, an older one stays. The same content
// gives the same bytes. Throws Error (usage) if a shape does not fit its data, a name occurs twice
// or is "__metadata__", a text is not UTF-8 or has a NUL, or a metadata key is reserved.
//
// In the file, metadata "mgnn.sha256:NAME" is the SHA-256 of the bytes of tensor NAME,
// "mgnn.sha256.tensors" the number of those, and "mgnn.sha256" the sum of the header (padding
// included) with 64 zeros in the place of this sum.
void write_safetensors(const std::string& path, const SafeTensors& content, bool overwrite = true);
void write_tensor_views(const std::string& path, const SafeTensorViews& content,
                        bool overwrite = true);
// The bytes of such a file.
std::string safetensors_bytes(const SafeTensors& content);
std::string safetensors_bytes(const SafeTensorViews& content);

}  // namespace mgnn
