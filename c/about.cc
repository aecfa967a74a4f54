// What the library says of itself and of the machine.

#include <unistd.h>

#include "c/buffers.h"
#include "c/call.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/memory.h"
#include "mgnn/data/locate.h"
#include "mgnn/models/trees.h"
#include "mgnn/report/figure.h"

namespace mgnn::c {
namespace {

Json version_json() {
#ifdef __clang__
  const std::string compiler = fmt::format("clang++ {}", __clang_version__);
#else
  const std::string compiler = fmt::format("g++ {}", __VERSION__);
#endif
  return {{"version", MGNN_VERSION},
          {"abi", MGNN_ABI_VERSION},
          {"compiler", compiler},
          {"build", MGNN_BUILD_TYPE},
          {"instructions", name_of(instruction_set())},
          {"components", MGNN_COMPONENTS}};
}

Json memory_json() {
  Json limits = Json::array();
  for (const MemoryLimit& limit : memory_limits())
    limits.push_back({{"source", limit.source}, {"available", limit.available}});
  return {{"physical", int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)},
          {"available", available_memory_bytes()},
          {"limits", limits}};
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_version(mgnn_buffer** json) {
  return guarded([&] { needed(json, "json") = new_buffer(version_json()); });
}

int mgnn_doctor(mgnn_buffer** json) {
  return guarded([&] {
    needed(json, "json");
    const ThreadScope scope(0);
    Json facts = version_json();
    facts["threads"] = num_threads();
    facts["cores"] = int64_t(sysconf(_SC_NPROCESSORS_ONLN));
    facts["memory"] = memory_json();
    facts["data_folders"] = data_folders();
    facts["xgboost"] = has_trees();  // what the network bgnn needs
    facts["librsvg"] = has_png();    // what figures as PNG need
    *json = new_buffer(facts);
  });
}
