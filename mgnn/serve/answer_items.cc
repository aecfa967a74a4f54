// Answers about nodes, or graphs of a set, from what was computed when the model was loaded.
#include <algorithm>
#include <cmath>
#include <map>

#include "mgnn/serve/answers.h"
#include "mgnn/task/supervised.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

constexpr size_t kNeighboursShown = 50;

const char* item_word(const ServedModel& model) { return model.is_set ? "graph" : "node"; }

std::vector<std::string> asked_items(const Query& q) {
  const char* name = q.model.is_set ? "graphs" : "nodes";
  const char* other = q.model.is_set ? "nodes" : "graphs";
  if (q.body.contains(other))
    throw HttpError(422, fmt::format("{} is about {}; ask with {}", q.model.name, name, name));
  if (!q.body.contains(name))
    throw HttpError(422, fmt::format("{} is missing: ids to ask about", name));
  return texts_field(q.body, name);
}

Json probabilities_json(const ServedModel& model, std::span<const float> row) {
  Json json = Json::object();
  for (size_t c = 0; c < row.size(); c++) json[model.model.class_names[c]] = shortest(row[c]);
  return json;
}

// What the data say; nothing if they do not.
void add_truth(const ServedModel& model, NodeId item, Json& json) {
  const Dataset& data = model.dataset;
  if (!data.label.empty() && data.label[item] >= 0)
    json["true_class"] = data.class_names[data.label[item]];
  if (!data.label_set.empty() && !data.label_set[item].empty())
    for (const int32_t label : data.label_set[item])
      json["true_labels"].push_back(data.class_names[label]);
  if (!data.target.empty() && !std::isnan(data.target[item]))
    json["true_value"] = data.target[item];
  if (!model.part.empty() && *model.part[item]) json["split"] = model.part[item];
}

Json counts_json(const RoleCounts& counts) {
  Json roles = Json::object(), motifs = Json::object();
  const MotifCounts of_motif = motif_counts(counts);
  for (int k = 1; k <= kNumMotifs; k++) motifs[motif_label(k)] = of_motif[k - 1];
  for (const Role& r : all_roles()) roles[role_label(r.number)] = counts[r.number - 1];
  return {{"motifs", motifs}, {"roles", roles}};
}

Json degrees_json(const Graph& graph, NodeId node) {
  int64_t mutual = 0;
  for (const NodeId other : graph.out.row(node)) mutual += graph.has_arc(other, node);
  return {
      {"in", graph.in.row(node).size()}, {"out", graph.out.row(node).size()}, {"mutual", mutual}};
}

// Some neighbours in either direction, of all types in turn.
std::vector<NodeId> chosen_neighbours(const ServedModel& model, std::span<const NodeId> all) {
  std::map<std::string, std::vector<NodeId>> by_type;
  for (const NodeId other : all) by_type[model.type_of(other)].push_back(other);
  std::vector<NodeId> chosen;
  for (size_t turn = 0; chosen.size() < std::min(all.size(), kNeighboursShown); turn++)
    for (const auto& [type, nodes] : by_type)
      if (turn < nodes.size() && chosen.size() < kNeighboursShown) chosen.push_back(nodes[turn]);
  return chosen;
}

Json neighbours_json(const ServedModel& model, NodeId node) {
  const Graph& graph = model.dataset.graph;
  const auto in = graph.in.row(node), out = graph.out.row(node);
  std::vector<NodeId> both;
  std::set_union(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(both));
  Json list = Json::array();
  for (const NodeId other : chosen_neighbours(model, both)) {
    const bool to = graph.has_arc(node, other), from = graph.has_arc(other, node);
    Json entry = {{"node", model.item_name(other)},
                  {"arc", to && from ? "both"
                          : to       ? "out"
                                     : "in"}};
    if (const std::string type = model.type_of(other); !type.empty()) entry["type"] = type;
    list.push_back(std::move(entry));
  }
  return {{"count", both.size()}, {"first", list}};
}

}  // namespace

Response json_response(const Json& json, int64_t items) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", .items = items};
}

Json prediction_json(const ServedModel& model, const std::string& item, const Matrix& answers,
                     int64_t row) {
  Json json = {{item_word(model), item}};
  const std::vector<std::string>& names = model.model.class_names;
  const auto answer = answers.row(row);
  const std::string& task = model.model.config->task_name;
  if (names.empty() || task.ends_with("regression")) {
    json["value"] = shortest(answer[0]);
  } else if (task.ends_with("multilabel")) {
    json["labels"] = Json::array();
    for (size_t c = 0; c < answer.size(); c++)
      if (answer[c] >= 0.5f) json["labels"].push_back(names[c]);
    json["probabilities"] = probabilities_json(model, answer);
  } else {
    const auto best = std::max_element(answer.begin(), answer.end()) - answer.begin();
    json["class"] = names[size_t(best)];
    json["probability"] = shortest(answer[size_t(best)]);
    json["probabilities"] = probabilities_json(model, answer);
  }
  return json;
}

Json model_json(const ServedModel& model) {
  const TrainedModel& trained = model.model;
  Json json = {{"name", model.name},
               {"version", model.version},
               {"network", trained.config->model},
               {"task", trained.config->task_name},
               {"task_title", trained.config->entry().title},
               {"dataset", model.dataset.name},
               {"items", model.num_items()},
               {"item", item_word(model)},
               {"nodes", model.dataset.graph.num_nodes()},
               {"arcs", model.dataset.graph.num_arcs()},
               {"features", num_features(model.dataset.features)},
               {"classes", trained.class_names},
               {"node_types", model.dataset.node_type_names},
               {"dimension", model.representation.cols},
               {"answers", !model.answers.data.empty()},
               {"links", model.links.has_value()},
               {"fitted", trained.fitted}};
  for (const char* fact : {"metric", "validation", "test", "seed", "epoch", "mgnn.version"})
    if (const auto text = trained.facts.find(fact); text != trained.facts.end()) {
      const Json value = Json::parse(text->second, nullptr, false);
      json[fact] = value.is_discarded() || value.is_null() ? Json(text->second) : value;
    }
  if (const auto sum = trained.facts.find("dataset_sha256"); sum != trained.facts.end())
    json["dataset_sha256"] = sum->second;
  json["seconds_to_load"] = model.seconds_to_load;
  return json;
}

Response answer_model(const Query& q) {
  Json json = model_json(q.model);
  for (const Option& option : q.model.model.config->used_options()) {
    const std::string value = text_of(option.get());
    if (!option.name.starts_with("data.")) json["settings"][option.name] = value;
  }
  return json_response(json, 1);
}

Response answer_predict(const Query& q) {
  if (q.body.contains("graph")) {
    Json predictions = new_node_predictions(q);
    const auto count = int64_t(predictions.size());
    return json_response({{"model", q.model.name},
                          {"version", q.model.version},
                          {"predictions", std::move(predictions)}},
                         count);
  }
  if (q.model.links)
    throw HttpError(422, fmt::format("{} scores pairs; ask /v1/models/{}/pairs or …/rank",
                                     q.model.name, q.model.name));
  if (q.model.answers.rows == 0)
    throw HttpError(422, fmt::format("{} was trained without answers; ask /v1/models/{}/embed",
                                     q.model.name, q.model.name));
  const std::vector<std::string> names = asked_items(q);
  Json predictions = Json::array();
  for (const NodeId item : q.model.find_items(names)) {
    predictions.push_back(
        prediction_json(q.model, names[predictions.size()], q.model.answers, item));
    add_truth(q.model, item, predictions.back());
  }
  const auto count = int64_t(predictions.size());
  return json_response({{"model", q.model.name},
                        {"version", q.model.version},
                        {"predictions", std::move(predictions)}},
                       count);
}

Response answer_embed(const Query& q) {
  const Matrix& vectors = q.model.representation;
  const std::vector<std::string> names = asked_items(q);
  Json list = Json::array();
  for (const NodeId item : q.model.find_items(names)) {
    Json vector = Json::array();
    for (const float x : vectors.row(item)) vector.push_back(shortest(x));
    list.push_back({{item_word(q.model), names[list.size()]}, {"vector", std::move(vector)}});
  }
  const auto count = int64_t(list.size());
  return json_response({{"model", q.model.name},
                        {"version", q.model.version},
                        {"dimension", vectors.cols},
                        {"embeddings", std::move(list)}},
                       count);
}

Response answer_motifs(const Query& q) {
  if (q.model.is_set)
    throw HttpError(422, fmt::format("{} is about graphs; motifs are counted at nodes of one graph",
                                     q.model.name));
  const std::vector<std::string> names = texts_field(q.body, "nodes");
  Json list = Json::array();
  for (const NodeId node : q.model.find_items(names)) {
    Json entry = {{"node", names[list.size()]}};
    entry.update(counts_json(q.model.census.per_role[node]));
    list.push_back(std::move(entry));
  }
  const auto count = int64_t(list.size());
  return json_response({{"model", q.model.name},
                        {"counting", name_of(q.model.census.counting)},
                        {"counts", std::move(list)}},
                       count);
}

Response answer_search(const Query& q) {
  const std::string prefix = text_field(q.body, "q");
  const auto limit = size_t(integer_field(q.body, "limit", 10));
  Json items = Json::array();
  for (const NodeId item : q.model.search.with_prefix(prefix, limit)) {
    Json entry = {{item_word(q.model), q.model.item_name(item)}};
    if (const std::string type = q.model.type_of(item); !type.empty()) entry["type"] = type;
    items.push_back(std::move(entry));
  }
  Json json = {{"q", prefix}, {q.model.is_set ? "graphs" : "nodes", items}};
  if (items.empty()) json["did_you_mean"] = q.model.search.similar(prefix, 5);
  return json_response(json, int64_t(items.size()));
}

Response answer_node(const Query& q) {
  const NodeId item = q.model.find_item(q.rest);
  Json json = q.model.answers.rows > 0 ? prediction_json(q.model, q.rest, q.model.answers, item)
                                       : Json{{item_word(q.model), q.rest}};
  add_truth(q.model, item, json);
  if (q.model.is_set) {
    const auto& start = q.model.dataset.graph_start;
    json["nodes"] = start[item + 1] - start[item];
    return json_response(json, 1);
  }
  if (const std::string type = q.model.type_of(item); !type.empty()) json["type"] = type;
  json["degrees"] = degrees_json(q.model.dataset.graph, item);
  json["counting"] = name_of(q.model.census.counting);
  json.update(counts_json(q.model.census.per_role[item]));
  json["neighbours"] = neighbours_json(q.model, item);
  return json_response(json, 1);
}

}  // namespace mgnn
