// Results that belong to the caller.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "c/mgnn_c.h"
#include "mgnn/tensor/matrix.h"

struct mgnn_buffer {
  std::string bytes;
};
struct mgnn_matrix {
  mgnn::Matrix matrix;
};

namespace mgnn::c {

using Json = nlohmann::ordered_json;

inline mgnn_buffer* new_buffer(std::string bytes) { return new mgnn_buffer{std::move(bytes)}; }
// Texts of the data that are not UTF-8 are told with replacement characters.
inline mgnn_buffer* new_buffer(const Json& json) {
  return new_buffer(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}
inline mgnn_matrix* new_matrix(Matrix matrix) { return new mgnn_matrix{std::move(matrix)}; }

}  // namespace mgnn::c
