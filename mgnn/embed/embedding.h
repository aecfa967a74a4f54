// What every embedding method is: settings, and a function from graphs to vectors.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "mgnn/base/options.h"
#include "mgnn/graph/graph.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

// One graph, or a set of graphs as their block-diagonal union. Methods ignore the fields that they
// have no use for. Everything here must outlive the call.
struct EmbedInput {
  const Graph& graph;
  std::span<const NodeId> graph_start = {};  // (graphs + 1); empty: one graph
  std::span<const float> arc_weight = {};    // (arcs), in the order of graph.out; empty: all 1
  std::span<const int32_t> node_label = {};  // (n), or empty
  std::span<const int32_t> arc_label = {};   // (arcs), or empty

  NodeId num_graphs() const { return graph_start.empty() ? 1 : NodeId(graph_start.size()) - 1; }
  // First node of graph g, and the one after its last.
  std::pair<NodeId, NodeId> nodes_of(NodeId g) const {
    if (graph_start.empty()) return {0, graph.num_nodes()};
    return {graph_start[g], graph_start[g + 1]};
  }
};

// A method with its options, ready to run.
class Embedding {
 public:
  virtual ~Embedding() = default;
  // Handles to the options of this object. Every method has the option `seed`; those that train
  // with threads have `unordered`.
  virtual Options options() = 0;
  // (nodes or graphs, dimension). The same seed gives the same bits for any number of threads,
  // unless `unordered`. Throws Error (usage) on invalid options, and (interrupted).
  virtual Matrix run(const EmbedInput& input) const = 0;
  // (graphs, dimension) for graphs that are not in `fitted`. Throws Error (usage) if the method
  // embeds only graphs that it is fitted on.
  virtual Matrix infer(const EmbedInput& fitted, const EmbedInput& unseen) const;
};

// The method as its paper has it, or as the Python package karateclub implements it.
enum class EmbeddingVariant { paper, karateclub };
constexpr auto enum_names(EmbeddingVariant) {
  return std::to_array<Named<EmbeddingVariant>>(
      {{"paper", EmbeddingVariant::paper}, {"karateclub", EmbeddingVariant::karateclub}});
}

// ---- the table of methods

struct EmbeddingMethod {
  const char* name;
  const char* summary;
  const char* paper;
  Level level;
  std::unique_ptr<Embedding> (*make)();
  Settings karateclub = {};  // of the karateclub variant; empty: the method has none
};
// Those of the library, then those that were added.
std::span<const EmbeddingMethod> embedding_methods();
// Adds a method to the table. Throws Error (usage) if the name is taken. Not thread-safe: to be
// called before anything uses the table.
void add_embedding_method(const EmbeddingMethod& method);

// Throws Error (usage) with the nearest name.
const EmbeddingMethod& find_embedding_method(std::string_view name);

// The method with the settings of its variant, then `settings`. Throws Error (usage) on settings
// that it does not have, and if it has no such variant.
std::unique_ptr<Embedding> make_embedding(const EmbeddingMethod& method,
                                          const Settings& settings = {},
                                          EmbeddingVariant variant = EmbeddingVariant::paper);

}  // namespace mgnn
