#include "mgnn/serve/dispatch.h"

#include <algorithm>
#include <new>

#include "mgnn/base/error.h"
#include "mgnn/report/text.h"
#include "mgnn/serve/request.h"

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

// One of the two; a route without either is the server's own business (reload).
struct Answerer {
  const char* route;
  Response (*of_model)(const Query& query);
  Response (*of_server)(const ServerFacts& facts, const Request& request) = nullptr;
};

std::vector<Answerer> in_order_of_routes() {
  const Answerer all[] = {
      {"page", nullptr, answer_page},
      {"live", nullptr, answer_live},
      {"ready", nullptr, answer_ready},
      {"models", nullptr, answer_models},
      {"model", answer_model},
      {"predict", answer_predict},
      {"pairs", answer_pairs},
      {"rank", answer_rank},
      {"explain", answer_explain},
      {"embed", answer_embed},
      {"motifs", answer_motifs},
      {"search", answer_search},
      {"node", answer_node},
      {"census", answer_census},
      {"metrics", nullptr, answer_metrics},
      {"openapi", nullptr, answer_openapi},
      {"docs", nullptr, answer_docs},
      {"server_metadata", nullptr, answer_v2},
      {"server_live", nullptr, answer_live},
      {"server_ready", nullptr, answer_ready},
      {"model_metadata", answer_infer_metadata},
      {"model_ready", answer_model_ready},
      {"infer", answer_infer},
  };
  std::vector<Answerer> ordered;
  for (const Route& route : routes()) {
    const auto at = std::find_if(std::begin(all), std::end(all), [&](const Answerer& a) {
      return std::string_view(a.route) == route.name;
    });
    ordered.push_back(at == std::end(all) ? Answerer{route.name, nullptr} : *at);
  }
  return ordered;
}

const Answerer& answerer_of(const Route& route) {
  static const std::vector<Answerer> ordered = in_order_of_routes();
  return ordered[size_t(&route - routes().data())];
}

}  // namespace

bool is_quick(const Route& route) { return answerer_of(route).of_server != nullptr; }

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
    const Json body = fields_of(*match.route, request);
    const Answerer& answerer = answerer_of(*match.route);
    if (answerer.of_server) return answerer.of_server(facts, request);
    if (!facts.models) throw HttpError(503, "the models are being loaded");
    return answerer.of_model({.model = facts.models->find(match.model),
                              .request = request,
                              .body = body,
                              .rest = match.rest,
                              .allow_new_nodes = facts.allow_new_nodes});
  } catch (...) {
    return answer_of_exception();
  }
}

}  // namespace mgnn
