// Fields of CSV files.
#pragma once

#include <string>

namespace mgnn {

// In quotes where it must be (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace mgnn
