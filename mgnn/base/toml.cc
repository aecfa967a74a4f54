#include "mgnn/base/toml.h"

namespace {
struct BrokenAssumption {};
constexpr void assume(bool holds) {
  if (!holds) throw BrokenAssumption();
}
}  // namespace

// What toml++ asserts of hostile text does not always hold, and without assertions it would go on all the
// same: here they throw.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) assume(bool(expr))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <sstream>

namespace mgnn {
namespace {

[[noreturn]] void fail_node(const toml::node& node, const std::string& path,
                            const std::string& name) {
  fail_at(path, int64_t(node.source().begin.line),
          "{} has a value that no setting has; use true, a number, a string, or a list of numbers "
          "or strings",
          name);
}

template <class T>
std::vector<T> items_of(const toml::array& array) {
  std::vector<T> items;
  for (const toml::node& item : array) items.push_back(*item.value<T>());
  return items;
}

Value value_of(const toml::node& node, const std::string& path, const std::string& name) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  const toml::array* array = node.as_array();
  if (!array) fail_node(node, path, name);
  if (array->empty() || array->is_homogeneous<std::string>()) return items_of<std::string>(*array);
  if (array->is_homogeneous<int64_t>()) return items_of<int64_t>(*array);
  fail_node(node, path, name);
}

template <class T>
toml::value<T> node_of(const T& plain) {
  return toml::value<T>(plain);
}
template <class T>
toml::array node_of(const std::vector<T>& items) {
  toml::array array;
  for (const T& item : items) array.push_back(item);
  return array;
}

// What toml++ takes for granted or leaves to chance, so that it is refused before: a.a.a.a… makes a table
// within a table for each dot, and these are destroyed by recursion; the name of a table may begin with
// what no key begins with; dates and times, which no setting is, may have other characters than
// digits; and characters beyond ASCII may stand outside of quotes or in strings of several lines.
class SourceCheck {
 public:
  SourceCheck(std::string_view text, const std::string& path) : text_(text), path_(path) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  void run() {
    for (size_t i = 0; i < text_.size(); i++) {
      const char c = text_[i];
      if (c == '"' || c == '\'') {
        i = end_of_string(i);
        begins_line_ = false;
      } else if (c == '#') {
        i = std::min(text_.find('\n', i), text_.size()) - 1;
      } else {
        look_at(i);
      }
    }
  }

 private:
  static constexpr int kMaxDots = 32;

  size_t end_of_string(size_t i) const {
    const char quote = text_[i];
    check_before(i, in_value_ ? "=[{," : "[{,.");
    if (text_.substr(i, 3) == std::string(3, quote))
      fail_at(path_, line_, "strings of several lines are not known; use \\n between quotes");
    for (i++; i < text_.size() && text_[i] != '\n'; i++) {
      if (quote == '"' && text_[i] == '\\')
        i++;
      else if (text_[i] == quote)
        return i;
    }
    fail_at(path_, line_, "a string does not end on its line");
  }

  // What opens a value must not stand in one: toml++ would look through all of it for what ends a number.
  void check_before(size_t i, std::string_view openers) const {
    if (i > 0 && openers.find(text_[i - 1]) == std::string_view::npos &&
        std::string_view(" \t\r\n").find(text_[i - 1]) == std::string_view::npos)
      fail_at(path_, line_, "{} stands within a word", in_quotes(text_.substr(i, 1)));
  }

  void look_at(size_t i) {
    const char c = text_[i];
    if (in_value_ && (c == '[' || c == '{')) check_before(i, "=[{,");
    if (in_value_ && c == '=' && !in_inline_table_) fail_at(path_, line_, "a value has a second =");
    in_inline_table_ = in_value_ && (in_inline_table_ || c == '{');
    if (c != '\t' && c != '\n' && c != '\r' && (uint8_t(c) < ' ' || uint8_t(c) > '~'))
      fail_at(path_, line_, "{} stands outside of quotes", in_quotes(text_.substr(i, 1)));
    if (c == '.' && ++dots_ > kMaxDots)
      fail_at(path_, line_, "a key has more than {} dots", kMaxDots);
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '[' && begins_line_ && depth_ == 0) check_header(i);
    if (in_value_ && (c == '-' || c == ':') && is_digit(text_[i - 1]))
      fail_at(path_, line_, "there is a date or time, which no setting is");
    if (!in_header_) depth_ = std::max(0, depth_ + (c == '[') - (c == ']'));
    in_value_ = (in_value_ || c == '=') && !(c == '\n' && depth_ == 0);
    if (c == '\n') in_header_ = false;
    line_ += c == '\n';
    begins_line_ = c == '\n' || c == '\r' || (begins_line_ && (c == ' ' || c == '\t'));
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // [name] or [[name]]
  void check_header(size_t i) {
    in_header_ = true;
    i = text_.find_first_not_of(" \t", i + 1);
    if (i < text_.size() && text_[i] == '[') i = text_.find_first_not_of(" \t", i + 1);
    if (i >= text_.size()) return;
    const char c = text_[i];
    const bool named = is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
                       std::string_view("_-\"']").find(c) != std::string_view::npos;
    if (!named)
      fail_at(path_, line_, "the name of a table is missing or begins with {}",
              in_quotes(text_.substr(i, 1)));
  }

  std::string_view text_;
  const std::string& path_;
  int64_t line_ = 1;
  int dots_ = 0, depth_ = 0;
  bool begins_line_ = true, in_header_ = false, in_value_ = false, in_inline_table_ = false;
};

void flatten(const toml::table& table, const std::string& prefix, const std::string& path,
             Settings& to) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table())
      flatten(*inner, name + ".", path, to);
    else
      to.push_back({name, value_of(node, path, name)});
  }
}

toml::table parsed(std::string_view text, const std::string& path) {
  SourceCheck(text, path).run();
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    fail_at(path, int64_t(error.source().begin.line), "{}", error.description());
  } catch (const BrokenAssumption&) {
    fail_data("{}: is not valid TOML", path);
  }
}

}  // namespace

Settings parse_toml(std::string_view text, const std::string& path) {
  Settings settings;
  flatten(parsed(text, path), "", path, settings);
  return settings;
}

std::vector<Settings> parse_toml_tables(std::string_view text, const std::string& path,
                                        const std::string& name) {
  std::vector<Settings> tables;
  const toml::table file = parsed(text, path);
  const toml::array* array = file[name].as_array();
  if (!array || !array->is_homogeneous<toml::table>())
    fail_at(path, 1, "there are no tables [[{}]]", name);
  for (const toml::node& node : *array) flatten(*node.as_table(), "", path, tables.emplace_back());
  return tables;
}

std::string toml_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {  // the shortest that reads back the same
    const std::string text = fmt::format("{}", *number);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  std::ostringstream text;
  constexpr auto kPlain = toml::format_flags::none;  // "text", never 'text' or several lines
  std::visit([&](const auto& plain) { text << toml::toml_formatter(node_of(plain), kPlain); },
             value);
  return text.str();
}

std::string toml_of(const Options& options) {
  std::string text, section;
  for (const Option& option : options) {
    const size_t dot = option.name.find('.');
    const std::string group = dot == std::string::npos ? "" : option.name.substr(0, dot);
    if (group != section) text += fmt::format("\n[{}]\n", section = group);
    text += fmt::format("{} = {}\n", option.name.substr(dot == std::string::npos ? 0 : dot + 1),
                        toml_of(option.get()));
  }
  return text;
}

}  // namespace mgnn
