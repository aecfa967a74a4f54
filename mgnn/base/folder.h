// Folders that outputs go to.
#pragma once

#include <string>

namespace mgnn {

// Makes a folder and those above it, if they are not there. Throws Error.
void make_folder(const std::string& path);

}  // namespace mgnn
