// Lists of settings as JSON.
#pragma once

#include "c/buffers.h"
#include "mgnn/base/options.h"

namespace mgnn::c {

inline Json json_of(const Value& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

// Each with its name, type, value, help, choices and, where searches have one, range.
inline Json json_of_options(const Options& options) {
  Json list = Json::array();
  for (const Option& option : options) {
    Json entry = {{"name", option.name},
                  {"type", option.type},
                  {"value", json_of(option.get())},
                  {"help", option.help}};
    if (!option.choices.empty()) entry["choices"] = option.choices;
    if (option.search)
      entry["search"] = {{"low", option.search->low},
                         {"high", option.search->high},
                         {"logarithmic", option.search->logarithmic}};
    list.push_back(entry);
  }
  return list;
}

}  // namespace mgnn::c
