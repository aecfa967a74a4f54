// Files of every ending that a user may have: the first byte chooses it, the second how it is read, the
// rest is the content.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/base/memory.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/load.h"

namespace {

std::vector<std::string> all_endings() {
  std::vector<std::string> endings = {"", ".edges", ".tsv.gz", ".csv.bz2", ".mtx.zst", ".xyz"};
  for (const mgnn::GraphFormat& format : mgnn::graph_formats())
    for (const std::string_view ending : format.endings)
      endings.push_back("." + std::string(ending));
  return endings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const fuzz::Scratch scratch;
  static const std::vector<std::string> endings = all_endings();
  if (size < 2) return 0;
  const std::string name = "x" + endings[data[0] % endings.size()];
  const std::string path = scratch.write(name, {reinterpret_cast<const char*>(data) + 2, size - 2});
  LoadOptions options;
  options.undirected = data[1] & 1;
  options.weighted = data[1] & 2;
  options.largest_component = data[1] & 4;
  options.edge_list.ids = IdKind((data[1] >> 3) % 3);
  options.edge_list.trim = data[1] & 32;
  Dataset dataset;
  try {
    dataset = read_graph_file(path, options);
  } catch (const Error&) {
    return 0;
  }
  validate(dataset);
  return 0;
}
