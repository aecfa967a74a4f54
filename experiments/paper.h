// The numbers that the paper prints, as it prints them.
#pragma once

#include <optional>
#include <string_view>

namespace mgnn {

struct PaperNumber {
  const char *table, *row, *column;
  double value, deviation;  // 0: none printed
};

// Nothing where the paper has none (its figures are printed without numbers).
std::optional<PaperNumber> paper_number(std::string_view table, std::string_view row,
                                        std::string_view column);

}  // namespace mgnn
