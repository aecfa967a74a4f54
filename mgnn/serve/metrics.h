// What the server counts of itself, as Prometheus reads it (text format 0.0.4). Used by one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "mgnn/serve/served_model.h"

namespace mgnn {

class Metrics {
 public:
  static constexpr std::array kSecondsBuckets = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                                 0.01,   0.025,   0.05,   0.1,   0.25,   0.5,
                                                 1.,     2.5,     5.,     10.};

  void answered(const std::string& route, int code, double seconds, int64_t items);
  void rejected(const std::string& reason) { rejected_[reason]++; }
  void reloaded(bool succeeded) { (succeeded ? reloads_ : failed_reloads_)++; }

  int64_t in_flight = 0, queue_depth = 0, connections = 0;

  std::string text(const ModelSet* models) const;  // null: none is loaded yet

 private:
  struct Seconds {
    std::array<int64_t, kSecondsBuckets.size() + 1> count = {};
    double sum = 0;
  };
  std::map<std::pair<std::string, int>, int64_t> requests_;
  std::map<std::string, Seconds> seconds_;
  std::map<std::string, int64_t> items_, rejected_;
  int64_t reloads_ = 0, failed_reloads_ = 0;
};

}  // namespace mgnn
