#include "mgnn/serve/access.h"

#include <arpa/inet.h>
#include <openssl/crypto.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/sha256.h"
#include "mgnn/serve/message.h"

namespace mgnn {
namespace {

constexpr size_t kMinTokenLength = 16;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// "localhost" of "localhost:8080", "::1" of "[::1]:8080"; "" if it is malformed.
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end == host.npos ? "" : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

// An address in numbers is nobody's name: a page elsewhere cannot have been made to stand for it.
bool is_address(std::string_view host) {
  const std::string text(host);
  unsigned char bytes[16];
  return inet_pton(AF_INET, text.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

bool is_known_host(std::string_view host, const AccessRules& rules) {
  const std::string_view name = without_port(host);
  if (is_address(name) || equal_ignoring_case(name, "localhost")) return true;
  return std::any_of(rules.hosts.begin(), rules.hosts.end(), [&](const std::string& known) {
    return equal_ignoring_case(name, known) || equal_ignoring_case(host, known);
  });
}

bool is_visible(char c) { return c > ' ' && c < 127; }

}  // namespace

std::string_view only_header(const Headers& headers, std::string_view name) {
  const std::string* value = nullptr;
  for (const auto& [key, text] : headers)
    if (equal_ignoring_case(key, name)) {
      if (value) throw HttpError(400, fmt::format("there are two headers {}", name));
      value = &text;
    }
  return value ? std::string_view(*value) : "";
}

void check_framing(const Headers& headers) {
  for (const auto& [name, value] : headers)
    if (!std::all_of(name.begin(), name.end(), is_visible))
      throw HttpError(400, "a header's name has blanks or control characters");
  for (const auto& [name, value] : headers)
    if (equal_ignoring_case(name, "Transfer-Encoding"))
      throw HttpError(411, "transfer codings are not taken; send Content-Length");
  const std::string_view length = only_header(headers, "Content-Length");
  if (!std::all_of(length.begin(), length.end(), [](char c) { return c >= '0' && c <= '9'; }))
    throw HttpError(400, "Content-Length is not a number");
}

void check_origin(const Headers& headers, const AccessRules& rules) {
  const std::string_view host = only_header(headers, "Host");
  if (host.empty()) throw HttpError(400, "there is no header Host");
  if (!is_known_host(host, rules))
    throw HttpError(403, fmt::format("{} is not a name of this server; it can be started with "
                                     "--allow-host",
                                     in_quotes(host)));
  const std::string_view origin = only_header(headers, "Origin");
  if (origin.empty()) return;
  const size_t scheme = origin.find("://");
  if (scheme == origin.npos || !equal_ignoring_case(origin.substr(scheme + 3), host))
    throw HttpError(403, fmt::format("pages of {} may not ask this server", in_quotes(origin)));
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  // Sums are equally long, so that not even the length shows.
  const std::string x = sha256_of(a), y = sha256_of(b);
  return CRYPTO_memcmp(x.data(), y.data(), x.size()) == 0;
}

void check_token(const Headers& headers, Access needed, const AccessRules& rules) {
  if (needed == Access::open) return;
  if (needed == Access::admin && rules.admin_token.empty())
    throw HttpError(403,
                    "nobody may do this over HTTP; start with --admin-token-file, or send the "
                    "process SIGHUP");
  const std::string& wanted = needed == Access::admin ? rules.admin_token : rules.token;
  if (wanted.empty()) return;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = only_header(headers, "Authorization");
  const bool bearer = given.size() > kBearer.size() &&
                      equal_ignoring_case(given.substr(0, kBearer.size()), kBearer);
  if (bearer && equal_in_constant_time(given.substr(kBearer.size()), wanted)) return;
  HttpError problem(401, given.empty() ? "send the token as: Authorization: Bearer TOKEN"
                                       : "this is not the token of this server");
  problem.headers = {{"WWW-Authenticate", "Bearer realm=\"mgnn\""}};
  throw problem;
}

void check_content_type(const Headers& headers) {
  std::string_view type = only_header(headers, "Content-Type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (!equal_ignoring_case(type, "application/json"))
    throw HttpError(415, "send JSON, with Content-Type: application/json");
}

std::string random_token() {
  constexpr std::string_view kAlphabet =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  static_assert(kAlphabet.size() == 64);
  unsigned char bytes[32];
  if (getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes))
    fail("the system gives no random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes) token += kAlphabet[byte % 64];
  return token;
}

std::string read_token(const std::string& path) {
  const FileBytes file = map_file(path);
  std::string_view line = file.view().substr(0, file.view().find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() < kMinTokenLength)
    fail_usage("{}: its first line has {} characters; a token has at least {}", path, line.size(),
               kMinTokenLength);
  if (line.size() > 1024 || !std::all_of(line.begin(), line.end(), is_visible))
    fail_usage("{}: a token has at most 1024 letters, digits and signs, without blanks", path);
  return std::string(line);
}

bool is_readable_by_others(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && (status.st_mode & 0044) != 0;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_address(host));
}

}  // namespace mgnn
