#include "mgnn/serve/fields.h"

#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/json_text.h"
#include "mgnn/base/utf8.h"
#include "mgnn/serve/message.h"

namespace mgnn {
namespace {

// Json keeps the order of names and looks for them one by one, and the library's own callbacks walk through
// an array again at the end of each of its objects: a body of 1 MiB can take minutes of either. Here names
// are in search trees until all is read.
using SortedJson = nlohmann::json;

constexpr size_t kMaxContainers =
    100'000;  // arrays and objects; an empty one takes 20 times its text

// Refuses names that occur twice: which of them counts would be anybody's guess.
class BodyReader final : public nlohmann::json_sax<SortedJson> {
 public:
  SortedJson root;

  bool null() override { return put(nullptr), true; }
  bool boolean(bool value) override { return put(value), true; }
  bool number_integer(int64_t value) override { return put(value), true; }
  bool number_unsigned(uint64_t value) override { return put(value), true; }
  bool number_float(double value, const std::string&) override { return put(value), true; }
  bool string(std::string& value) override { return put(std::move(value)), true; }
  bool binary(SortedJson::binary_t&) override { return false; }  // not in text
  bool start_object(size_t) override { return open(SortedJson::object()); }
  bool start_array(size_t) override { return open(SortedJson::array()); }
  bool end_object() override { return open_.pop_back(), true; }
  bool end_array() override { return open_.pop_back(), true; }
  bool key(std::string& name) override {
    const auto [at, is_new] = open_.back()->get_ref<SortedJson::object_t&>().emplace(name, nullptr);
    if (!is_new)
      throw HttpError(400, fmt::format("the body has {} twice in one object", in_quotes(name)));
    named_ = &at->second;
    return true;
  }
  bool parse_error(size_t, const std::string&, const SortedJson::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::string_view what = error.what();
    const size_t start = what.find("] ");
    throw HttpError(400,
                    fmt::format("the body is not JSON: {}",
                                in_quotes(what.substr(start == what.npos ? 0 : start + 2), 120)));
  }

 private:
  SortedJson* put(SortedJson value) {
    if (open_.empty()) return &(root = std::move(value));
    if (!open_.back()->is_array()) return &(*named_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  bool open(SortedJson container) {
    if (++containers_ > kMaxContainers)
      throw HttpError(400,
                      fmt::format("the body has more than {} arrays and objects", kMaxContainers));
    open_.push_back(put(std::move(container)));
    return true;
  }

  std::vector<SortedJson*> open_;  // from the outermost; nothing but the last one grows
  SortedJson* named_ = nullptr;    // where the value of the last name belongs
  size_t containers_ = 0;
};

bool is_exact_integer(const Json& value) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t(INT64_MAX));
}

const char* name_of_type(FieldType type) {
  switch (type) {
    case FieldType::text:
      return "a string";
    case FieldType::texts:
      return "an array of strings";
    case FieldType::pairs:
      return "an array of pairs of strings";
    case FieldType::integer:
      return "an integer";
    case FieldType::boolean:
      return "true or false";
    case FieldType::object:
      return "an object";
    case FieldType::objects:
      return "an array of objects";
  }
  return "";
}

bool is_id(const Json& value) { return value.is_string() || is_exact_integer(value); }

bool is_pair(const Json& value) {
  return value.is_array() && value.size() == 2 && is_id(value[0]) && is_id(value[1]);
}

bool all_items(const Json& value, bool (*is_right)(const Json&)) {
  return value.is_array() && std::all_of(value.begin(), value.end(), is_right);
}

bool is_of_type(const Json& value, FieldType type) {
  switch (type) {
    case FieldType::text:
      return is_id(value);
    case FieldType::texts:
      return all_items(value, is_id);
    case FieldType::pairs:
      return all_items(value, is_pair);
    case FieldType::integer:
      return is_exact_integer(value);
    case FieldType::boolean:
      return value.is_boolean();
    case FieldType::object:
      return value.is_object();
    case FieldType::objects:
      return all_items(value, [](const Json& item) { return item.is_object(); });
  }
  return false;
}

void check_value(const Json& value, const Field& field) {
  if (!is_of_type(value, field.type))
    throw HttpError(422, fmt::format("{} is not {}", field.name, name_of_type(field.type)));
  if (value.is_array() && value.size() > kMaxItems)
    throw HttpError(422, fmt::format("{} has {} items; at most {} fit into a request", field.name,
                                     value.size(), kMaxItems));
  if (field.type != FieldType::integer) return;
  const auto number = value.get<int64_t>();
  if (number < field.minimum || number > field.maximum)
    throw HttpError(422, fmt::format("{} is {}; use {} to {}", field.name, number, field.minimum,
                                     field.maximum));
}

const Field& known_field(const std::string& name, std::span<const Field> fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) {
    if (name == field.name) return field;
    names.emplace_back(field.name);
  }
  const std::string near = nearest(name.substr(0, 100), names);
  throw HttpError(422,
                  names.empty() ? fmt::format("there is no field {} here", in_quotes(name))
                                : fmt::format("there is no field {} here; known are {}",
                                              in_quotes(name), fmt::join(names, ", ")),
                  near.empty() ? std::vector<std::string>() : std::vector{near});
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Json parse_body(std::string_view text) {
  if (json_depth(text) > kMaxBodyDepth)
    throw HttpError(400, fmt::format("the body is nested more than {} deep", kMaxBodyDepth));
  BodyReader reader;
  SortedJson::sax_parse(text, &reader);
  if (!reader.root.is_object()) throw HttpError(400, "the body is not a JSON object");
  return Json(reader.root);
}

Json parse_query(std::string_view query, std::span<const Field> fields) {
  Json body = Json::object();
  while (!query.empty()) {
    const std::string_view item = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), item.size() + 1));
    if (item.empty()) continue;
    const size_t equals = std::min(item.find('='), item.size());
    const std::string name = percent_decoded(item.substr(0, equals), true);
    const std::string value = percent_decoded(item.substr(std::min(item.size(), equals + 1)), true);
    if (body.contains(name))
      throw HttpError(400, fmt::format("the query has {} twice", in_quotes(name)));
    const Field& field =
        known_field(name, fields);  // at once: thousands of names would take their time
    body[name] = value;
    int64_t number = 0;
    const auto end = value.data() + value.size();
    if (field.type == FieldType::integer && !value.empty() &&
        std::from_chars(value.data(), end, number).ptr == end)
      body[name] = number;
  }
  return body;
}

void check_fields(const Json& body, std::span<const Field> fields) {
  for (const auto& [name, value] : body.items()) check_value(value, known_field(name, fields));
  for (const Field& field : fields)
    if (field.required && !body.contains(field.name))
      throw HttpError(422, fmt::format("{} is missing: {}", field.name, field.summary));
}

std::string id_of(const Json& value, const char* where) {
  if (value.is_string()) return value.get<std::string>();
  if (is_exact_integer(value)) return std::to_string(value.get<int64_t>());
  throw HttpError(422, fmt::format("{}: {} is not an id: use a string", where,
                                   in_quotes(value.dump(-1, ' ', true))));
}

std::string text_field(const Json& body, const char* name, const std::string& otherwise) {
  const auto value = body.find(name);
  return value == body.end() ? otherwise : id_of(*value, name);
}

int64_t integer_field(const Json& body, const char* name, int64_t otherwise) {
  const auto value = body.find(name);
  return value == body.end() ? otherwise : value->get<int64_t>();
}

bool boolean_field(const Json& body, const char* name, bool otherwise) {
  const auto value = body.find(name);
  return value == body.end() ? otherwise : value->get<bool>();
}

std::vector<std::string> texts_field(const Json& body, const char* name) {
  std::vector<std::string> texts;
  const auto value = body.find(name);
  if (value == body.end()) return texts;
  for (const Json& item : *value) texts.push_back(id_of(item, name));
  return texts;
}

std::string percent_decoded(std::string_view text, bool form) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '+' && form) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) throw HttpError(400, "the address has a % without two digits");
      decoded += char(16 * high + low);
      i += 2;
    }
  }
  if (decoded.find('\0') != decoded.npos || find_invalid_utf8(decoded) != decoded.npos)
    throw HttpError(400, "the address is not valid UTF-8");
  return decoded;
}

double shortest(float value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double number = 0;
  std::from_chars(digits, end, number);
  return number;
}

}  // namespace mgnn
