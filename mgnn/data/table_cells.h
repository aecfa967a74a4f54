// What a cell of a user's table says.
#pragma once

#include <optional>
#include <string_view>

namespace mgnn {

// Nothing but blanks, or one of NA, N/A, n/a, #N/A, <NA>, nan, NaN, NAN, NULL, null and ?. Case counts:
// "Na" is sodium.
bool is_missing(std::string_view cell);

// All expect a cell without blanks around it; nothing if it is not of that kind.
std::optional<double> number_in(std::string_view cell);         // finite
std::optional<double> decimal_comma_in(std::string_view cell);  // 1,5 or 3
std::optional<double> boolean_in(std::string_view cell);        // true, yes, t, y: 1
// Days since 1970-01-01 of 2024-01-31, 2024/01/31, 31.01.2024, or an ISO time such as
// 2024-01-31T18:30:00Z, whose time zone is not looked at.
std::optional<double> date_in(std::string_view cell);
// The same of 31/12/2024 and 12/31/2024, also with - for / and one digit for 05.
std::optional<double> day_first_in(std::string_view cell);
std::optional<double> month_first_in(std::string_view cell);

}  // namespace mgnn
