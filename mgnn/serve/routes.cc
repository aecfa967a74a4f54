#include "mgnn/serve/routes.h"

#include <new>

#include "mgnn/base/error.h"
#include "mgnn/report/text.h"

namespace mgnn {
namespace {

Response answer_live(const ServerFacts&, const Request&) {
  return json_response({{"live", true}}, 0);
}

Response answer_ready(const ServerFacts& facts, const Request&) {
  Response response = json_response({{"ready", facts.ready}}, 0);
  if (!facts.ready) response.code = 503;
  return response;
}

Response answer_models(const ServerFacts& facts, const Request&) {
  Json list = Json::array();
  if (facts.models)
    for (const ServedModelPointer& model : facts.models->models) list.push_back(model_json(*model));
  const auto count = int64_t(list.size());
  return json_response({{"models", std::move(list)}}, count);
}

Response answer_metrics(const ServerFacts& facts, const Request&) {
  return {.body = facts.metrics, .type = "text/plain; version=0.0.4; charset=utf-8"};
}

Response answer_v2(const ServerFacts&, const Request&) {
  return json_response({{"name", "mgnn"}, {"version", MGNN_VERSION}, {"extensions", Json::array()}},
                       0);
}

Response answer_model_ready(const Query& q) {
  return json_response({{"name", q.model.name}, {"ready", true}}, 0);
}

std::string fields_text(const Route& route) {
  std::string text;
  for (const Field& field : route.fields)
    text += fmt::format("<br><code>{}</code> {}{}", field.name, xml_escaped(field.summary),
                        field.required ? " (required)" : "");
  return text;
}

Response answer_docs(const ServerFacts&, const Request&) {
  std::string rows;
  for (const Route& route : routes())
    rows += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td>{}{}</td></tr>\n", route.method,
                        route.pattern, xml_escaped(route.summary), fields_text(route));
  return {
      .body = fmt::format(
          "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width\">"
          "<title>mgnn: routes</title></head><body><main><h1>Routes</h1><p>The same for "
          "programs: <a href=\"/openapi.json\">openapi.json</a>.</p>\n<table><thead><tr>"
          "<th scope=\"col\">method</th><th scope=\"col\">address</th><th scope=\"col\">"
          "answer and fields</th></tr></thead><tbody>\n{}</tbody></table></main></body></html>\n",
          rows),
      .type = "text/html; charset=utf-8",
      .headers = {{"Content-Security-Policy", "default-src 'none'"}}};
}

const Field kNodes = {"nodes", FieldType::texts, "ids of nodes"};
const Field kGraphs = {"graphs", FieldType::texts, "ids of graphs, where those are learned"};

}  // namespace

std::span<const Route> routes() {
  using enum FieldType;
  static const std::vector<Route> table = {
      {"page", "GET", "/", "the page to explore with", Access::open, {}, nullptr, answer_page},
      {"live",
       "GET",
       "/v1/health/live",
       "whether the server runs",
       Access::open,
       {},
       nullptr,
       answer_live},
      {"ready",
       "GET",
       "/v1/health/ready",
       "whether it takes requests",
       Access::open,
       {},
       nullptr,
       answer_ready},
      {"models",
       "GET",
       "/v1/models",
       "the models that are served",
       Access::token,
       {},
       nullptr,
       answer_models},
      {"model",
       "GET",
       "/v1/models/{model}",
       "task, data, classes, scores and settings of a model",
       Access::token,
       {},
       answer_model},
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
        {"targets", texts, "of the new nodes, those to answer about; all if missing"}},
       answer_predict},
      {"pairs",
       "POST",
       "/v1/models/{model}/pairs",
       "scores, probabilities and motif shares of pairs of nodes",
       Access::token,
       {{"pairs", pairs, "[[from, to], …]", true}},
       answer_pairs},
      {"rank",
       "POST",
       "/v1/models/{model}/rank",
       "the likeliest partners of a node",
       Access::token,
       {{"node", text, "id of the node", true},
        {"type", text, "node type of the partners"},
        {"relation", text, "relation that would join them"},
        {"top", integer, "number of partners, 20 if missing", false, 1, 10'000},
        {"exclude_known", boolean, "leave out pairs that an edge joins; true if missing"}},
       answer_rank},
      {"explain",
       "POST",
       "/v1/models/{model}/explain",
       "why a network answers what it does: shares of motifs, neighbours, instances and features",
       Access::token,
       {{"node", text, "id of the node"},
        {"pair", texts, "ids of both ends, for a network for links"},
        {"graph", text, "id of the graph"},
        {"class", text, "class whose score is explained; the predicted one if missing"},
        {"top", integer, "length of the lists, 10 if missing", false, 1, 1000},
        {"fidelity", boolean, "what the answer loses without the arcs; false if missing"},
        {"counterfactual", boolean, "few arcs that change the answer; false if missing"}},
       answer_explain},
      {"embed",
       "POST",
       "/v1/models/{model}/embed",
       "vectors of nodes or graphs",
       Access::token,
       {kNodes, kGraphs},
       answer_embed},
      {"motifs",
       "POST",
       "/v1/models/{model}/motifs",
       "in how many instances of each motif a node is, and with which role",
       Access::token,
       {{"nodes", texts, "ids of nodes", true}},
       answer_motifs},
      {"search",
       "GET",
       "/v1/models/{model}/nodes",
       "nodes or graphs by the beginning of their ids",
       Access::token,
       {{"q", text, "beginning of an id"},
        {"limit", integer, "number of ids, 10 if missing", false, 1, 100}},
       answer_search},
      {"node",
       "GET",
       "/v1/models/{model}/nodes/{id}",
       "type, degrees, answer, motif roles and neighbours of a node",
       Access::token,
       {},
       answer_node},
      {"census",
       "GET",
       "/v1/models/{model}/census",
       "how often each motif occurs in the whole graph, also against random graphs",
       Access::token,
       {{"null_model", text, "true: compare with 20 random graphs, in the background"}},
       answer_census},
      {"reload", "POST", "/v1/reload", "read all models again and swap them", Access::admin},
      {"metrics",
       "GET",
       "/metrics",
       "what Prometheus reads",
       Access::token,
       {},
       nullptr,
       answer_metrics},
      {"openapi",
       "GET",
       "/openapi.json",
       "this table for programs (OpenAPI 3.1)",
       Access::open,
       {},
       nullptr,
       answer_openapi},
      {"docs", "GET", "/docs", "this table for people", Access::open, {}, nullptr, answer_docs},
      {"server_metadata",
       "GET",
       "/v2",
       "name and version (Open Inference Protocol)",
       Access::token,
       {},
       nullptr,
       answer_v2},
      {"server_live",
       "GET",
       "/v2/health/live",
       "whether the server runs",
       Access::open,
       {},
       nullptr,
       answer_live},
      {"server_ready",
       "GET",
       "/v2/health/ready",
       "whether it takes requests",
       Access::open,
       {},
       nullptr,
       answer_ready},
      {"model_metadata",
       "GET",
       "/v2/models/{model}",
       "inputs and outputs of a model",
       Access::token,
       {},
       answer_infer_metadata},
      {"model_ready",
       "GET",
       "/v2/models/{model}/ready",
       "whether a model takes requests",
       Access::token,
       {},
       answer_model_ready},
      {"infer",
       "POST",
       "/v2/models/{model}/infer",
       "labels and probabilities, or numbers, of ids (Open Inference Protocol)",
       Access::token,
       {{"id", text, "given back"},
        {"inputs", objects, "one tensor: name ids, datatype BYTES", true},
        {"outputs", objects, "names of those wanted; all if missing"}},
       answer_infer},
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

Json body_of(const Route& route, const Request& request) {
  const bool post = request.method == "POST";
  Json body = post ? parse_body(request.body) : parse_query(request.query, route.fields);
  check_fields(body, route.fields);
  return body;
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

Response answer_of_exception() {
  try {
    throw;
  } catch (const HttpError& problem) {
    return response_of(problem);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) {
      HttpError problem(503, "this takes longer than the server allows (--deadline)");
      problem.headers = {{"Retry-After", "1"}};
      return response_of(problem);
    }
    return response_of(HttpError(error.kind() == ErrorKind::failed ? 500 : 422, error.what()));
  } catch (const std::bad_alloc&) {
    return response_of(HttpError(503, "there is not enough memory for this request"));
  } catch (const std::length_error&) {
    return response_of(HttpError(503, "there is not enough memory for this request"));
  } catch (const std::exception& error) {
    return response_of(HttpError(500, fmt::format("unexpected failure: {}", error.what())));
  } catch (...) {
    return response_of(HttpError(500, "unexpected failure of an unknown kind"));
  }
}

Response answer(const Match& match, const Request& request, const ServerFacts& facts) {
  try {
    const Json body = body_of(*match.route, request);
    if (match.route->of_server) return match.route->of_server(facts, request);
    if (!facts.models) throw HttpError(503, "the models are being loaded");
    return match.route->of_model({.model = facts.models->find(match.model),
                                  .request = request,
                                  .body = body,
                                  .rest = match.rest,
                                  .allow_new_nodes = facts.allow_new_nodes});
  } catch (...) {
    return answer_of_exception();
  }
}

}  // namespace mgnn
