// Progress bars on standard error, only where a person watches.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace mgnn {

// Off until switched on; the command line tool does so on a terminal without --quiet.
void show_progress(bool on);

// One line that is redrawn at most ten times a second and wiped when the bar goes. Work of less
// than half a second shows nothing. `advance` may be called by any thread.
class Progress {
 public:
  // `total` in units of `unit` ("B" is shown as KiB, MiB, …); 0: unknown, a count is shown.
  Progress(std::string label, int64_t total, std::string unit = "");
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance(int64_t amount) { set(done_.fetch_add(amount, std::memory_order_relaxed) + amount); }
  void note(std::string text);  // shown behind the bar: a loss, a file name

 private:
  void set(int64_t done);
  void draw(int64_t done, int64_t now);

  const std::string label_, unit_;
  const int64_t total_;
  const int64_t start_;
  std::atomic<int64_t> done_ = 0, next_draw_;
  std::mutex mutex_;  // guards note_, drawn_ and the terminal
  std::string note_;
  bool drawn_ = false;
};

}  // namespace mgnn
