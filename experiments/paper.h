// The numbers that the paper prints: experiments/paper.md, compiled in.
#pragma once

#include <optional>
#include <string_view>

namespace mgnn {

struct PaperNumber {
  double value = 0, deviation = 0;  // 0: no deviation is printed
};

// Nothing where the paper has none (its figures are printed without numbers).
std::optional<PaperNumber> paper_number(std::string_view table, std::string_view row,
                                        std::string_view column);

}  // namespace mgnn
