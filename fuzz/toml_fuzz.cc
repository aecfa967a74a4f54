// Settings as TOML, and tables of them as in the file of profiles.
#include "mgnn/base/error.h"
#include "mgnn/base/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    mgnn::parse_toml(text, "fuzz.toml");
  } catch (const mgnn::Error&) {
  }
  try {
    mgnn::parse_toml_tables(text, "fuzz.toml", "profile");
  } catch (const mgnn::Error&) {
  }
  return 0;
}
