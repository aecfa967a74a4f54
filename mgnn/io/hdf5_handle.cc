#include "mgnn/io/hdf5_handle.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "mgnn/base/error.h"
#include "mgnn/base/rng.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

std::mutex library_mutex;

constexpr std::string_view kHdf5Magic = "mgnn hdf5 1\n";

struct Stamp {  // behind the magic
  uint64_t length, checksum;
};

// Four lanes of a multiplicative hash, so that it is as fast as memory. Every step is a bijection
// of the state: damage within one word always shows.
uint64_t checksum(std::string_view bytes) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  std::array<uint64_t, 4> lane = {1, 2, 3, 4};
  const auto step = [&](uint64_t& state, uint64_t word) {
    state = (state ^ word) * kOdd;
    state ^= state >> 29;
  };
  size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + i, 32);
    for (size_t k = 0; k < 4; k++) step(lane[k], words[k]);
  }
  for (; i < bytes.size(); i++) step(lane[0], uint8_t(bytes[i]) + 1);
  uint64_t sum = bytes.size();
  for (uint64_t state : lane) sum = mix_bits(sum ^ state) + kOdd;
  return sum;
}

herr_t innermost(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc ? error->desc : "";
  return 1;  // the first one is enough
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(library_mutex) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &reason);
  reason.erase(std::min(reason.find('\n'), reason.size()));
  fail_if_memory(reason.c_str());
  return reason.empty() ? "unknown reason" : reason;
}

template <>
hid_t hdf5_type<int32_t>() {
  return H5T_STD_I32LE;
}
template <>
hid_t hdf5_type<int64_t>() {
  return H5T_STD_I64LE;
}
template <>
hid_t hdf5_type<uint64_t>() {
  return H5T_STD_U64LE;
}
template <>
hid_t hdf5_type<float>() {
  return H5T_IEEE_F32LE;
}
template <>
hid_t hdf5_type<double>() {
  return H5T_IEEE_F64LE;
}
template <>
hid_t hdf5_type<uint8_t>() {
  return H5T_STD_U8LE;
}
template <>
hid_t hdf5_type<char>() {
  return H5T_STD_U8LE;
}

Hdf5Handle hdf5_text_type(size_t width) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, width);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

std::string hdf5_block(std::string_view rest) {
  const Stamp stamp{kHdf5BlockSize + rest.size(), checksum(rest)};
  std::string block(kHdf5Magic);
  block.append(reinterpret_cast<const char*>(&stamp), sizeof stamp);
  block.resize(kHdf5BlockSize, '\0');
  return block;
}

void check_hdf5_block(std::string_view file, const std::string& path) {
  if (!file.starts_with(kHdf5Magic)) {
    const bool foreign = file.starts_with("\x89HDF\r\n\x1a\n");
    fail_data("{}: is {}", path,
              foreign ? "an HDF5 file of another program; only those that mgnn wrote can be read"
                      : "no HDF5 file that mgnn wrote");
  }
  Stamp stamp{};
  if (file.size() >= kHdf5BlockSize)
    std::memcpy(&stamp, file.data() + kHdf5Magic.size(), sizeof stamp);
  if (file.size() < kHdf5BlockSize || file.size() < stamp.length)
    fail_data("{}: is cut short: {} bytes are left of {}", path, file.size(),
              std::max<uint64_t>(stamp.length, kHdf5BlockSize));
  if (file.substr(0, kHdf5BlockSize) != hdf5_block(file.substr(kHdf5BlockSize)))
    fail_data("{}: is damaged: its checksum is wrong; write it again", path);
}

}  // namespace mgnn
