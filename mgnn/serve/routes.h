// The table of routes: what may be asked. Dispatch, checks and the description for other programs (OpenAPI)
// read it.
#pragma once

#include <span>

#include "mgnn/serve/access.h"
#include "mgnn/serve/fields.h"
#include "mgnn/serve/message.h"

namespace mgnn {

struct Route {
  const char* name;     // of the operation; also in the metrics
  const char* method;   // GET or POST
  const char* pattern;  // "/v1/models/{model}/predict"; {…} is one part of the path
  const char* summary;
  Access access = Access::token;
  std::vector<Field> fields = {};
};
std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;
  std::string model = {}, rest = {};  // parts of the path, decoded
};
// `path` as it came. Throws HttpError (404, 405) with what is near.
Match match_route(std::string_view method, std::string_view path);

}  // namespace mgnn
