// Settings as TOML.
#pragma once

#include "mgnn/base/options.h"

namespace mgnn {

// All settings of a file, with whole names ("model.dropout"). Throws Error (data) with path:line.
Settings parse_toml(std::string_view text, const std::string& path);

// Tables of an array of tables, [[name]], each with its settings. Throws as parse_toml.
std::vector<Settings> parse_toml_tables(std::string_view text, const std::string& path,
                                        const std::string& name);

std::string toml_of(const Value& value);      // 0.5, true, "sum", [16, 3]
std::string toml_of(const Options& options);  // one line each, by sections

}  // namespace mgnn
