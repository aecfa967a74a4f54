#include "cli/version.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/parallel.h"

namespace mgnn {

std::vector<std::pair<std::string, std::string>> build_facts() {
#ifdef __clang__
  const std::string compiler = fmt::format("clang++ {}", __clang_version__);
#else
  const std::string compiler = fmt::format("g++ {}", __VERSION__);
#endif
  const std::string instructions =
      fmt::format("generic, avx2 and avx512 compiled, {} in use", name_of(instruction_set()));
  return {{"version", MGNN_VERSION},
          {"compiler", compiler + ", " MGNN_BUILD_TYPE},
          {"instructions", instructions},
          {"threads", fmt::format("{}", num_threads())},
          {"components", MGNN_COMPONENTS}};
}

void print_version(bool json) {
  if (json) {
    nlohmann::ordered_json object;
    for (const auto& [what, value] : build_facts()) object[what] = value;
    print_json(object);
    return;
  }
  TextTable table{.columns = {{""}, {""}}, .rows = {}};
  for (const auto& [what, value] : build_facts())
    if (what != "version") table.rows.push_back({what, value});
  print("mgnn " MGNN_VERSION "\n");
  print(table);
}

}  // namespace mgnn
