// How far long work has come, for whoever watches: a bar on a terminal, a notebook, a log.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace mgnn {

struct ProgressReport {
  std::string_view label;
  int64_t done = 0, total = 0;  // total 0: not known
  std::string_view unit;        // "B": bytes
  std::string_view note;        // a loss, a file name
  int64_t milliseconds = 0;     // since the beginning
  bool finished = false;        // the last report with this label
};
// Called one at a time for the same work.
using ProgressSink = std::function<void(const ProgressReport&)>;

// Whether work that has no sink of its own draws bars on standard error: one line, which is wiped when
// the work ends. At first off; the command line tool switches them on where a person watches.
void show_progress(bool on);

// While it lives, work that this thread begins reports to `sink`, which only this thread calls. An empty
// one: nobody is told.
class ProgressScope {
 public:
  explicit ProgressScope(ProgressSink sink);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

 private:
  friend class Progress;
  const ProgressSink sink_;
  ProgressScope* const outer_;
};

// Work that reports at most ten times a second, and not at all in its first half second. `advance` may
// be called by any thread.
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
  void report(int64_t done, bool finished);

  const std::string label_, unit_;
  const int64_t total_;
  const int64_t start_;
  const ProgressScope* const scope_;  // null: the terminal
  const void* const owner_;           // the thread that began
  std::atomic<int64_t> done_ = 0, next_report_;
  std::mutex mutex_;  // guards note_, reported_ and the sink
  std::string note_;
  bool reported_ = false;
};

}  // namespace mgnn
