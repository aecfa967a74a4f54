// NumPy's .npy and .npz files.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// An array as it stands in the file: little-endian numbers, bool, or fixed-width strings. Object
// arrays (pickles) are refused.
struct NumpyArray {
  std::string dtype;                // "<f4", "<i8", "|b1", "|u1", "<U12", …
  std::vector<int64_t> shape = {};  // () is a scalar
  bool column_major = false;        // Fortran order
  Array<char> bytes;

  int64_t size() const;     // number of elements
  bool is_integer() const;  // bool counts as one
  bool is_float() const;
  bool is_text() const;

  // All elements in row-major order, converted; throws Error if the kind does not fit or a number
  // is out of range. `what` names the array in the message: "cora.npz: edge_index".
  Array<int64_t> integers(const std::string& what) const;
  Array<float> floats(const std::string& what) const;             // integers are converted too
  std::vector<std::string> texts(const std::string& what) const;  // as UTF-8
};

// Throws Error (data) on anything malformed: bounds are checked before memory is taken. Reads
// compressed files too. Big-endian numbers are turned around.
NumpyArray read_npy(const std::string& path);
NumpyArray parse_npy(std::string_view bytes, const std::string& path);
bool looks_like_npy(std::string_view bytes);

using NumpyArchive = std::map<std::string, NumpyArray>;  // by name, without .npy
NumpyArchive read_npz(const std::string& path);
NumpyArchive parse_npz(std::string_view bytes, const std::string& path);

// T: bool, float, double, or any sized integer. Throws Error if the shape has another size.
template <class T>
NumpyArray numpy_array(std::span<const T> values, std::vector<int64_t> shape);
// As "<U…", or as "|S…" (bytes) if one of them is not UTF-8. Throws Error (data) for a NUL at
// the end, which NumPy drops.
NumpyArray numpy_texts(std::span<const std::string> texts);
// An array from its parts as NumPy describes them, checked; `where` opens messages.
NumpyArray numpy_array_of(std::string_view descr, std::vector<int64_t> shape, bool column_major,
                          std::string_view bytes, const std::string& where);

void write_npy(const std::string& path, const NumpyArray& array, bool overwrite = true);
// Compressed (deflate), as numpy.savez_compressed does. The same arrays give the same bytes.
// Array by array, so that they need not all be in memory at once; the file is there on `commit`.
class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path, bool overwrite = true);
  ~NpzWriter();

  void write(const std::string& name, const NumpyArray& array);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
void write_npz(const std::string& path, const NumpyArchive& arrays, bool overwrite = true);
// The bytes before the data in a .npy file.
std::string npy_header(const NumpyArray& array);

}  // namespace mgnn
