#include "mgnn/data/classes.h"

#include <algorithm>
#include <unordered_map>

#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

// A whole number as it would be printed: no plus, no leading zeros.
bool parse_plain_integer(std::string_view text, int64_t& value) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || (digits[0] == '0' && text != "0")) return false;
  return parse_number(text, value);
}

}  // namespace

Classes classes_of(std::span<const std::string_view> labels) {
  std::vector<std::string_view> distinct(labels.begin(), labels.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (!distinct.empty() && distinct[0].empty()) distinct.erase(distinct.begin());
  int64_t number = 0;
  const auto is_number = [&](std::string_view text) { return parse_plain_integer(text, number); };
  if (std::all_of(distinct.begin(), distinct.end(), is_number))
    std::sort(distinct.begin(), distinct.end(), [&](std::string_view a, std::string_view b) {
      int64_t x = 0, y = 0;
      return parse_number(a, x) && parse_number(b, y) && x < y;
    });
  std::unordered_map<std::string_view, int32_t> class_of = {{"", -1}};
  Classes classes;
  for (const std::string_view name : distinct) {
    class_of.emplace(name, int32_t(classes.names.size()));
    classes.names.emplace_back(name);
  }
  for (const std::string_view label : labels) classes.label.push_back(class_of.at(label));
  return classes;
}

NodeIds node_ids_of(std::span<const std::string_view> names) {
  NodeIds ids;
  bool trivial = true;
  for (const std::string_view name : names) {
    int64_t number = 0;
    if (!parse_plain_integer(name, number)) {
      ids = {};
      for (const std::string_view text : names) ids.push_back(text);
      return ids;
    }
    trivial = trivial && number == int64_t(ids.number.size());
    ids.number.push_back(number);
  }
  return trivial ? NodeIds{} : ids;
}

}  // namespace mgnn
