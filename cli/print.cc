#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/error.h"

namespace mgnn {

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    fail("standard output: cannot write: {}", std::strerror(errno));
}

void print_to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print(const TextTable& table) { print(text_of(table, wants_colour(stdout))); }

std::string shell_quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

void print_json(const nlohmann::ordered_json& json) {
  print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

nlohmann::ordered_json json_of(const Options& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Option& option : options)
    std::visit([&](const auto& value) { json[option.name] = value; }, option.get());
  return json;
}

std::string emphasised(const std::string& text) {
  return wants_colour(stdout) ? "\033[1m" + text + "\033[0m" : text;
}

}  // namespace mgnn
