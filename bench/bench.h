// Fast and plain in one process, in turns, and their ratio.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mgnn/base/clock.h"

namespace mgnn::bench {

template <class Action>
double seconds(Action&& action) {
  const Stopwatch watch;
  action();
  return watch.seconds();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Of `trials` calls, after one that does not count.
template <class Action>
double median_seconds(int trials, Action&& action) {
  action();
  std::vector<double> times;
  for (int i = 0; i < trials; i++) times.push_back(seconds(action));
  return median(times);
}

// Ends the program unless two losses agree.
inline void check_near(const std::string& what, double a, double b, double tolerance = 1e-3) {
  if (std::abs(a - b) <= tolerance * (1 + std::abs(a))) return;
  std::printf("%s: the losses differ, %g and %g\n", what.c_str(), a, b);
  std::exit(1);
}

// `ratio` and `figure` lines are what other programs read; they come last (print_ratios).
inline std::vector<std::pair<std::string, double>>& ratios() {
  static std::vector<std::pair<std::string, double>> all;
  return all;
}
inline void ratio(const std::string& name, double value) {
  ratios().push_back({"ratio " + name, value});
}
// A time or another quantity that is no ratio: "cora_ms".
inline void figure(const std::string& name, double value) {
  ratios().push_back({"figure " + name, value});
}
inline void print_ratios() {
  for (const auto& [name, value] : ratios()) std::printf("%s %.3f\n", name.c_str(), value);
}

// Checks that both give the same, then times them in turns; prints medians and how many times as
// fast `fast` is, and notes that ratio.
template <class Fast, class Plain, class Same>
void compare(const std::string& name, int trials, Fast&& fast, Plain&& plain, Same&& same) {
  if (!same(fast(), plain())) {
    std::printf("%s: the results differ\n", name.c_str());
    std::exit(1);
  }
  std::vector<double> fast_times, plain_times;
  for (int i = 0; i < trials; i++) {
    fast_times.push_back(seconds(fast));
    plain_times.push_back(seconds(plain));
  }
  const double f = median(fast_times), p = median(plain_times);
  std::printf("%-48s %10.1f ms %10.1f ms %8.2fx\n", name.c_str(), f * 1e3, p * 1e3, p / f);
  std::fflush(stdout);
  ratio(name, p / f);
}

}  // namespace mgnn::bench
