#include <algorithm>
#include <type_traits>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/hdf5.h"
#include "mgnn/io/hdf5_handle.h"
#include "mgnn/io/memory.h"

namespace mgnn {

struct Hdf5Reader::State {
  std::string path;
  int64_t file_size;
  Hdf5Handle file;

  [[noreturn]] void fail_reading(const std::string& name, const std::string& problem) const {
    fail_data("{}: {}: {}", path, in_quotes(name), problem);
  }
  void check(bool ok, const std::string& name) const {
    if (!ok) fail_reading(name, "cannot be read: " + hdf5_reason());
  }
  bool has(const std::string& name) const;
  Hdf5Handle open_array(const std::string& name) const;
  Hdf5Handle open_attribute(const std::string& name) const;
  std::vector<int64_t> shape(const std::string& name, hid_t set) const;
  int64_t checked_elements(const std::string& name, hid_t set, int64_t width) const;
};

namespace {

template <class T>
constexpr const char* type_name() {
  if (std::is_same_v<T, int32_t>) return "32-bit integers";
  if (std::is_same_v<T, int64_t>) return "64-bit integers";
  if (std::is_same_v<T, uint64_t>) return "unsigned 64-bit integers";
  if (std::is_same_v<T, float>) return "32-bit floats";
  if (std::is_same_v<T, double>) return "64-bit floats";
  return "bytes";
}

// The width of a fixed-width string type, or 0 if it is another type.
size_t text_width(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  return H5Tget_size(type);
}

std::string unpadded(const char* bytes, size_t width) {
  while (width > 0 && bytes[width - 1] == '\0') width--;
  return std::string(bytes, width);
}

}  // namespace

// Every group on the way is asked for, since the library reports a missing one as an error.
bool Hdf5Reader::State::has(const std::string& name) const {
  if (name.empty() || name[0] == '/' || name.find('\0') != std::string::npos) return false;
  for (size_t end = name.find('/');; end = name.find('/', end + 1)) {
    if (H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) break;
  }
  return H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5Handle Hdf5Reader::State::open_array(const std::string& name) const {
  if (!has(name)) fail_data("{}: has no array {}", path, in_quotes(name));
  Hdf5Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.ok()) fail_reading(name, "is not an array");
  return set;
}

Hdf5Handle Hdf5Reader::State::open_attribute(const std::string& name) const {
  Hdf5Handle attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.ok()) fail_data("{}: has no attribute {}", path, in_quotes(name));
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) fail_reading(name, "is not a single value");
  return attribute;
}

std::vector<int64_t> Hdf5Reader::State::shape(const std::string& name, hid_t set) const {
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  hsize_t lengths[H5S_MAX_RANK];
  const int dimensions = H5Sget_simple_extent_dims(space, lengths, nullptr);
  check(dimensions >= 0, name);
  return std::vector<int64_t>(lengths, lengths + dimensions);
}

// Number of elements of `width` bytes, if they can be: deflate inflates up to 1032 times.
int64_t Hdf5Reader::State::checked_elements(const std::string& name, hid_t set,
                                            int64_t width) const {
  int64_t elements = 1;
  for (int64_t length : shape(name, set))
    elements = saturated_product(elements, std::max<int64_t>(length, 0));
  const int64_t bytes = saturated_product(elements, width);
  if (bytes > saturated_product(file_size, 1032))
    fail_reading(name, "claims to be larger than the file can hold");
  check_memory(bytes, path + ": " + in_quotes(name));
  return elements;
}

Hdf5Reader::Hdf5Reader(const std::string& path) {
  const bool packed = is_compressed(map_file(path).view());
  const FileBytes bytes = read_bytes(path);
  check_hdf5_block(bytes.view(), path);
  const Hdf5Session session;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);
  if (packed) {  // the library reads a copy of the unpacked bytes, under the name of no file
    check_memory(int64_t(bytes.size()), path);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5Pset_file_image(access, const_cast<char*>(bytes.view().data()), bytes.size());
  }
  const std::string name = packed ? path + " unpacked" : path;
  Hdf5Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.ok()) fail_data("{}: cannot be opened as HDF5: {}", path, hdf5_reason());
  state_.reset(new State{path, int64_t(bytes.size()), std::move(file)});
}

Hdf5Reader::~Hdf5Reader() {
  const Hdf5Session session;
  if (state_) state_->file.close();
}

bool Hdf5Reader::has(const std::string& name) const {
  const Hdf5Session session;
  return state_->has(name);
}

std::vector<int64_t> Hdf5Reader::shape(const std::string& name) const {
  const Hdf5Session session;
  return state_->shape(name, state_->open_array(name));
}

template <class T>
Array<T> Hdf5Reader::read(const std::string& name) const {
  const Hdf5Session session;
  const Hdf5Handle set = state_->open_array(name);
  const Hdf5Handle type(H5Dget_type(set), H5Tclose);
  if (H5Tequal(type, hdf5_type<T>()) <= 0)
    state_->fail_reading(name, std::string("does not hold ") + type_name<T>());
  Array<T> values(size_t(state_->checked_elements(name, set, sizeof(T))));
  if (!values.empty())
    state_->check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, name);
  return values;
}

template Array<int32_t> Hdf5Reader::read(const std::string&) const;
template Array<int64_t> Hdf5Reader::read(const std::string&) const;
template Array<uint64_t> Hdf5Reader::read(const std::string&) const;
template Array<float> Hdf5Reader::read(const std::string&) const;
template Array<double> Hdf5Reader::read(const std::string&) const;
template Array<uint8_t> Hdf5Reader::read(const std::string&) const;
template Array<char> Hdf5Reader::read(const std::string&) const;

std::vector<std::string> Hdf5Reader::read_texts(const std::string& name) const {
  const Hdf5Session session;
  const Hdf5Handle set = state_->open_array(name);
  const Hdf5Handle type(H5Dget_type(set), H5Tclose);
  const size_t width = text_width(type);
  if (width == 0) state_->fail_reading(name, "does not hold texts");
  const int64_t count = state_->checked_elements(name, set, int64_t(width));
  check_memory(saturated_product(count, int64_t(sizeof(std::string) + width)), state_->path);
  Array<char> padded(size_t(count) * width);
  if (count > 0)
    state_->check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0, name);
  std::vector<std::string> texts;
  texts.reserve(size_t(count));
  for (size_t i = 0; i < size_t(count); i++)
    texts.push_back(unpadded(padded.data() + i * width, width));
  return texts;
}

bool Hdf5Reader::has_attribute(const std::string& name) const {
  const Hdf5Session session;
  return H5Aexists(state_->file, name.c_str()) > 0;
}

std::string Hdf5Reader::text_attribute(const std::string& name) const {
  const Hdf5Session session;
  const Hdf5Handle attribute = state_->open_attribute(name);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
  const size_t width = text_width(type);
  if (width == 0 || width > size_t(state_->file_size)) state_->fail_reading(name, "is not a text");
  std::string text(width, '\0');
  state_->check(H5Aread(attribute, type, text.data()) >= 0, name);
  return unpadded(text.data(), width);
}

int64_t Hdf5Reader::number_attribute(const std::string& name) const {
  const Hdf5Session session;
  const Hdf5Handle attribute = state_->open_attribute(name);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tequal(type, hdf5_type<int64_t>()) <= 0)
    state_->fail_reading(name, "is not a whole number");
  int64_t number = 0;
  state_->check(H5Aread(attribute, type, &number) >= 0, name);
  return number;
}

}  // namespace mgnn
