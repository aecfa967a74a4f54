// NumPy's .npy and .npz files.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// An array as it stands in the file: little-endian numbers, bool, or fixed-width strings. Object
// arrays (pickles) are refused.
struct NumpyArray {
  std::string dtype;           // "<f4", "<i8", "|b1", "|u1", "<U12", …
  std::vector<int64_t> shape;  // () is a scalar
  bool column_major = false;   // Fortran order
  Array<char> bytes;

  int64_t size() const;     // number of elements
  bool is_integer() const;  // bool counts as one
  bool is_float() const;

  // All elements in row-major order, converted; throws Error if the kind does not fit or a number
  // is out of range. `what` names the array in the message: "cora.npz: edge_index".
  Array<int64_t> integers(const std::string& what) const;
  Array<float> floats(const std::string& what) const;
};

// Throws Error (data) on anything malformed: bounds are checked before memory is taken.
NumpyArray read_npy(const std::string& path);
NumpyArray parse_npy(std::string_view bytes, const std::string& path);

using NumpyArchive = std::map<std::string, NumpyArray>;  // by name, without .npy
NumpyArchive read_npz(const std::string& path);
NumpyArchive parse_npz(std::string_view bytes, const std::string& path);

template <class T>
NumpyArray numpy_array(std::span<const T> values, std::vector<int64_t> shape);

void write_npy(const std::string& path, const NumpyArray& array, bool overwrite = true);
// Compressed (deflate), as numpy.savez_compressed does.
void write_npz(const std::string& path, const NumpyArchive& arrays, bool overwrite = true);

}  // namespace mgnn
