// The table of routes as OpenAPI 3.1 describes interfaces.
#include "mgnn/serve/dispatch.h"

namespace mgnn {
namespace {

Json array_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", kMaxItems}};
}

Json schema_of(const Field& field) {
  const Json id = {{"type", {"string", "integer"}}};
  Json schema;
  switch (field.type) {
    case FieldType::text:
      schema = id;
      break;
    case FieldType::texts:
      schema = array_of(id);
      break;
    case FieldType::pairs:
      schema = array_of({{"type", "array"}, {"items", id}, {"minItems", 2}, {"maxItems", 2}});
      break;
    case FieldType::integer:
      schema = {{"type", "integer"}, {"minimum", field.minimum}, {"maximum", field.maximum}};
      break;
    case FieldType::boolean:
      schema = {{"type", "boolean"}};
      break;
    case FieldType::object:
      schema = {{"type", "object"}};
      break;
    case FieldType::objects:
      schema = array_of({{"type", "object"}});
      break;
  }
  schema["description"] = field.summary;
  return schema;
}

Json body_schema(const Route& route) {
  Json schema = {
      {"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const Field& field : route.fields) {
    schema["properties"][field.name] = schema_of(field);
    if (field.required) schema["required"].push_back(field.name);
  }
  return schema;
}

Json parameters_of(const Route& route) {
  Json parameters = Json::array();
  std::string_view pattern = route.pattern;
  for (size_t at = pattern.find('{'); at != pattern.npos; at = pattern.find('{', at + 1))
    parameters.push_back({{"name", pattern.substr(at + 1, pattern.find('}', at) - at - 1)},
                          {"in", "path"},
                          {"required", true},
                          {"schema", {{"type", "string"}}}});
  if (std::string_view(route.method) == "GET")
    for (const Field& field : route.fields)
      parameters.push_back({{"name", field.name},
                            {"in", "query"},
                            {"required", field.required},
                            {"schema", schema_of(field)}});
  return parameters;
}

Json operation_of(const Route& route) {
  Json operation = {{"operationId", route.name},
                    {"summary", route.summary},
                    {"parameters", parameters_of(route)}};
  if (route.access == Access::open) operation["security"] = Json::array();
  if (std::string_view(route.method) == "POST")
    operation["requestBody"] = {
        {"required", true}, {"content", {{"application/json", {{"schema", body_schema(route)}}}}}};
  operation["responses"] = {{"200", {{"description", "the answer"}}},
                            {"default",
                             {{"description", "a problem (RFC 9457)"},
                              {"content",
                               {{"application/problem+json",
                                 {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}}}}};
  return operation;
}

}  // namespace

Response answer_openapi(const ServerFacts&, const Request&) {
  Json paths = Json::object();
  for (const Route& route : routes())
    paths[route.pattern][std::string_view(route.method) == "GET" ? "get" : "post"] =
        operation_of(route);
  const Json text = {{"type", "string"}}, texts = {{"type", "array"}, {"items", text}};
  return json_response(
      {{"openapi", "3.1.0"},
       {"info", {{"title", "mgnn serve"}, {"version", MGNN_VERSION}}},
       {"security", {{{"token", Json::array()}}}},
       {"paths", paths},
       {"components",
        {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
         {"schemas",
          {{"Problem",
            {{"type", "object"},
             {"properties",
              {{"type", text},
               {"title", text},
               {"status", {{"type", "integer"}}},
               {"detail", text},
               {"did_you_mean", texts},
               {"unknown", texts}}}}}}}}}},
      0);
}

}  // namespace mgnn
