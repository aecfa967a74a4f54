#include "mgnn/base/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "mgnn/base/human.h"

namespace mgnn {
namespace {

std::atomic<bool> progress_shown = false;
thread_local ProgressScope* current_progress = nullptr;
thread_local const char this_progress_thread = 0;         // its address tells threads apart
constexpr int64_t kFirstReport = 500, kNextReport = 100;  // milliseconds
constexpr int kBarWidth = 24;

int64_t milliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string amount(int64_t value, std::string_view unit) {
  if (unit == "B") return human_bytes(value);
  return unit.empty() ? human_count(value) : fmt::format("{} {}", human_count(value), unit);
}

std::string bar_of(const ProgressReport& report) {
  if (report.total <= 0) return amount(report.done, report.unit);
  const double fraction = std::clamp(double(report.done) / double(report.total), 0., 1.);
  const int full = int(fraction * kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; i++) bar += i < full ? "━" : "─";
  bar += fmt::format(" {:3.0f} %  {} of {}", 100 * fraction, amount(report.done, report.unit),
                     amount(report.total, report.unit));
  const double seconds = double(report.milliseconds) / 1000;
  if (fraction > 0.02) bar += "  " + human_seconds(seconds / fraction - seconds) + " left";
  return bar;
}

void draw_on_terminal(const ProgressReport& report) {
  std::string line = "\r\033[K";
  if (!report.finished) {
    line += fmt::format("{}  {}", report.label, bar_of(report));
    if (!report.note.empty()) line += fmt::format("  {}", report.note);
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

void show_progress(bool on) { progress_shown = on; }

ProgressScope::ProgressScope(ProgressSink sink)
    : sink_(std::move(sink)), outer_(std::exchange(current_progress, this)) {}

ProgressScope::~ProgressScope() { current_progress = outer_; }

Progress::Progress(std::string label, int64_t total, std::string unit)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      start_(milliseconds()),
      scope_(current_progress),
      owner_(&this_progress_thread),
      next_report_(start_ + kFirstReport) {}

Progress::~Progress() {
  if (reported_) report(done_, /*finished=*/true);
}

void Progress::note(std::string text) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(text);
}

void Progress::set(int64_t done) {
  if (scope_ ? !scope_->sink_ || owner_ != &this_progress_thread
             : !progress_shown.load(std::memory_order_relaxed))
    return;
  const int64_t now = milliseconds();
  int64_t due = next_report_.load(std::memory_order_relaxed);
  if (now < due || !next_report_.compare_exchange_strong(due, now + kNextReport)) return;
  report(done, /*finished=*/false);
}

void Progress::report(int64_t done, bool finished) {
  const std::lock_guard lock(mutex_);
  const ProgressReport report{.label = label_,
                              .done = done,
                              .total = total_,
                              .unit = unit_,
                              .note = note_,
                              .milliseconds = milliseconds() - start_,
                              .finished = finished};
  reported_ = true;
  scope_ ? scope_->sink_(report) : draw_on_terminal(report);
}

}  // namespace mgnn
