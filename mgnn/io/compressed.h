// The bytes of a file, unpacked if it is compressed.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/base/file.h"

namespace mgnn {

// The content of `path` ("-": standard input). A file that begins like gzip, bzip2, xz or zstd is
// unpacked, whatever its name. Throws Error (data) if it is broken or cut short, or if it unpacks
// to so much more than its size that it can only be a trap (over 256 MiB and 50 times its size), and
// (failed) if to more than the memory there is. No more than 256 MiB are taken before the unpacked size
// is known.
FileBytes read_bytes(const std::string& path);

// What `unpack` takes for a trap: more than `harmless` bytes that are also more than `ratio` times
// the packed size.
struct UnpackLimits {
  int64_t harmless = int64_t(1) << 28;
  int64_t ratio = 50;
  int64_t memory = 0;  // refuse to take more than this; 0: what is at hand
};

// Whether the bytes begin like gzip, bzip2, xz or zstd.
bool is_compressed(std::string_view bytes);

// The content of compressed bytes; `path` names them in messages. Several members or frames, one
// after the other, are one content. REQUIRES: is_compressed(packed).
FileBytes unpack(std::string_view packed, const std::string& path, const UnpackLimits& limits = {});

// `path` without .gz, .bz2, .xz, .zst.
std::string without_compression_suffix(const std::string& path);

}  // namespace mgnn
