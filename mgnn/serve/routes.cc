#include "mgnn/serve/routes.h"

#include <fmt/format.h>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

const Field kNodes = {"nodes", FieldType::texts, "ids of nodes"};
const Field kGraphs = {"graphs", FieldType::texts, "ids of graphs, where those are learned"};

}  // namespace

std::span<const Route> routes() {
  using enum FieldType;
  static const std::vector<Route> table = {
      {"page", "GET", "/", "the page to explore with", Access::open},
      {"live", "GET", "/v1/health/live", "whether the server runs", Access::open},
      {"ready", "GET", "/v1/health/ready", "whether it takes requests", Access::open},
      {"models", "GET", "/v1/models", "the models that are served", Access::token},
      {"model", "GET", "/v1/models/{model}", "task, data, classes, scores and settings of a model",
       Access::token},
      {"predict",
       "POST",
       "/v1/models/{model}/predict",
       "classes with calibrated probabilities, labels or numbers",
       Access::token,
       {kNodes,
        kGraphs,
        {"graph", object,
         "new nodes and their edges, {\"nodes\": [{\"id\": …, \"features\": …}], \"edges\": "
         "[[from, to]]}, where the server allows it"},
        {"targets", texts, "of the new nodes, those to answer about; all if missing"}}},
      {"pairs",
       "POST",
       "/v1/models/{model}/pairs",
       "scores, probabilities and motif shares of pairs of nodes",
       Access::token,
       {{"pairs", pairs, "[[from, to], …]", true}}},
      {"rank",
       "POST",
       "/v1/models/{model}/rank",
       "the likeliest partners of a node",
       Access::token,
       {{"node", text, "id of the node", true},
        {"type", text, "node type of the partners"},
        {"relation", text, "relation that would join them"},
        {"top", integer, "number of partners, 20 if missing", false, 1, 10'000},
        {"exclude_known", boolean, "leave out pairs that an edge joins; true if missing"}}},
      {"explain",
       "POST",
       "/v1/models/{model}/explain",
       "why a network answers what it does: shares of motifs, neighbours, instances and features; "
       "the "
       "picture where image/svg+xml is accepted",
       Access::token,
       {{"node", text, "id of the node"},
        {"pair", texts, "ids of both ends, for a network for links"},
        {"graph", text, "id of the graph"},
        {"class", text, "class whose score is explained; the predicted one if missing"},
        {"top", integer, "length of the lists, 10 if missing", false, 1, 1000},
        {"fidelity", boolean, "what the answer loses without the arcs; false if missing"},
        {"counterfactual", boolean, "few arcs that change the answer; false if missing"}}},
      {"embed",
       "POST",
       "/v1/models/{model}/embed",
       "vectors of nodes or graphs",
       Access::token,
       {kNodes, kGraphs}},
      {"motifs",
       "POST",
       "/v1/models/{model}/motifs",
       "in how many instances of each motif a node is, and with which role",
       Access::token,
       {{"nodes", texts, "ids of nodes", true}}},
      {"search",
       "GET",
       "/v1/models/{model}/nodes",
       "nodes or graphs by the beginning of their ids",
       Access::token,
       {{"q", text, "beginning of an id"},
        {"limit", integer, "number of ids, 10 if missing", false, 1, 100}}},
      {"node", "GET", "/v1/models/{model}/nodes/{id}",
       "type, degrees, answer, motif roles and neighbours of a node", Access::token},
      {"census",
       "GET",
       "/v1/models/{model}/census",
       "how often each motif occurs in the whole graph, also against random graphs",
       Access::token,
       {{"null_model", text, "true: compare with 20 random graphs, in the background"}}},
      {"reload", "POST", "/v1/reload", "read all models again and swap them", Access::admin},
      {"metrics", "GET", "/metrics", "what Prometheus reads", Access::token},
      {"openapi", "GET", "/openapi.json", "this table for programs (OpenAPI 3.1)", Access::open},
      {"docs", "GET", "/docs", "this table for people", Access::open},
      {"server_metadata", "GET", "/v2", "name and version (Open Inference Protocol)",
       Access::token},
      {"server_live", "GET", "/v2/health/live", "whether the server runs", Access::open},
      {"server_ready", "GET", "/v2/health/ready", "whether it takes requests", Access::open},
      {"model_metadata", "GET", "/v2/models/{model}", "inputs and outputs of a model",
       Access::token},
      {"model_ready", "GET", "/v2/models/{model}/ready", "whether a model takes requests",
       Access::token},
      {"infer",
       "POST",
       "/v2/models/{model}/infer",
       "labels and probabilities, or numbers, of ids (Open Inference Protocol)",
       Access::token,
       {{"id", text, "given back"},
        {"inputs", objects, "one tensor: name ids, datatype BYTES", true},
        {"outputs", objects, "names of those wanted; all if missing"}}},
  };
  return table;
}

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    parts.push_back(path.substr(0, path.find('/')));
    path.remove_prefix(parts.back().size());
  }
  if (!path.empty()) parts.clear();  // does not begin with a slash
  return parts;
}

bool fits(const Route& route, std::span<const std::string_view> parts, Match& match) {
  const std::vector<std::string_view> wanted = parts_of(route.pattern);
  if (wanted.size() != parts.size()) return false;
  for (size_t i = 0; i < parts.size(); i++)
    if (wanted[i].starts_with('{') ? parts[i].empty() : wanted[i] != parts[i]) return false;
  match = {.route = &route};
  for (size_t i = 0; i < parts.size(); i++) {
    if (wanted[i] == "{model}") match.model = percent_decoded(parts[i]);
    if (wanted[i] == "{id}") match.rest = percent_decoded(parts[i]);
  }
  return true;
}

std::vector<std::string> near_patterns(std::string_view path) {
  std::vector<std::string> patterns;
  for (const Route& route : routes()) patterns.emplace_back(route.pattern);
  const std::string near = nearest(path.substr(0, 100), patterns);
  return near.empty() ? std::vector<std::string>() : std::vector{near};
}

}  // namespace

Match match_route(std::string_view method, std::string_view path) {
  const std::vector<std::string_view> parts = parts_of(path);
  std::string allowed;
  Match match;
  for (const Route& route : routes()) {
    if (parts.empty() || !fits(route, parts, match)) continue;
    if (route.method == method || (method == "HEAD" && std::string_view(route.method) == "GET"))
      return match;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  if (allowed.empty())
    throw HttpError(
        404, fmt::format("there is nothing at {}; /docs lists what there is", in_quotes(path, 80)),
        near_patterns(path));
  HttpError problem(405, fmt::format("{} is answered to {} alone", in_quotes(path, 80), allowed));
  problem.headers = {{"Allow", allowed}};
  throw problem;
}

}  // namespace mgnn
