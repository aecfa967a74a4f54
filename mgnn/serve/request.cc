#include "mgnn/serve/request.h"

#include <fmt/format.h>

#include <algorithm>

namespace mgnn {
namespace {

void check_sizes(const RequestHead& head, size_t body_bytes, const RequestRules& rules) {
  size_t bytes = head.target.size();
  for (const auto& [name, value] : head.headers) bytes += name.size() + value.size();
  if (bytes > rules.max_headers)
    throw HttpError(431, fmt::format("address and headers have {} bytes; this server takes {}",
                                     bytes, rules.max_headers));
  if (body_bytes > rules.max_body)
    throw HttpError(413, fmt::format("the body has {} bytes; this server takes {} (--max-body)",
                                     body_bytes, rules.max_body));
}

// A name of the requester's choice, if it is harmless.
std::string harmless_id(std::string_view id) {
  const bool harmless = id.size() <= 128 && std::all_of(id.begin(), id.end(),
                                                        [](char c) { return c > ' ' && c < 127; });
  return harmless ? std::string(id) : "";
}

}  // namespace

void check_head(const RequestHead& head, size_t body_bytes, const RequestRules& rules,
                CheckedRequest& checked) {
  Request& request = checked.request;
  request.method = head.method;
  checked.ends_in_doubt = true;
  check_sizes(head, body_bytes, rules);
  check_framing(head.headers);
  checked.id = harmless_id(only_header(head.headers, "X-Request-Id"));
  request.accept = only_header(head.headers, "Accept");
  checked.ends_in_doubt = false;
  check_origin(head.headers, rules.access);
  const std::string_view target = head.target;
  const size_t question = std::min(target.find('?'), target.size());
  request.path = target.substr(0, question);
  request.query = target.substr(std::min(target.size(), question + 1));
  checked.match = match_route(request.method, request.path);
  check_token(head.headers, checked.match.route->access, rules.access);
  if (request.method == "POST") check_content_type(head.headers);
}

Json fields_of(const Route& route, const Request& request) {
  const bool post = request.method == "POST";
  if (!post && !request.body.empty())
    throw HttpError(400, fmt::format("a {} has no body; ask in the address", request.method));
  Json body = post ? parse_body(request.body) : parse_query(request.query, route.fields);
  check_fields(body, route.fields);
  return body;
}

Json check_request(const RequestHead& head, std::string body, const RequestRules& rules,
                   CheckedRequest& checked) {
  check_head(head, body.size(), rules, checked);
  checked.request.body = std::move(body);
  return fields_of(*checked.match.route, checked.request);
}

}  // namespace mgnn
