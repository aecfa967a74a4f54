// What files of trained and half-trained networks share: weights by name, metadata as JSON. All that
// read throw Error (data) that names the file.
#pragma once

#include <nlohmann/json.hpp>

#include "mgnn/io/safetensors.h"
#include "mgnn/task/result.h"

namespace mgnn {

// `value` has the layout of the parameters; names are prefix + name.
void add_weights(SafeTensors& file, const Parameters& layout, const Array<float>& value,
                 const std::string& prefix);
Array<float> read_weights(const SafeTensors& file, const std::string& path,
                          const Parameters& layout, const std::string& prefix);

std::string required(const SafeTensors& file, const std::string& path, const std::string& key);
nlohmann::ordered_json parsed(const std::string& path, const std::string& text);
template <class T>
T value_in(const nlohmann::ordered_json& json, const std::string& path, const char* key) {
  try {
    return json.at(key).get<T>();
  } catch (const nlohmann::json::exception&) {
    fail_data("{}: metadata field {} is missing or malformed", path, in_quotes(key));
  }
}

nlohmann::ordered_json json_of(const Scores& scores);
nlohmann::ordered_json json_of(const EpochRecord& record);
EpochRecord record_in(const nlohmann::ordered_json& json, const std::string& path);

}  // namespace mgnn
