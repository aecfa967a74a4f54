// A request of a stranger, from its first line to the fields of its body: refused with a reason, or as
// the rules want it. Also replayed by tests/serve.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "mgnn/base/json_text.h"
#include "mgnn/base/utf8.h"
#include "mgnn/serve/request.h"

namespace mgnn::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

struct Message {
  RequestHead head;
  std::string body;
};

// "METHOD target\nName: value\n…\n\nbody". A line may lack anything: what evhttp would refuse is tried, too.
inline Message message_of(std::string_view bytes) {
  Message message;
  const auto take = [&](char end) {
    const size_t at = std::min(bytes.find(end), bytes.size());
    const std::string text(bytes.substr(0, at));
    bytes.remove_prefix(std::min(bytes.size(), at + 1));
    return text;
  };
  std::string line = take('\n');
  const size_t blank = std::min(line.find(' '), line.size());
  message.head.method = line.substr(0, blank);
  message.head.target = line.substr(std::min(line.size(), blank + 1));
  while (!bytes.empty() && !(line = take('\n')).empty()) {
    const size_t colon = std::min(line.find(':'), line.size());
    size_t value = std::min(line.size(), colon + 1);
    while (value < line.size() && line[value] == ' ') value++;
    message.head.headers.emplace_back(line.substr(0, colon), line.substr(value));
  }
  message.body = bytes;
  return message;
}

inline const RequestRules& rules() {
  static const RequestRules rules{.access = {.token = "0123456789abcdef",
                                             .admin_token = "fedcba9876543210",
                                             .hosts = {"mgnn.example.org"}},
                                  .max_headers = 4096,
                                  .max_body = 8192};
  return rules;
}

// Whether a header of that name, in any case, has that value.
inline int64_t headers_named(const Headers& headers, std::string_view name,
                             std::string_view value) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::count_if(headers.begin(), headers.end(), [&](const auto& header) {
    return std::equal(name.begin(), name.end(), header.first.begin(), header.first.end(), same) &&
           (value.empty() || header.second.ends_with(value));
  });
}

// What must hold of every request that is let through, said another way than it is checked.
inline void require_rules(const Message& message, const CheckedRequest& checked, const Json& body) {
  const Headers& headers = message.head.headers;
  require(headers_named(headers, "Host", "") == 1);
  require(headers_named(headers, "Transfer-Encoding", "") == 0);
  require(headers_named(headers, "Content-Length", "") <= 1);
  require(headers_named(headers, "Origin", "") <= 1);
  const Route& route = *checked.match.route;
  if (route.access == Access::token)
    require(headers_named(headers, "Authorization", rules().access.token) == 1);
  if (route.access == Access::admin)
    require(headers_named(headers, "Authorization", rules().access.admin_token) == 1);
  require(route.method == message.head.method ||
          (message.head.method == "HEAD" && std::string_view(route.method) == "GET"));
  if (message.head.method == "POST") require(headers_named(headers, "Content-Type", "") == 1);
  require(message.head.target.size() <= rules().max_headers);
  require(message.body.size() <= rules().max_body);
  for (const std::string& part : {checked.match.model, checked.match.rest})
    require(part.find('\0') == part.npos && find_invalid_utf8(part) == part.npos);
  require(body.is_object() && body.size() <= route.fields.size());
  for (const Field& field : route.fields) {
    if (!body.contains(field.name)) {
      require(!field.required);
    } else if (field.type == FieldType::integer) {
      const auto value = integer_field(body, field.name, 0);
      require(value >= field.minimum && value <= field.maximum);
    } else if (field.type == FieldType::texts) {
      require(texts_field(body, field.name).size() <= kMaxItems);
    }
  }
  const std::string text = body.dump();  // throws where a string is not UTF-8
  require(json_depth(text) <= kMaxBodyDepth &&
          nlohmann::json(parse_body(text)) == nlohmann::json(body));
}

inline void require_refusal(const HttpError& problem) {
  require(problem.code >= 400 && problem.code < 500 && !reason_of(problem.code).empty());
  const Response response = response_of(problem);
  const Json said = Json::parse(response.body);
  require(said.at("status") == problem.code && !said.at("detail").get<std::string>().empty());
  require(response.body.size() < 16384);
  for (const auto& [name, value] : response.headers)
    require((name + value).find_first_of("\r\n") == std::string::npos);
}

// Whether it was let through.
inline bool try_http_request(std::string_view bytes) {
  const Message message = message_of(bytes);
  CheckedRequest checked;
  Json body;
  try {
    body = check_request(message.head, message.body, rules(), checked);
  } catch (const HttpError& problem) {
    require_refusal(problem);
    return false;
  }
  require_rules(message, checked, body);
  return true;
}

}  // namespace mgnn::fuzz
