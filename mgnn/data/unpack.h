// Safe extraction of untrusted archives.
#pragma once

#include <cstdint>
#include <string>

namespace mgnn {

struct ArchiveLimits {
  int64_t max_bytes = int64_t(16) << 30;  // of all files together
  int64_t max_files = 100'000;
  int64_t max_ratio = 200;  // unpacked to packed, once beyond 64 MiB
};

// Unpacks a zip, tar (compressed or not) or 7z archive so that its content lies in `folder`, which
// is made; a single folder at the archive's top is left out (MUTAG/MUTAG_A.txt becomes
// MUTAG_A.txt). The files appear only when all are unpacked. Throws Error (data), and leaves
// `folder` as it was, if the archive is damaged, exceeds the limits, or holds an absolute path,
// "..", a link or a device.
void unpack_archive(const std::string& archive, const std::string& folder,
                    const ArchiveLimits& limits = {});

}  // namespace mgnn
