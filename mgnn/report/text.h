// Text that is not ours, made fit for terminals, pages and typesetting.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// Columns that a text takes on a terminal: combining marks none, East Asian wide characters two.
int display_width(std::string_view text);

// Control characters and invalid UTF-8 as U+FFFD.
std::string printable(std::string_view text);

// Printable, and safe between tags and inside a quoted attribute of HTML and SVG. Line ends stay.
std::string xml_escaped(std::string_view text);

// Printable, with what LaTeX takes for commands escaped.
std::string latex_escaped(std::string_view text);

}  // namespace mgnn
