// Folders that outputs go to.
#pragma once

#include <memory>
#include <string>

namespace mgnn {

// Makes a folder and those above it, if they are not there. Throws Error.
void make_folder(const std::string& path);

// Puts the complete folder `temporary` in the place of `path`, with what was there before, if anything,
// left under the name `temporary`: there is a whole folder under the name at any moment, or on file
// systems that cannot exchange names, none for a moment. Throws Error, and then the older one is there.
void swap_folder(const std::string& temporary, const std::string& path);

// As long as the result or a copy of it lives, no other process gets a lock of the folder. Throws Error
// (usage) if another one has it. Where the file system has no locks, nothing is locked.
std::shared_ptr<const void> lock_folder(const std::string& path);

}  // namespace mgnn
