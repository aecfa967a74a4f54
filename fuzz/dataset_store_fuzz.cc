// Whole datasets in safetensors files: what is read is sound.
#include "fuzz/tensor_file.h"
#include "mgnn/base/error.h"
#include "mgnn/data/dataset_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mgnn::Dataset dataset;
  try {
    dataset = mgnn::parse_dataset(mgnn::fuzz::without_sums(data, size), "fuzz.safetensors");
  } catch (const mgnn::Error&) {
    return 0;
  }
  mgnn::validate(dataset);
  return 0;
}
