// What a request's body or query may hold: one list for each route, from which both the checks and the
// published description follow.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mgnn {

using Json = nlohmann::ordered_json;

enum class FieldType { text, texts, pairs, integer, boolean, object, objects };

struct Field {
  const char* name;
  FieldType type;
  const char* summary;
  bool required = false;
  int64_t minimum = 0, maximum = 0;  // of integers
};

inline constexpr size_t kMaxItems = 10'000;  // in a request
inline constexpr int kMaxBodyDepth = 32;

// JSON of a stranger: UTF-8, nested at most kMaxBodyDepth deep, no name twice in an object, and
// integers exact. Throws HttpError (400).
Json parse_body(std::string_view text);

// What a query says of fields ("q=p53&limit=10"); numbers as numbers. Throws HttpError (400).
Json parse_query(std::string_view query, std::span<const Field> fields);

// Throws HttpError (422) that names the field: not in the list, of another type, out of range, more than
// kMaxItems items, or required and missing.
void check_fields(const Json& body, std::span<const Field> fields);

// REQUIRES: the body was checked.
std::string text_field(const Json& body, const char* name, const std::string& otherwise = "");
int64_t integer_field(const Json& body, const char* name, int64_t otherwise);
bool boolean_field(const Json& body, const char* name, bool otherwise);
// Ids may be numbers.
std::vector<std::string> texts_field(const Json& body, const char* name);
// A text, or a number as its digits. Throws HttpError (422) on anything else.
std::string id_of(const Json& value, const char* where);

// %41 and the like; '+' stays unless `form`. Throws HttpError (400) where two digits do not follow, or for a
// zero byte or invalid UTF-8.
std::string percent_decoded(std::string_view text, bool form = false);

// A float with as few digits as tell it from others.
double shortest(float value);

}  // namespace mgnn
