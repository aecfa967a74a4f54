#include "c/buffers.h"
#include "c/handles.h"
#include "c/options_json.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/task/probe.h"

namespace mgnn::c {
namespace {

Json json_of(const EmbeddingMethod& method) {
  return {{"name", method.name},
          {"summary", method.summary},
          {"paper", method.paper},
          {"level", name_of(method.level)},
          {"karateclub", !method.karateclub.empty()},
          {"options", json_of_options(method.make()->options())}};
}

struct Chosen {
  const EmbeddingMethod& method;
  std::unique_ptr<Embedding> embedding;
};

// The seed of the options, unless the settings have one.
Chosen chosen_by(const mgnn_embed_options* options) {
  const auto asked = given(&needed(options, "options"), "mgnn_embed_options");
  const EmbeddingMethod& method = find_embedding_method(&needed(asked.method, "method"));
  Settings settings;
  settings.emplace_back("seed", std::to_string(asked.seed));
  for (Setting& setting : settings_of(asked.settings)) settings.push_back(std::move(setting));
  const auto variant = parse_name<EmbeddingVariant>("variant", text_of(asked.variant, "paper"));
  return {method, make_embedding(method, settings, variant)};
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_embed_methods(mgnn_buffer** json) {
  return guarded([&] {
    Json list = Json::array();
    for (const EmbeddingMethod& method : embedding_methods()) list.push_back(json_of(method));
    needed(json, "json") = new_buffer(list);
  });
}

int mgnn_embed(const mgnn_call* call, const mgnn_dataset* dataset,
               const mgnn_embed_options* options, mgnn_matrix** vectors) {
  return in_call(call, [&] {
    needed(vectors, "vectors");
    const Chosen chosen = chosen_by(options);
    Matrix result = embed(dataset_of(dataset), chosen.method, *chosen.embedding);
    check_interrupted();
    *vectors = new_matrix(std::move(result));
  });
}

int mgnn_embed_unseen(const mgnn_call* call, const mgnn_dataset* fitted, const mgnn_dataset* unseen,
                      const mgnn_embed_options* options, mgnn_matrix** vectors) {
  return in_call(call, [&] {
    needed(vectors, "vectors");
    const Chosen chosen = chosen_by(options);
    Matrix result = embed_unseen(dataset_of(fitted), dataset_of(unseen), *chosen.embedding);
    check_interrupted();
    *vectors = new_matrix(std::move(result));
  });
}
