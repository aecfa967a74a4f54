// One line of an edge list, with all that may be wrong with it.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/base/error.h"
#include "mgnn/io/edge_layout.h"
#include "mgnn/io/text.h"

namespace mgnn {

enum class LineFault {
  none,
  too_few_columns,
  not_a_number,
  negative,
  too_large,
  blank,
  empty,
  nul,
  not_utf8,
  quotes,
  weight,
  relation,
};
constexpr int kLineFaults = int(LineFault::relation) + 1;

struct EdgeLine {
  TextCell from, to, relation, weight;
  int64_t from_id = 0, to_id = 0;  // if ids are integers
  float weight_value = 0;
  const char* problem = nullptr;  // with quotes
};

// Takes a line (without its end, not idle) apart and reads its numbers.
LineFault parse_edge_line(std::string_view line, const EdgeLayout& layout, EdgeLine& edge);

// A new name is looked at closely, once.
LineFault check_name(std::string_view name);

// What to say of a line that has a fault.
struct FaultText {
  std::string message;
  Hint hint = Hint::none;
};
FaultText describe_fault(LineFault fault, std::string_view line, const EdgeLayout& layout);

}  // namespace mgnn
