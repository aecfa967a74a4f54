// HDF5 files of named arrays and texts, for other programs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// There is no reader: the HDF5 library is not safe against broken or hostile files.
//
// Several threads may use different writers at once.

// Builds the file in memory, compressed; `commit` writes it to a temporary name and renames. The
// same calls give the same bytes. A name may have groups: "features/value". Can be interrupted, and
// then leaves nothing.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path, bool overwrite = true);
  ~Hdf5Writer();

  // T: int32_t, int64_t, uint64_t, float, double, uint8_t/char. No shape: one dimension.
  template <class T>
  void write(const std::string& name, std::span<const T> values, std::vector<int64_t> shape = {});
  // As strings of one width, padded with NUL (those at the end of a text are lost).
  void write(const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& name, const std::string& text);  // up to 60,000 bytes
  void attribute(const std::string& name, int64_t number);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mgnn
