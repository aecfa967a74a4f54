#include "mgnn/serve/message.h"

#include <nlohmann/json.hpp>

namespace mgnn {

std::string_view reason_of(int code) {
  switch (code) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "";
  }
}

Response response_of(const HttpError& problem) {
  nlohmann::ordered_json json = {{"type", "about:blank"},
                                 {"title", reason_of(problem.code)},
                                 {"status", problem.code},
                                 {"detail", problem.what()}};
  if (!problem.did_you_mean.empty()) json["did_you_mean"] = problem.did_you_mean;
  if (!problem.unknown.empty()) json["unknown"] = problem.unknown;
  return {
      .code = problem.code,
      .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
      .type = "application/problem+json",
      .headers = problem.headers};
}

}  // namespace mgnn
