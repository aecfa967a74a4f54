// What this program was built from and with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mgnn {

// Pairs of what and its value: version, compiler, instruction sets, threads, components.
std::vector<std::pair<std::string, std::string>> build_facts();
void print_version(bool json);

}  // namespace mgnn
