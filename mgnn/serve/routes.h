// The table of routes: dispatch, checks and the description for other programs (OpenAPI) read it.
#pragma once

#include <optional>
#include <span>

#include "mgnn/serve/access.h"
#include "mgnn/serve/answers.h"

namespace mgnn {

// What answers that are not about one model look at.
struct ServerFacts {
  bool ready = false;
  ModelSetPointer models;    // null while loading
  std::string metrics = {};  // of /metrics alone
  bool page = true;          // whether there is one
  bool allow_new_nodes = false;
};

struct Route {
  const char* name;     // of the operation; also in the metrics
  const char* method;   // GET or POST
  const char* pattern;  // "/v1/models/{model}/predict"; {…} is one part of the path
  const char* summary;
  Access access = Access::token;
  std::vector<Field> fields = {};
  // One of the two; neither: the server itself does it (reload).
  Response (*of_model)(const Query& query) = nullptr;
  Response (*of_server)(const ServerFacts& facts, const Request& request) = nullptr;

  bool is_quick() const { return of_server != nullptr; }  // answered without a worker
};
std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;
  std::string model = {}, rest = {};  // parts of the path, decoded
};
// `path` as it came. Throws HttpError (404, 405) with what is near.
Match match_route(std::string_view method, std::string_view path);

// Whatever goes wrong is an answer, too.
Response answer(const Match& match, const Request& request, const ServerFacts& facts);
// The answer that says what the exception being handled says.
Response answer_of_exception();

Response answer_openapi(const ServerFacts& facts, const Request& request);
Response answer_page(const ServerFacts& facts, const Request& request);

}  // namespace mgnn
