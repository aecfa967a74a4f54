// Folders that outputs go to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mgnn {

// Makes a folder and those above it, if they are not there. Throws Error.
void make_folder(const std::string& path);
// Makes a folder that was not there: `path`, or where that is taken path-2, path-3, …. Processes that
// ask at the same time get different ones. Returns its name.
std::string make_new_folder(const std::string& path);
// Throws Error, as making `path` and writing to it would: for programs that would rather know before a
// long computation.
void check_folder_writable(const std::string& path);

// The names of what is in a folder, in order; none if there is no such folder. Throws Error (failed) if
// the system cannot say.
std::vector<std::string> names_in_folder(const std::string& path);

// Removes a file, if it is there. Throws Error.
void remove_file(const std::string& path);

// Whatever happens, there is an older folder under the name `path`, if there was one, or the complete
// new one that `fill` writes into the folder that it is given; on file systems that cannot exchange
// names, none for a moment. The older folder is removed.
// REQUIRES: what is in it may be removed. Throws Error.
void replace_folder(const std::string& path,
                    const std::function<void(const std::string& folder)>& fill);
// Puts `temporary` in the place of `path`, with what was there before, if anything, left under the
// name `temporary`. Throws Error, and then the older one is there.
void swap_folder(const std::string& temporary, const std::string& path);

// The entry of `path` in its folder is on the disk. False: errno says why; that a file system cannot
// sync folders is no failure.
bool sync_entry(const std::string& path);

// As long as the result or a copy of it lives, no other process gets a lock of the folder. Throws Error
// (usage) if another one has it. Where the file system has no locks, nothing is locked.
std::shared_ptr<const void> lock_folder(const std::string& path);

}  // namespace mgnn
