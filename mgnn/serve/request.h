// What a request must be, from its first line to the fields of its body. Nothing here knows of sockets.
#pragma once

#include "mgnn/serve/routes.h"

namespace mgnn {

// As it came, but for the body.
struct RequestHead {
  std::string method;  // GET, HEAD, POST or any other
  std::string target;  // path and query
  Headers headers;
};

struct RequestRules {
  AccessRules access = {};
  size_t max_headers = 16 << 10;  // bytes of names and values, and of the target
  size_t max_body = 1 << 20;
};

// What is known of a request; as much as there is where a check fails.
struct CheckedRequest {
  Request request = {};
  Match match = {};
  std::string id = {};         // X-Request-Id, if it is harmless
  bool ends_in_doubt = false;  // where the next request begins is not known: close the connection
};

// Sizes, framing, host and origin, route, token, content type, in this order: a stranger learns nothing
// about what lies behind a check that fails. Throws HttpError (400 to 431).
void check_head(const RequestHead& head, size_t body_bytes, const RequestRules& rules,
                CheckedRequest& checked);

// The body of a POST, or the query of others, checked against the fields of the route: O(n log n) for n
// bytes. Throws HttpError (400, 422). REQUIRES: the head was checked.
Json fields_of(const Route& route, const Request& request);

// All of it. Throws HttpError.
Json check_request(const RequestHead& head, std::string body, const RequestRules& rules,
                   CheckedRequest& checked);

}  // namespace mgnn
