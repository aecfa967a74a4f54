// The bytes of a file, unpacked if it is compressed.
#pragma once

#include <string>

#include "mgnn/base/file.h"

namespace mgnn {

// The content of `path` ("-": standard input). A file that begins like gzip, bzip2, xz or zstd is
// unpacked, whatever its name. Throws Error (data) if it is broken or cut short, or if it unpacks
// to so much more than its size that it can only be a trap (over 1 GiB and 200 times its size), or
// to more than the memory at hand.
FileBytes read_bytes(const std::string& path);

// `path` without .gz, .bz2, .xz, .zst.
std::string without_compression_suffix(const std::string& path);

}  // namespace mgnn
