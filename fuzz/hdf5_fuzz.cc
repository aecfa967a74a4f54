// HDF5 files: whatever is not a file of ours, whole, must stop before the HDF5 library.
#include <unistd.h>

#include <cstdlib>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/io/hdf5.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = "/tmp/mgnn-hdf5-fuzz-" + std::to_string(getpid()) + ".h5";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) std::abort();
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  try {
    const mgnn::Hdf5Reader reader(path);
    reader.text_attribute("kind");
    reader.read<int32_t>("index");
    reader.read_texts("names");
  } catch (const mgnn::Error&) {
  }
  unlink(path.c_str());  // a new file is far cheaper than an overwritten one
  return 0;
}
