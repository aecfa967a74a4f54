// Folders that outputs go to.
#pragma once

#include <memory>
#include <string>

namespace mgnn {

// Makes a folder and those above it, if they are not there. Throws Error.
void make_folder(const std::string& path);

// As long as the result or a copy of it lives, no other process gets a lock of the folder. Throws Error
// (usage) if another one has it. Where the file system has no locks, nothing is locked.
std::shared_ptr<const void> lock_folder(const std::string& path);

}  // namespace mgnn
