#include "fuzz/http_request.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mgnn::fuzz::try_http_request({reinterpret_cast<const char*>(data), size});
  return 0;
}
