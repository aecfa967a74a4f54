#include "mgnn/task/weights_file.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/json_text.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

const Array<float>& floats(const SafeTensors& file, const std::string& path,
                           const std::string& name, int64_t size) {
  const SafeTensor* tensor = file.find(name);
  if (!tensor) fail_data("{}: there is no tensor {}", path, in_quotes(name));
  const auto* data = std::get_if<Array<float>>(&tensor->data);
  if (!data || int64_t(data->size()) != size)
    fail_data("{}: tensor {} does not have the {} numbers that the network needs", path,
              in_quotes(name), size);
  return *data;
}

Scores scores_in(const Json& json, const std::string& path) {
  return {value_in<double>(json, path, "loss"), value_in<double>(json, path, "metric"),
          value_in<int64_t>(json, path, "count")};
}

}  // namespace

void add_weights(SafeTensors& file, const Parameters& layout, const Array<float>& value,
                 const std::string& prefix) {
  for (const NamedParameter& p : layout.all)
    file.tensors.push_back({prefix + p.name,
                            {p.rows, p.cols},
                            Array<float>(value.begin() + p.at, value.begin() + p.at + p.size())});
}

Array<float> read_weights(const SafeTensors& file, const std::string& path,
                          const Parameters& layout, const std::string& prefix) {
  Array<float> value(layout.value.size());
  for (const NamedParameter& p : layout.all) {
    const Array<float>& from = floats(file, path, prefix + p.name, p.size());
    if (!std::all_of(from.begin(), from.end(), [](float x) { return std::isfinite(x); }))
      fail_data("{}: tensor {} has a value that is not finite", path, in_quotes(prefix + p.name));
    std::copy(from.begin(), from.end(), value.begin() + p.at);
  }
  return value;
}

std::string required(const SafeTensors& file, const std::string& path, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    fail_data("{}: is not a model of mgnn: it does not say its {}", path, in_quotes(key));
  return found->second;
}

Json parsed(const std::string& path, const std::string& text) {
  check_json_depth(text, path);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception&) {
    fail_data("{}: its metadata are broken: {}", path, in_quotes(text));
  }
}

Json json_of(const Scores& s) {
  return {{"loss", s.loss}, {"metric", s.metric}, {"count", s.count}};
}

Json json_of(const EpochRecord& r) {
  return {{"epoch", r.epoch}, {"train_loss", r.train_loss}, {"validation", json_of(r.validation)}};
}

EpochRecord record_in(const Json& json, const std::string& path) {
  return {value_in<int64_t>(json, path, "epoch"), value_in<double>(json, path, "train_loss"),
          scores_in(value_in<Json>(json, path, "validation"), path)};
}

}  // namespace mgnn
