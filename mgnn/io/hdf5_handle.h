// The HDF5 library's C interface, made safe: handles that close, one thread at a time, no chatter.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace mgnn {

// An identifier of the library with the function that closes it.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  bool ok() const { return id_ >= 0; }
  operator hid_t() const { return id_; }
  // Closes now; false if the library reports a problem, such as bytes that could not be written.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// While one lives, this thread alone uses the library, and the library prints nothing. Declare it
// before any handle, so that they close first.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// Why the last call failed, in the library's words.
std::string hdf5_reason();

// The type in the file for a C++ type.
template <class T>
hid_t hdf5_type();

// A fixed-width UTF-8 string type.
Hdf5Handle hdf5_text_type(size_t width);

}  // namespace mgnn
