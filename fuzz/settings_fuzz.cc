// A configuration file: what is accepted and written again is the same.
#include "mgnn/base/error.h"
#include "mgnn/base/toml.h"
#include "mgnn/task/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  std::unique_ptr<Config> config;
  try {
    config = resolve_config(
        {.file = parse_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml")});
  } catch (const Error&) {
    return 0;
  }
  const std::string written = toml_of(config->options());
  const std::unique_ptr<Config> again = resolve_config({.file = parse_toml(written, "again.toml")});
  if (toml_of(again->options()) != written) __builtin_trap();
  return 0;
}
