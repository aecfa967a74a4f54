#include "mgnn/io/hdf5_handle.h"

#include <algorithm>

namespace mgnn {
namespace {

std::mutex library_mutex;

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

}  // namespace mgnn
