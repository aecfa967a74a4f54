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
    {"x_nodes.tsv", "x_edges.tsv"},
    {"people.csv", "knows.csv"},
    {"raw/edge.csv", "raw/num-node-list.csv", "raw/num-edge-list.csv", "raw/node-feat.csv",
     "raw/node-label.csv", "raw/graph-label.csv", "split/s/train.csv", "split/s/valid.csv",
     "split/s/test.csv"},
    {"raw/num-node-dict.csv", "raw/triplet-type-list.csv", "raw/relations/a___r___b/edge.csv",
     "raw/node-label/a/node-label.csv"},
    {"out.x"},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static mgnn::fuzz::Scratch scratch;
  if (size == 0) return 0;
  const size_t layout = data[0] % kLayouts.size();
  const std::string folder = std::to_string(layout);  // whose files are all there every time
  static bool made[16] = {};
  if (!std::exchange(made[layout], true))
    for (const char* name : kLayouts[layout])
      std::filesystem::create_directories(
          std::filesystem::path(scratch.path(folder + "/" + name)).parent_path());
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
