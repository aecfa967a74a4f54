// Files of named datasets, compared with their checksums when they are used.
#pragma once

#include <string>

#include "mgnn/data/registry.h"

namespace mgnn {

// The file in `cache` that remembers what was compared: one line per file with its SHA-256, size, time
// of change and path below `cache`.
std::string sums_path(const std::string& cache);

// Compares every file in `folder`, which is below `cache`, with its published SHA-256 or, if there is none,
// with the one that it had at its first use. A file whose size and time of change are those of an earlier
// comparison is not read again. Throws Error (data) if a file has another sum. A record that cannot be
// written is left out.
void verify_files(const DatasetEntry& entry, const std::string& folder, const std::string& cache);

// Forgets what is remembered of files in `folder`: they are new.
void forget_sums(const std::string& folder, const std::string& cache);

}  // namespace mgnn
