// XML as a series of events, by expat.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/error.h"

namespace mgnn {

// An element as it begins. Names are without the prefixes of namespaces.
struct XmlElement {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  int64_t line = 0;

  bool has(std::string_view attribute) const;
  std::string_view get(std::string_view attribute) const;  // "" if it is not there
};

struct XmlEvents {
  std::function<void(const XmlElement& element)> begin;
  // `text` is that directly in the element, without what its children hold.
  std::function<void(std::string_view name, std::string_view text, int64_t line)> end;
};

// Without blanks and line ends around it, and with a blank for each within.
std::string one_line(std::string_view text);

// Throws Error with path:line if the text is not well-formed, has a DOCTYPE (so that there are no entities
// of its own, and no other file is read), or is nested deeper than 64. The views live during the call.
void parse_xml(std::string_view text, const std::string& path, const XmlEvents& events);

}  // namespace mgnn
