// Files from the net: resumed, checked, bounded.
#pragma once

#include <cstdint>
#include <string>

namespace mgnn {

struct DownloadOptions {
  int64_t max_bytes = int64_t(4) << 30;  // more is refused
  int attempts = 4;                      // after errors that may pass: lost connections, 5xx, 429
  double first_wait = 1;                 // seconds before the second attempt; doubles each time
  double connect_timeout = 20;           // seconds
  double stall_timeout = 30;             // seconds below min_speed
  int64_t min_speed = 100;               // bytes per second
  double deadline = 12 * 3600;           // seconds for one attempt
  double lock_timeout = 12 * 3600;       // seconds to wait for another process with this file
};

// Fetches `url` (http or https; redirects stay on these, and on https once there) to `path`. The
// bytes go to path + ".part"; a later call goes on where an earlier one was cut, if the server's
// file is still the same. `sha256`: what the sum must be, or empty.
// If another process is downloading the file, waits for it and takes what it got, if the sum is right.
// Throws Error if it does not succeed; a file of another sum is removed, and so is a part that could not
// be written.
void download_file(const std::string& url, const std::string& path, const std::string& sha256 = "",
                   const DownloadOptions& options = {});

}  // namespace mgnn
