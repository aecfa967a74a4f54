// Predictions about nodes, or a graph, that the request brings along: they are put beside the data (a
// graph stands alone), and the network runs on all of it, as `mgnn predict` would on a file with both.
#include <algorithm>
#include <map>

#include "mgnn/data/features.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/serve/answers.h"

namespace mgnn {
namespace {

constexpr const char* kWhere = "graph";

const Field kGraphFields[] = {
    {"nodes", FieldType::objects, "the new nodes, {\"id\": …, \"features\": …}", true},
    {"edges", FieldType::pairs, "[[from, to], …]", true},
};
const Field kNodeFields[] = {
    {"id", FieldType::text, "what the node is called", true},
};

// Features that are computed from the graph are computed anew, of old and new nodes.
bool features_are_made(const ServedModel& model) {
  const std::string& kind = model.model.config->run.features;
  const std::vector<std::string> makers = feature_maker_names();
  if (std::find(makers.begin(), makers.end(), kind) != makers.end()) return true;
  return kind == "own" && model.dataset.feature_names == structure_feature_names();
}

struct NewNodes {
  std::vector<std::string> ids;
  std::vector<Json> features;  // null, an array, or an object
  std::map<std::string, NodeId> number;
};

NewNodes new_nodes_of(const Json& graph, const ServedModel& model, NodeId first) {
  NewNodes nodes;
  for (const Json& entry : graph.at("nodes")) {
    Json rest = entry;
    nodes.features.push_back(entry.contains("features") ? entry["features"] : Json());
    rest.erase("features");
    check_fields(rest, kNodeFields);
    const std::string id = text_field(entry, "id");
    if (!model.is_set && model.item_by_name->find(id) >= 0)
      throw HttpError(422, fmt::format("{}: {} is in the data already; new nodes have new ids",
                                       kWhere, in_quotes(id)));
    if (!nodes.number.emplace(id, first + NodeId(nodes.ids.size())).second)
      throw HttpError(422, fmt::format("{}: {} is there twice", kWhere, in_quotes(id)));
    nodes.ids.push_back(id);
  }
  if (nodes.ids.empty()) throw HttpError(422, fmt::format("{}: there are no nodes", kWhere));
  return nodes;
}

NodeId end_of_edge(const Json& end, const NewNodes& nodes, const ServedModel& model) {
  const std::string id = id_of(end, "edges");
  if (const auto own = nodes.number.find(id); own != nodes.number.end()) return own->second;
  if (!model.is_set) return model.find_item(id);
  throw HttpError(422, fmt::format("edges: {} is not among the nodes", in_quotes(id)));
}

// ---- features

// One row of the features that the network was trained on. Columns that were measured must be given, others
// are zero unless they are.
std::vector<float> feature_row(const Json& given, const ServedModel& model, const std::string& id) {
  const Dataset& data = model.dataset;
  const auto columns = size_t(num_features(data.features));
  std::vector<float> row(columns, 0.f);
  const auto put = [&](size_t column, const Json& value) {
    if (!value.is_number())
      throw HttpError(422,
                      fmt::format("{}: features of {} are not all numbers", kWhere, in_quotes(id)));
    row[column] = value.get<float>();
    if (!std::isfinite(row[column]))
      throw HttpError(422, fmt::format("{}: features of {} are too large", kWhere, in_quotes(id)));
  };
  if (given.is_array()) {
    if (given.size() != columns)
      throw HttpError(422, fmt::format("{}: {} has {} features; the network was trained on {}",
                                       kWhere, in_quotes(id), given.size(), columns));
    for (size_t c = 0; c < columns; c++) put(c, given[c]);
    return row;
  }
  if (!given.is_object() || data.feature_names.empty())
    throw HttpError(
        422, fmt::format("{}: {} needs features, an array of {} numbers{}", kWhere, in_quotes(id),
                         columns, data.feature_names.empty() ? "" : " or an object by name"));
  for (const auto& [name, value] : given.items()) {
    const auto place = std::find(data.feature_names.begin(), data.feature_names.end(), name);
    if (place == data.feature_names.end()) {
      const std::string near = nearest(name, data.feature_names);
      throw HttpError(422, fmt::format("{}: there is no feature {}", kWhere, in_quotes(name)),
                      near.empty() ? std::vector<std::string>() : std::vector{near});
    }
    put(size_t(place - data.feature_names.begin()), value);
  }
  for (int64_t c = 0; c < data.num_attributes; c++)
    if (!given.contains(data.feature_names[size_t(c)]))
      throw HttpError(422, fmt::format("{}: {} has no {}", kWhere, in_quotes(id),
                                       in_quotes(data.feature_names[size_t(c)])));
  return row;
}

// Those of the data, unless `alone`, and below them those of the new nodes.
Features joined_features(const ServedModel& model, const NewNodes& nodes, bool alone) {
  std::vector<std::vector<float>> rows;
  for (size_t i = 0; i < nodes.ids.size(); i++)
    rows.push_back(feature_row(nodes.features[i], model, nodes.ids[i]));
  const Features& own = model.dataset.features;
  const int64_t columns = num_features(own);
  if (const auto* sparse = std::get_if<SparseMatrix>(&own)) {
    SparseMatrix joined = alone ? SparseMatrix{Csr(0, NodeId(columns), {0}, {}), {}} : *sparse;
    for (const std::vector<float>& row : rows) {
      for (int64_t c = 0; c < columns; c++)
        if (row[size_t(c)] != 0) {
          joined.pattern.index.push_back(NodeId(c));
          joined.value.push_back(row[size_t(c)]);
        }
      joined.pattern.start.push_back(Offset(joined.pattern.index.size()));
      joined.pattern.rows++;
    }
    return joined;
  }
  Matrix joined = alone ? Matrix(0, columns) : std::get<Matrix>(own);
  for (const std::vector<float>& row : rows)
    joined.data.insert(joined.data.end(), row.begin(), row.end());
  joined.rows += int64_t(rows.size());
  return joined;
}

Dataset with_features(const ServedModel& model, const NewNodes& nodes, Dataset data) {
  if (!features_are_made(model)) {
    data.features = joined_features(model, nodes, model.is_set);
    data.feature_names = model.dataset.feature_names;
    data.num_attributes = model.dataset.num_attributes;
    data.features_from = model.dataset.features_from;
    return data;
  }
  if (std::any_of(nodes.features.begin(), nodes.features.end(),
                  [](const Json& given) { return !given.is_null(); }))
    throw HttpError(422, fmt::format("{}: the network's features are computed from the graph; give "
                                     "none",
                                     kWhere));
  // The task is known from the answers that the data have.
  data.class_names = model.dataset.class_names;
  return prepared_for_prediction(model.model, std::move(data));
}

void check_possible(const Query& q) {
  const ServedModel& model = q.model;
  if (!q.allow_new_nodes)
    throw HttpError(403, "new nodes are not taken here; start with --allow-new-nodes");
  if (model.links)
    throw HttpError(422,
                    fmt::format("{}: a network for links applies only to the graph that it was "
                                "trained on",
                                model.name));
  if (model.answers.rows == 0)
    throw HttpError(422, fmt::format("{} was trained without answers", model.name));
  if (model.model.weighted || model.model.model->uses_relations())
    throw HttpError(422, fmt::format("{} uses weights or relations of arcs, which new edges do not "
                                     "have",
                                     model.name));
  if (q.body.contains("nodes") || q.body.contains("graphs"))
    throw HttpError(422, "graph and ids of the data exclude each other; use one of them");
}

Dataset joined_data(const ServedModel& model, const Json& graph, const NewNodes& nodes) {
  Dataset data;
  data.name = model.dataset.name;
  const Graph& old = model.dataset.graph;
  const NodeId first = model.is_set ? 0 : old.num_nodes();
  Array<Edge> edges = model.is_set ? Array<Edge>() : arcs(old);
  for (const Json& pair : graph.at("edges"))
    edges.push_back({end_of_edge(pair[0], nodes, model), end_of_edge(pair[1], nodes, model)});
  data.graph = build_graph(first + NodeId(nodes.ids.size()), std::move(edges),
                           {.symmetrise = is_undirected(old)})
                   .graph;
  if (model.is_set) data.graph_start = {0, data.graph.num_nodes()};
  return with_features(model, nodes, std::move(data));
}

}  // namespace

Json new_node_predictions(const Query& q) {
  check_possible(q);
  const ServedModel& model = q.model;
  const Json& graph = q.body.at("graph");
  check_fields(graph, kGraphFields);
  const NewNodes nodes =
      new_nodes_of(graph, model, model.is_set ? 0 : model.dataset.graph.num_nodes());
  const Dataset data = joined_data(model, graph, nodes);
  Matrix answers;
  {
    const std::lock_guard lock(model.model_in_use);
    answers = answers_of(model.model, predict(model.model, data).output);
  }
  Json predictions = Json::array();
  if (model.is_set) {
    predictions.push_back(prediction_json(model, text_field(graph, "id", "new"), answers, 0));
    return predictions;
  }
  const std::vector<std::string> targets =
      q.body.contains("targets") ? texts_field(q.body, "targets") : nodes.ids;
  for (const std::string& target : targets) {
    const auto node = nodes.number.find(target);
    if (node == nodes.number.end())
      throw HttpError(422, fmt::format("targets: {} is not among the new nodes", in_quotes(target)),
                      nodes.ids);
    predictions.push_back(prediction_json(model, target, answers, node->second));
  }
  return predictions;
}

}  // namespace mgnn
