// How the lines of an edge list are laid out: found from the options and the first lines.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/io/edge_list.h"

namespace mgnn {

struct EdgeLayout {
  char separator = ' ';
  bool integer_ids = true;
  bool trim = false;
  bool matrix = false;                               // lines are entries of a matrix; for messages
  int from = 0, to = 1, relation = -1, weight = -1;  // columns from 0; -1: none
  std::string_view body;                             // from the first line with an edge on
  int64_t first_line = 1;                            // its number in the file

  // Two integers first, and nothing else of interest.
  bool plain() const { return integer_ids && from == 0 && to == 1 && relation < 0 && weight < 0; }
};

// Throws Error (data) if there is no line with an edge, (usage) if the options ask for a column
// that is not there.
EdgeLayout find_edge_layout(std::string_view text, const std::string& path,
                            const EdgeListOptions& options);

// A line that is passed over: empty, or a comment.
bool is_idle_line(std::string_view line);

}  // namespace mgnn
