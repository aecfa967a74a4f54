// The part of the Open Inference Protocol (KServe, Triton; version 2) that fits: ids in, labels or
// numbers out.
#include <algorithm>

#include "mgnn/serve/answers.h"

namespace mgnn {
namespace {

struct Tensor {
  const char* name;
  const char* datatype;
};

bool has_classes(const ServedModel& model) {
  return model.answers.rows > 0 && !model.model.class_names.empty() &&
         !model.model.config->task_name.ends_with("multilabel");
}

std::vector<Tensor> outputs_of(const ServedModel& model) {
  if (model.answers.rows == 0) return {{"embedding", "FP32"}};
  if (has_classes(model)) return {{"label", "BYTES"}, {"probability", "FP32"}};
  return {{"value", "FP32"}};
}

const Json& ids_tensor(const Json& body) {
  const Json& inputs = body.at("inputs");
  if (inputs.size() != 1 || !inputs[0].contains("name") || inputs[0]["name"] != "ids")
    throw HttpError(422, "inputs must be one tensor named \"ids\"");
  const Json& ids = inputs[0];
  if (!ids.contains("datatype") || ids["datatype"] != "BYTES")
    throw HttpError(422, "the datatype of ids must be \"BYTES\"");
  if (!ids.contains("data") || !ids["data"].is_array())
    throw HttpError(422, "ids must have data, an array of strings");
  const size_t count = ids["data"].size();
  if (count > kMaxItems)
    throw HttpError(
        422, fmt::format("ids has {} items; at most {} fit into a request", count, kMaxItems));
  if (!ids.contains("shape") || !ids["shape"].is_array() || ids["shape"] != Json::array({count}))
    throw HttpError(422, fmt::format("the shape of ids must be [{}], as many as its data", count));
  return ids["data"];
}

// Those asked for, in the order of the request; all if none is named.
std::vector<Tensor> asked_outputs(const Query& q) {
  const std::vector<Tensor> all = outputs_of(q.model);
  if (!q.body.contains("outputs")) return all;
  std::vector<Tensor> asked;
  for (const Json& output : q.body["outputs"]) {
    const std::string name = output.contains("name") ? id_of(output["name"], "outputs") : "";
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Tensor& t) { return t.name == name; });
    if (known == all.end())
      throw HttpError(422, fmt::format("there is no output {}", in_quotes(name)), {all[0].name});
    asked.push_back(*known);
  }
  return asked;
}

const Matrix& values_of(const ServedModel& model) {
  return model.answers.rows == 0 ? model.representation : model.answers;
}

Json data_of(const ServedModel& model, const std::string& output, std::span<const NodeId> items) {
  Json data = Json::array();
  for (const NodeId item : items) {
    const auto row = values_of(model).row(item);
    const auto best = std::max_element(row.begin(), row.end());
    if (output == "label")
      data.push_back(model.model.class_names[size_t(best - row.begin())]);
    else if (output == "probability")
      data.push_back(shortest(*best));
    else
      for (const float x : row) data.push_back(shortest(x));
  }
  return data;
}

Json shape_of(const ServedModel& model, const std::string& output, int64_t items) {
  if (output == "label" || output == "probability") return Json::array({items});
  return Json::array({items, values_of(model).cols});
}

}  // namespace

Response answer_infer_metadata(const Query& q) {
  Json outputs = Json::array();
  for (const Tensor& tensor : outputs_of(q.model))
    outputs.push_back({{"name", tensor.name},
                       {"datatype", tensor.datatype},
                       {"shape", shape_of(q.model, tensor.name, -1)}});
  return json_response({{"name", q.model.name},
                        {"versions", {q.model.version}},
                        {"platform", "mgnn"},
                        {"inputs", {{{"name", "ids"}, {"datatype", "BYTES"}, {"shape", {-1}}}}},
                        {"outputs", outputs}},
                       1);
}

Response answer_infer(const Query& q) {
  std::vector<std::string> ids;
  for (const Json& id : ids_tensor(q.body)) ids.push_back(id_of(id, "ids"));
  const std::vector<NodeId> items = q.model.find_items(ids);
  Json outputs = Json::array();
  for (const Tensor& tensor : asked_outputs(q))
    outputs.push_back({{"name", tensor.name},
                       {"datatype", tensor.datatype},
                       {"shape", shape_of(q.model, tensor.name, int64_t(items.size()))},
                       {"data", data_of(q.model, tensor.name, items)}});
  Json json = {{"model_name", q.model.name}, {"model_version", q.model.version}};
  if (q.body.contains("id")) json["id"] = text_field(q.body, "id");
  json["outputs"] = std::move(outputs);
  return json_response(json, int64_t(items.size()));
}

}  // namespace mgnn
