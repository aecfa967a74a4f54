// The library builds the file in memory and we put it on the disk: a file that it cannot write or
// close, on a full disk, leaves it in a state in which it crashes when the program ends.

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/io/hdf5.h"
#include "mgnn/io/hdf5_handle.h"
#include "mgnn/io/memory.h"

namespace mgnn {

struct Hdf5Writer::State {
  std::string path;
  AtomicFile output;
  Hdf5Handle file;  // in memory

  [[noreturn]] void fail_writing(const std::string& what) const {
    fail("{}: {} cannot be written: {}", path, what, hdf5_reason());
  }
  void check(bool ok, const std::string& what) const {
    if (!ok) fail_writing(what);
  }
  Hdf5Handle checked(Hdf5Handle handle, const std::string& what) const {
    check(handle.ok(), what);
    return handle;
  }
  void write(const std::string& name, hid_t type, const void* values,
             const std::vector<int64_t>& shape) const;
  void write_rows(hid_t set, const std::string& name, hid_t type, const void* values,
                  const std::vector<hsize_t>& shape) const;
  void write_attribute(const std::string& name, hid_t type, const void* value) const;
};

namespace {

// About 64 Ki elements, as many whole rows as go into that.
std::vector<hsize_t> chunk_of(const std::vector<hsize_t>& shape) {
  std::vector<hsize_t> chunk(shape.size());
  hsize_t budget = 1 << 16;
  for (size_t d = shape.size(); d-- > 0;) {
    chunk[d] = std::min(shape[d], budget);
    budget = std::max<hsize_t>(budget / chunk[d], 1);
  }
  return chunk;
}

// How a dataset is laid out; no times, so that the same content gives the same bytes.
Hdf5Handle layout_of(const std::vector<hsize_t>& shape, int64_t elements) {
  constexpr int64_t kWorthPacking = 64;
  Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(layout, false);
  if (elements < kWorthPacking) return layout;
  H5Pset_chunk(layout, int(shape.size()), chunk_of(shape).data());
  H5Pset_shuffle(layout);
  H5Pset_deflate(layout, 4);
  return layout;
}

}  // namespace

// A few chunks at a time, between which it can be interrupted: packing takes longer than all else.
void Hdf5Writer::State::write_rows(hid_t set, const std::string& name, hid_t type,
                                   const void* values, const std::vector<hsize_t>& shape) const {
  constexpr hsize_t kChunks = 8;
  const hsize_t step = kChunks * chunk_of(shape)[0];
  size_t row_bytes = H5Tget_size(type);
  for (size_t d = 1; d < shape.size(); d++) row_bytes *= shape[d];
  std::vector<hsize_t> start(shape.size(), 0), count = shape;
  const Hdf5Handle space(H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose);
  for (; start[0] < shape[0]; start[0] += step) {
    check_interrupted();
    count[0] = std::min(step, shape[0] - start[0]);
    const Hdf5Handle part(H5Screate_simple(int(count.size()), count.data(), nullptr), H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr) >= 0 &&
              H5Dwrite(set, type, part, space, H5P_DEFAULT,
                       static_cast<const char*>(values) + start[0] * row_bytes) >= 0,
          name);
  }
}

void Hdf5Writer::State::write(const std::string& name, hid_t type, const void* values,
                              const std::vector<int64_t>& shape) const {
  check(file.ok(), name);
  const std::vector<hsize_t> lengths(shape.begin(), shape.end());
  int64_t elements = 1;
  for (int64_t length : shape) elements *= length;
  const Hdf5Handle space =
      checked({H5Screate_simple(int(lengths.size()), lengths.data(), nullptr), H5Sclose}, name);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle layout = layout_of(lengths, elements);
  Hdf5Handle set = checked(
      {H5Dcreate2(file, name.c_str(), type, space, links, layout, H5P_DEFAULT), H5Dclose}, name);
  if (elements > 0) write_rows(set, name, type, values, lengths);
  check(set.close(), name);
}

void Hdf5Writer::State::write_attribute(const std::string& name, hid_t type,
                                        const void* value) const {
  check(file.ok(), name);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute = checked(
      {H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose}, name);
  check(H5Awrite(attribute, type, value) >= 0, name);
}

Hdf5Writer::Hdf5Writer(const std::string& path, bool overwrite)
    : state_(new State{path, AtomicFile(path, overwrite), {}}) {
  const Hdf5Session session;
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 20, false);
  state_->file = state_->checked(
      {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose}, "the file");
}

Hdf5Writer::~Hdf5Writer() {
  const Hdf5Session session;
  state_->file.close();
}

template <class T>
void Hdf5Writer::write(const std::string& name, std::span<const T> values,
                       std::vector<int64_t> shape) {
  if (shape.empty()) shape = {int64_t(values.size())};
  int64_t elements = 1;
  for (int64_t length : shape) elements = saturated_product(elements, std::max<int64_t>(length, 0));
  mgnn::check(
      elements == int64_t(values.size()) && *std::min_element(shape.begin(), shape.end()) >= 0,
      "{}: {}: {} values do not fill the shape", state_->path, name, values.size());
  const Hdf5Session session;
  state_->write(name, hdf5_type<T>(), values.data(), shape);
}

template void Hdf5Writer::write(const std::string&, std::span<const int32_t>, std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const int64_t>, std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const uint64_t>,
                                std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const float>, std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const double>, std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const uint8_t>, std::vector<int64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const char>, std::vector<int64_t>);

void Hdf5Writer::write(const std::string& name, const std::vector<std::string>& texts) {
  size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  const int64_t total = saturated_product(int64_t(texts.size()), int64_t(width));
  check_memory(total, state_->path + ": " + name);
  std::string padded(size_t(total), '\0');
  for (size_t i = 0; i < texts.size(); i++) texts[i].copy(padded.data() + i * width, width);
  const Hdf5Session session;
  state_->write(name, hdf5_text_type(width), padded.data(), {int64_t(texts.size())});
}

void Hdf5Writer::attribute(const std::string& name, const std::string& text) {
  constexpr size_t kMaxAttributeBytes =
      60'000;  // of an attribute in HDF5's basic format, with its name
  mgnn::check(text.size() + name.size() <= kMaxAttributeBytes,
              "{}: {}: an attribute has up to {} bytes; write longer texts as an array",
              state_->path, name, kMaxAttributeBytes);
  const Hdf5Session session;
  const size_t width = std::max<size_t>(text.size(), 1);
  state_->write_attribute(name, hdf5_text_type(width), text.c_str());
}

void Hdf5Writer::attribute(const std::string& name, int64_t number) {
  const Hdf5Session session;
  state_->write_attribute(name, hdf5_type<int64_t>(), &number);
}

void Hdf5Writer::commit() {
  Array<char> image;
  {
    const Hdf5Session session;
    state_->check(state_->file.ok() && H5Fflush(state_->file, H5F_SCOPE_LOCAL) >= 0, "the file");
    const ssize_t size = H5Fget_file_image(state_->file, nullptr, 0);
    state_->check(size >= 0, "the file");
    check_memory(size, state_->path);
    image.resize(size_t(size));
    state_->check(H5Fget_file_image(state_->file, image.data(), image.size()) == size, "the file");
    state_->file.close();
  }
  check_interrupted();
  state_->output.write({image.data(), image.size()});
  state_->output.commit();
}

}  // namespace mgnn
