// Where the files of named datasets are, and how they get there.
#pragma once

#include <optional>

#include "mgnn/data/load.h"
#include "mgnn/data/registry.h"

namespace mgnn {

// The folders that may hold datasets, in the order of look-up; the last is the cache:
// $XDG_CACHE_HOME/mgnn or ~/.cache/mgnn, if there is a home. They need not exist.
std::vector<std::string> data_folders(const LoadOptions& options = {});

// The cache, or "" if there is neither XDG_CACHE_HOME nor a home.
std::string cache_folder();

// Where the entry's files are, or none if they are not here. Embedded: "".
std::optional<std::string> dataset_folder(const DatasetEntry& entry,
                                          const LoadOptions& options = {});

// The folder to which `download_dataset` puts the entry's files: below options.data_dir if that is
// set, else in the cache. Throws Error (failed) if there is no folder for a cache.
std::string download_folder(const DatasetEntry& entry, const LoadOptions& options = {});

// Fetches the entry's files and gives their folder. Files that are there already are kept, unless
// `again`. Throws Error that says which files to put where if there is no network or no public
// address.
std::string download_dataset(const DatasetEntry& entry, const LoadOptions& options = {},
                             bool again = false);

}  // namespace mgnn
