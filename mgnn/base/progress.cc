#include "mgnn/base/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "mgnn/base/human.h"

namespace mgnn {
namespace {

std::atomic<bool> progress_shown = false;
constexpr int64_t kFirstDraw = 500, kRedraw = 100;  // milliseconds
constexpr int kBarWidth = 24;

int64_t milliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string amount(int64_t value, const std::string& unit) {
  if (unit == "B") return human_bytes(value);
  return unit.empty() ? human_count(value) : human_count(value) + " " + unit;
}

}  // namespace

void show_progress(bool on) { progress_shown = on; }

Progress::Progress(std::string label, int64_t total, std::string unit)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      start_(milliseconds()),
      next_draw_(start_ + kFirstDraw) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::note(std::string text) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(text);
}

void Progress::set(int64_t done) {
  if (!progress_shown.load(std::memory_order_relaxed)) return;
  const int64_t now = milliseconds();
  int64_t due = next_draw_.load(std::memory_order_relaxed);
  if (now < due || !next_draw_.compare_exchange_strong(due, now + kRedraw)) return;
  draw(done, now);
}

void Progress::draw(int64_t done, int64_t now) {
  const std::lock_guard lock(mutex_);
  std::string line = "\r\033[K" + label_ + "  ";
  if (total_ > 0) {
    const double fraction = std::clamp(double(done) / double(total_), 0., 1.);
    const int full = int(fraction * kBarWidth);
    for (int i = 0; i < kBarWidth; i++) line += i < full ? "━" : "─";
    line += fmt::format(" {:3.0f} %  {} of {}", 100 * fraction, amount(done, unit_),
                        amount(total_, unit_));
    const double seconds = double(now - start_) / 1000;
    if (fraction > 0.02) line += "  " + human_seconds(seconds / fraction - seconds) + " left";
  } else {
    line += amount(done, unit_);
  }
  if (!note_.empty()) line += "  " + note_;
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace mgnn
