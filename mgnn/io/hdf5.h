// HDF5 files as named arrays and texts. What we write we read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// Our files begin with 512 bytes of our own (a "user block", which HDF5 passes over, so that h5py
// and h5dump open them as any other): what they are, their length, and a checksum of the rest. The
// HDF5 library is not safe against broken files; so a damaged file, or one that is not ours, is
// refused before the library sees it. The checksum finds damage, not forgery.
//
// Several threads may use different readers and writers at once.

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

// Reads compressed files too. Throws Error (data) if the file is not one of ours, is damaged, or
// lacks what is asked for; the size of an array is checked against the file and the memory at hand
// before it is read.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path);
  ~Hdf5Reader();

  bool has(const std::string& name) const;
  std::vector<int64_t> shape(const std::string& name) const;
  // T must be the type that was written (uint8_t and char are one).
  template <class T>
  Array<T> read(const std::string& name) const;
  std::vector<std::string> read_texts(const std::string& name) const;
  bool has_attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;
  int64_t number_attribute(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mgnn
