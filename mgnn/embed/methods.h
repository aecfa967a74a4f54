// The table of embedding methods. Command line, comparisons and tests that loop over all methods
// read it.
#pragma once

#include <span>
#include <string_view>

#include "mgnn/embed/embedding.h"

namespace mgnn {

struct EmbeddingMethod {
  const char* name;
  const char* summary;
  const char* paper;
  Level level;
  std::unique_ptr<Embedding> (*make)();
  Settings karateclub = {};  // of the karateclub variant; empty: the method has none
};
std::span<const EmbeddingMethod> embedding_methods();

// Throws Error (usage) with the nearest name.
const EmbeddingMethod& find_embedding_method(std::string_view name);

// The method with the settings of its variant, then `settings`. Throws Error (usage) on settings
// that it does not have, and if it has no such variant.
std::unique_ptr<Embedding> make_embedding(const EmbeddingMethod& method,
                                          const Settings& settings = {},
                                          EmbeddingVariant variant = EmbeddingVariant::paper);

std::unique_ptr<Embedding> make_deepwalk();
std::unique_ptr<Embedding> make_node2vec();
std::unique_ptr<Embedding> make_grarep();
std::unique_ptr<Embedding> make_hope();
std::unique_ptr<Embedding> make_graph2vec();
std::unique_ptr<Embedding> make_gl2vec();
std::unique_ptr<Embedding> make_netlsd();
std::unique_ptr<Embedding> make_feather();

}  // namespace mgnn
