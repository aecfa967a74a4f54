// A user's edges and nodes: the first byte chooses what is stated of the columns; then the two tables with
// a record separator between them.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/data/load.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static fuzz::Scratch scratch;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view edges = bytes.substr(0, bytes.find('\x1e'));
  LoadOptions options;
  options.nodes = scratch.input("nodes.csv", bytes.substr(std::min(edges.size() + 1, size - 1)));
  const std::string path = scratch.input("edges.csv", edges);
  if (data[0] & 1) options.id_column = "a";
  if (data[0] & 2) options.label_column = "b";
  if (data[0] & 4) options.target_column = "c";
  if (data[0] & 8) options.split_column = "d";
  if (data[0] & 16) options.type_column = "e", options.type_features = true;
  if (data[0] & 32) options.feature_columns = {"f", "g"};
  Dataset dataset;
  try {
    dataset = read_graph_file(path, options);
  } catch (const Error&) {
    return 0;
  }
  validate(dataset);
  return 0;
}
