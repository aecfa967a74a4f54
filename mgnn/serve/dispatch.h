// From a request that was checked to its answer.
#pragma once

#include "mgnn/serve/answers.h"
#include "mgnn/serve/routes.h"

namespace mgnn {

// What answers that are not about one model look at.
struct ServerFacts {
  bool ready = false;
  ModelSetPointer models;    // null while loading
  std::string metrics = {};  // of /metrics alone
  bool page = true;          // whether there is one
  bool allow_new_nodes = false;
};

bool is_quick(const Route& route);  // answered without a worker

// Whatever goes wrong is an answer, too. REQUIRES: the server itself does not answer this route (reload).
Response answer(const Match& match, const Request& request, const ServerFacts& facts);
// The answer that says what the exception being handled says.
Response answer_of_exception();

Response answer_openapi(const ServerFacts& facts, const Request& request);
Response answer_page(const ServerFacts& facts, const Request& request);

}  // namespace mgnn
