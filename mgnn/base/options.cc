#include "mgnn/base/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "mgnn/base/lines.h"
#include "mgnn/base/toml.h"
#include "mgnn/base/utf8.h"

namespace mgnn {
namespace {

template <class T>
T number_in(const std::string& name, std::string_view text, const std::string& expected) {
  const std::string_view body = trimmed(text);
  T number{};
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), number);
  if (error != std::errc() || end != body.data() + body.size())
    fail_usage("{} is {}, which is not {}", name, in_quotes(text), expected);
  return number;
}

template <class T>
T whole_number(const std::string& name, const Value& value) {
  const std::string text = text_of(value);
  if (trimmed(text).starts_with('-') && text.find_first_of(".e") == std::string::npos)
    fail_usage("{} is {}; it must not be negative", name, trimmed(text));
  return number_in<T>(name, text,
                      fmt::format("a whole number up to {}", std::numeric_limits<T>::max()));
}

// A list has its items, a text those between its commas.
std::vector<std::string> items_of(const std::string& name, const Value& value) {
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) return *words;
  std::vector<std::string> items;
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t number : *numbers) items.push_back(std::to_string(number));
    return items;
  }
  return words_in(text_of(value), name);
}

void check_utf8(const std::string& name, const std::string& text) {
  if (find_invalid_utf8(text) != std::string::npos)
    fail_usage("{} is {}, which is not valid UTF-8", name, in_quotes(text));
}

bool is_array(std::string_view text) {
  const std::string_view body = trimmed(text);
  return body.size() >= 2 && body.front() == '[' && body.back() == ']';
}

std::vector<std::string> words_in_array(std::string_view text, const std::string& name) {
  try {
    return items_of(name, parse_toml(fmt::format("list = {}", trimmed(text)), "").at(0).value);
  } catch (const Error&) {  // bare words, as in [a, b]
    const std::string_view body = trimmed(text);
    return words_in(body.substr(1, body.size() - 2), name);
  }
}

// One item of a list, from `at` to the comma behind it or the end.
std::string next_word(std::string_view text, const std::string& name, size_t& at) {
  while (at < text.size() && is_blank(text[at])) at++;
  if (at == text.size() || text[at] != '"') {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, comma - at);
    at = comma + 1;
    return std::string(trimmed(word));
  }
  std::string word;
  for (at++; at < text.size(); at++) {
    if (text[at] != '"') {
      word += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      word += text[at++];
    } else {
      break;
    }
  }
  const size_t comma = std::min(text.find(',', at), text.size());
  if (at == text.size() || !trimmed(text.substr(at + 1, comma - at - 1)).empty())
    fail_usage("{} is {}: a quoted item does not end before a comma; write \"a, b\",c", name,
               in_quotes(text));
  at = comma + 1;
  return word;
}

std::string quoted_if_needed(const std::string& word) {
  const bool plain = !word.empty() && word == trimmed(word) && word.front() != '[' &&
                     word.find_first_of(",\"") == std::string::npos;
  if (plain) return word;
  std::string text = "\"";
  for (const char c : word) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
    std::vector<std::string> quoted;
    for (const std::string& word : *words) quoted.push_back(quoted_if_needed(word));
    return fmt::format("{}", fmt::join(quoted, ","));
  }
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&value))
    return fmt::format("{}", fmt::join(*numbers, ","));
  return toml_of(value);
}

std::vector<std::string> words_in(std::string_view text, const std::string& name) {
  if (trimmed(text).empty()) return {};
  if (is_array(text)) return words_in_array(text, name);
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) words.push_back(next_word(text, name, at));
  return words;
}

Option option(std::string name, bool& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "BOOL",
          .get = [&at] { return Value(at); },
          .set =
              [&at, name](const Value& value) {
                const std::string text = text_of(value);
                const std::string_view word = trimmed(text);
                if (word == "true" || word == "on" || word == "yes" || word == "1")
                  at = true;
                else if (word == "false" || word == "off" || word == "no" || word == "0")
                  at = false;
                else
                  fail_usage("{} is {}; use true or false", name, in_quotes(word));
              }};
}

Option option(std::string name, int64_t& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "N",
          .get = [&at] { return Value(at); },
          .set = [&at, name](const Value& value) { at = whole_number<int64_t>(name, value); }};
}

Option option(std::string name, uint64_t& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "N",
          .get = [&at] { return at <= INT64_MAX ? Value(int64_t(at)) : Value(std::to_string(at)); },
          .set = [&at, name](const Value& value) { at = whole_number<uint64_t>(name, value); }};
}

Option option(std::string name, double& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "X",
          .get = [&at] { return Value(at); },
          .set =
              [&at, name](const Value& value) {
                const auto* exact = std::get_if<double>(&value);
                const double number =
                    exact ? *exact : number_in<double>(name, text_of(value), "a number");
                if (!std::isfinite(number)) fail_usage("{} is {}; it must be finite", name, number);
                at = number;
              }};
}

Option option(std::string name, std::string& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "TEXT",
          .get = [&at] { return Value(at); },
          .set =
              [&at, name](const Value& value) {
                const std::string text = text_of(value);
                check_utf8(name, text);
                at = text;
              }};
}

Option option(std::string name, std::vector<int64_t>& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "N,N,…",
          .get = [&at] { return Value(at); },
          .set =
              [&at, name](const Value& value) {
                std::vector<int64_t> numbers;
                for (const std::string& item : items_of(name, value)) {
                  numbers.push_back(number_in<int64_t>(name, item, "a whole number"));
                  if (numbers.back() <= 0)
                    fail_usage("{} has {}; use positive numbers", name, item);
                }
                at = numbers;
              }};
}

Option option(std::string name, std::vector<std::string>& at, std::string help) {
  return {.name = name,
          .help = std::move(help),
          .type = "A,B,…",
          .get = [&at] { return Value(at); },
          .set =
              [&at, name](const Value& value) {
                const std::vector<std::string> items = items_of(name, value);
                for (const std::string& item : items) check_utf8(name, item);
                at = items;
              }};
}

Option searched(Option option, double low, double high) {
  option.search = SearchRange{.low = low, .high = high};
  return option;
}

Option searched_in_log(Option option, double low, double high) {
  option.search = SearchRange{.low = low, .high = high, .logarithmic = true};
  return option;
}

Option shown_as(Option option, std::string type) {
  option.type = std::move(type);
  return option;
}

size_t index_of_choice(const std::string& name, const std::vector<std::string>& words,
                       const std::string& wanted) {
  const auto word = std::find(words.begin(), words.end(), trimmed(wanted));
  if (word == words.end()) fail_choice(name, wanted, words);
  return size_t(word - words.begin());
}

void append(Options& to, Options more, const std::string& prefix) {
  for (Option& option : more) {
    option.name = prefix + option.name;
    to.push_back(std::move(option));
  }
}

std::string last_part(std::string_view name) {
  return std::string(name.substr(name.rfind('.') + 1));
}

const Option& find_option(const Options& options, std::string_view name) {
  std::vector<const Option*> matches;
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (option.name == name) return option;
    if (last_part(option.name) == name) matches.push_back(&option);
    names.push_back(option.name);
    names.push_back(last_part(option.name));
  }
  if (matches.size() == 1) return *matches[0];
  if (matches.size() > 1)
    fail_usage("{} could be {} or {}; write it whole", in_quotes(name), matches[0]->name,
               matches[1]->name);
  const std::string near = nearest(name, names);
  if (near.empty()) fail_usage(Hint::list_settings, "there is no setting {}", in_quotes(name));
  fail_usage("there is no setting {}; did you mean {}?", in_quotes(name), near);
}

Setting::Setting(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    fail_usage("{} is not an assignment; write key=value", in_quotes(assignment));
  name = trimmed(assignment.substr(0, equals));
  value = std::string(assignment.substr(equals + 1));
}

std::string Setting::text() const { return name + "=" + text_of(value); }

void set_option(const Options& options, const Setting& setting) {
  find_option(options, setting.name).set(setting.value);
}

void copy_values(const Options& from, const Options& to) {
  for (size_t i = 0; i < from.size(); i++) to[i].set(from[i].get());
}

}  // namespace mgnn
