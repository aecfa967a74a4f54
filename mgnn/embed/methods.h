// The table of embedding methods. Command line, comparisons and tests that loop over all methods
// read it.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mgnn/base/options.h"
#include "mgnn/embed/embedding.h"

namespace mgnn {

// A method with its options, ready to run.
class Embedding {
 public:
  virtual ~Embedding() = default;
  virtual Options options() = 0;  // handles to the options of this object
  // Every method has the option `seed`; those that learn with threads have `unordered`.
  virtual Matrix run(const EmbedInput& input) const = 0;
  // Rows for graphs that were not in `fitted`. Throws Error (usage) where the method has no such.
  virtual Matrix infer(const EmbedInput& fitted, const EmbedInput& unseen) const;
};

struct EmbeddingMethod {
  const char* name;
  const char* summary;
  const char* paper;
  bool nodes;  // a row for every node; else one for every graph
  std::unique_ptr<Embedding> (*make)();
  // With the settings of karateclub's code, where they give something else; null: they do not.
  std::unique_ptr<Embedding> (*make_karateclub)();
};
std::span<const EmbeddingMethod> embedding_methods();

// Throws Error (usage) with the nearest name.
const EmbeddingMethod& find_embedding_method(std::string_view name);

}  // namespace mgnn
