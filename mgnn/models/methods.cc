#include "mgnn/models/methods.h"

#include <fmt/format.h>

#include <array>

namespace mgnn {

std::span<const Method> methods() {
  static constexpr std::array kMethods = {
      Method{"mgnn", "motif graph neural network", "Chen et al., TNNLS 2023", true, true,
             make_mgnn},
      Method{"gcn", "graph convolutional network", "Kipf, Welling, ICLR 2017", true, true,
             make_gcn},
  };
  return kMethods;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  fail_usage("there is no model {}; {}", quoted(name),
             did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
}

}  // namespace mgnn
