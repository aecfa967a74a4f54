// Dataset folders: the first byte chooses a layout, the rest is the content of its files, one after
// the other with a record separator between them.
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/data/load.h"

namespace {

const std::vector<std::vector<const char*>> kLayouts = {
    {"X_A.txt", "X_graph_indicator.txt", "X_graph_labels.txt", "X_node_labels.txt",
     "X_node_attributes.txt", "X_edge_labels.txt"},
    {"out1_graph_edges.txt", "out1_node_feature_label.txt"},
    {"x.cites", "x.content"},
    {"nodes.tsv", "edges.tsv", "metaedges.tsv"},
    {"ind.x.graph", "ind.x.test.index", "ind.x.x", "ind.x.y", "ind.x.tx", "ind.x.ty", "ind.x.allx",
     "ind.x.ally"},
    {"graphs.csv", "nodes.csv", "edges.csv"},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static mgnn::fuzz::Scratch scratch;
  if (size == 0) return 0;
  const size_t layout = data[0] % kLayouts.size();
  const std::string folder = std::to_string(layout);  // whose files are all there every time
  static bool made[16] = {};
  if (!std::exchange(made[layout], true)) std::filesystem::create_directory(scratch.path(folder));
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const char* name : kLayouts[layout]) {
    const std::string_view content = rest.substr(0, rest.find('\x1e'));
    scratch.input(folder + "/" + name, content);
    rest.remove_prefix(std::min(content.size() + 1, rest.size()));
  }
  try {
    mgnn::load_dataset(scratch.path(folder));
  } catch (const mgnn::Error&) {
  }
  return 0;
}
