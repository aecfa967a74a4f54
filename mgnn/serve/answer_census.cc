// How often each motif occurs in the whole graph, and whether that is more often than at random.
#include <cmath>

#include "mgnn/serve/answers.h"

namespace mgnn {
namespace {

template <class Values>
Json by_motif(const Values& values) {
  Json json = Json::object();
  for (int k = 1; k <= kNumMotifs; k++) json[motif_label(k)] = values[size_t(k - 1)];
  return json;
}

// JSON has no infinity: null where all random graphs have one count and the graph another.
Json null_model_json(const NullModel& null) {
  Json json = {{"graphs", null.graphs}, {"mean", by_motif(null.mean)}};
  json["deviation"] = by_motif(null.deviation);
  json["z_score"] = Json::object();
  for (int k = 1; k <= kNumMotifs; k++) {
    const double z = null.z_score[size_t(k - 1)];
    json["z_score"][motif_label(k)] = std::isfinite(z) ? Json(z) : Json();
  }
  json["p_value"] = by_motif(null.p_value);
  json["q_value"] = by_motif(null.q_value);
  return json;
}

}  // namespace

Response answer_census(const Query& q) {
  const ServedModel& model = q.model;
  Json json = {{"model", model.name},
               {"counting", name_of(model.census.counting)},
               {"motifs", by_motif(model.census.total)},
               {"can_compare", !model.is_set}};
  const bool asked = text_field(q.body, "null_model") == "true";
  if (asked && model.is_set)
    throw HttpError(422, fmt::format("{} is a set of graphs; random graphs are drawn for one graph",
                                     model.name));
  if (asked) model.null_model.begin(model.dataset.graph, model.census);
  const NullModelJob::State state = model.null_model.state();
  if (!state.error.empty()) throw HttpError(500, state.error);
  if (state.result)
    json["null_model"] = null_model_json(*state.result);
  else if (state.begun)
    json["computing"] = {{"done", state.done}, {"graphs", NullModelJob::kGraphs}};
  return json_response(json, 1);
}

}  // namespace mgnn
