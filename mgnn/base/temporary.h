// Names of files and folders that are being written, beside the final ones.
#pragma once

#include <string>

namespace mgnn {

// <path>.mgnn-<process>.tmp; further attempts have a number of their own.
std::string temporary_name(const std::string& path, int attempt = 0);

// Removes what other processes left under such names in `folder` when they were killed: what was
// meant to become `name`, or if that is empty, everything. Not of processes that live, here or where
// else the folder is mounted: a file or folder that is being written is locked. What cannot be removed
// stays.
void sweep_temporaries(const std::string& folder, const std::string& name = "");

// So that nobody sweeps it until the descriptor is closed. Where there are no locks, nothing is swept.
void lock_temporary_file(int descriptor);

// A temporary file of this process, for remove_listed_temporaries.
void list_temporary(const std::string& path);
void unlist_temporary(const std::string& path);
// Removes the temporary files of this process; may be called by a signal handler that then ends it.
void remove_listed_temporaries();

}  // namespace mgnn
