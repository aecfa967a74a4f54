#include "mgnn/base/options.h"

#include <charconv>
#include <cmath>

namespace mgnn {
namespace {

std::string_view stripped(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

template <class T>
T number(const std::string& name, std::string_view text, const char* expected) {
  const std::string_view body = stripped(text);
  T value{};
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc() || end != body.data() + body.size())
    fail_usage("{} is {}, which is not {}", name, in_quotes(text), expected);
  return value;
}

// What stands in "a, b" or "[a, b]".
std::vector<std::string_view> items(std::string_view text) {
  text = stripped(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = stripped(text.substr(1, text.size() - 2));
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    found.push_back(stripped(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return found;
}

template <class Items, class Text>
std::string list_text(const Items& all, Text text_of) {
  std::string text;
  for (const auto& item : all) text += (text.empty() ? "" : ", ") + text_of(item);
  return "[" + text + "]";
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::string toml_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04X}", int(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string toml_unquoted(std::string_view text) {
  text = stripped(text);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string result;
  for (size_t i = 1; i + 1 < text.size(); i++) {
    if (text[i] == '\\' && i + 2 < text.size()) i++;
    result += text[i];
  }
  return result;
}

void fail_choice(const std::string& name, std::string_view word,
                 const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& value : known) list += (list.empty() ? "" : ", ") + value;
  fail_usage("unknown value {} of {}; {}", in_quotes(word), name,
             did_you_mean(word, known, "use one of " + list));
}

Option option(std::string name, bool& at, std::string help) {
  return {name, std::move(help), "BOOL", [&at] { return std::string(at ? "true" : "false"); },
          [&at, name](std::string_view text) {
            const std::string word = toml_unquoted(text);
            if (word == "true" || word == "on" || word == "yes" || word == "1")
              at = true;
            else if (word == "false" || word == "off" || word == "no" || word == "0")
              at = false;
            else
              fail_usage("{} is {}; use true or false", name, in_quotes(text));
          }};
}

Option option(std::string name, int64_t& at, std::string help) {
  return {name, std::move(help), "N", [&at] { return std::to_string(at); },
          [&at, name](std::string_view text) {
            const auto value = number<int64_t>(name, text, "a whole number");
            if (value < 0) fail_usage("{} is {}; it cannot be negative", name, value);
            at = value;
          }};
}

Option option(std::string name, double& at, std::string help) {
  return {name, std::move(help), "X",
          [&at] {
            const std::string text = fmt::format("{}", at);
            return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
          },
          [&at, name](std::string_view text) {
            const auto value = number<double>(name, text, "a number");
            if (!std::isfinite(value)) fail_usage("{} is {}; it must be finite", name, value);
            at = value;
          }};
}

Option option(std::string name, std::string& at, std::string help) {
  return {std::move(name), std::move(help), "TEXT", [&at] { return toml_quoted(at); },
          [&at](std::string_view text) { at = toml_unquoted(text); }};
}

Option option(std::string name, std::vector<int64_t>& at, std::string help) {
  return {name, std::move(help), "N,N,…",
          [&at] { return list_text(at, [](int64_t n) { return std::to_string(n); }); },
          [&at, name](std::string_view text) {
            std::vector<int64_t> values;
            for (const std::string_view item : items(text)) {
              values.push_back(number<int64_t>(name, item, "a whole number"));
              if (values.back() <= 0) fail_usage("{} has {}; use positive numbers", name, item);
            }
            at = values;
          }};
}

Option option(std::string name, std::vector<std::string>& at, std::string help) {
  return {std::move(name), std::move(help), "A,B,…",
          [&at] { return list_text(at, [](const std::string& s) { return toml_quoted(s); }); },
          [&at](std::string_view text) {
            std::vector<std::string> values;
            for (const std::string_view item : items(text)) values.push_back(toml_unquoted(item));
            at = values;
          }};
}

Option searched(Option option, double low, double high, bool logarithmic) {
  option.search = SearchRange{low, high, logarithmic};
  return option;
}

void append(Options& to, Options more, const std::string& prefix) {
  for (Option& one : more) {
    one.name = prefix + one.name;
    to.push_back(std::move(one));
  }
}

const Option& find_option(const Options& options, std::string_view name) {
  std::vector<const Option*> found;
  std::vector<std::string> known;
  for (const Option& one : options) {
    if (one.name == name) return one;
    if (last_part(one.name) == name) found.push_back(&one);
    known.push_back(one.name);
    known.push_back(last_part(one.name));
  }
  if (found.size() == 1) return *found[0];
  if (found.size() > 1)
    fail_usage("{} could be {} or {}; write it whole", in_quotes(name), found[0]->name,
               found[1]->name);
  fail_usage("there is no setting {}; {}", in_quotes(name),
             did_you_mean(name, known, "--show-config lists all"));
}

void set_option(const Options& options, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    fail_usage("{} is no assignment; write key=value", in_quotes(assignment));
  find_option(options, stripped(assignment.substr(0, equals))).set(assignment.substr(equals + 1));
}

}  // namespace mgnn
