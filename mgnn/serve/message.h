// What a request and its answer are to everything but the network: plain values.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mgnn {

struct Request {
  std::string method;  // GET or POST
  std::string path;    // decoded, without the query
  std::string query;   // as it came
  std::string body;
  std::string accept;  // header
};

struct Response {
  int code = 200;
  std::string body = {};
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  int64_t items = 0;  // predictions, pairs, …: for the metrics
};

// An answer that is not the one wanted, as RFC 9457 has it.
struct HttpError : std::runtime_error {
  HttpError(int status, const std::string& detail, std::vector<std::string> suggestions = {})
      : std::runtime_error(detail), code(status), did_you_mean(std::move(suggestions)) {}
  int code;
  std::vector<std::string> did_you_mean;  // most likely first
  std::vector<std::string> unknown = {};  // ids of the request that are not in the data
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// "Not Found"; "" for a code that is never sent.
std::string_view reason_of(int code);

Response response_of(const HttpError& problem);

}  // namespace mgnn
