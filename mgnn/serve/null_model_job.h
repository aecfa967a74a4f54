// Motif counts of random graphs, computed once in the background, since they take seconds to minutes.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "mgnn/base/interrupt.h"
#include "mgnn/motif/census.h"

namespace mgnn {

class NullModelJob {
 public:
  static constexpr int kGraphs = 20;

  struct State {
    bool begun = false;
    int done = 0;                     // random graphs so far
    std::optional<NullModel> result;  // once all are
    std::string error = {};
  };

  NullModelJob() = default;
  ~NullModelJob();  // stops it

  // From any thread. The first call begins; both must outlive the job.
  void begin(const Graph& graph, const Census& observed);
  State state() const;

 private:
  void work(const Graph& graph, const Census& observed);

  mutable std::mutex mutex_;
  State state_;
  CancelToken cancel_;
  std::thread thread_;
};

}  // namespace mgnn
