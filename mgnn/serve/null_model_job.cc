#include "mgnn/serve/null_model_job.h"

#include "mgnn/base/error.h"
#include "mgnn/base/threads.h"

namespace mgnn {

NullModelJob::~NullModelJob() {
  cancel_.request();
  if (thread_.joinable()) thread_.join();
}

void NullModelJob::begin(const Graph& graph, const Census& observed) {
  const std::lock_guard lock(mutex_);
  if (state_.begun) return;
  state_.begun = true;
  thread_ = std::thread([this, &graph, &observed] { work(graph, observed); });
}

NullModelJob::State NullModelJob::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void NullModelJob::work(const Graph& graph, const Census& observed) {
  const InterruptScope scope(&cancel_);
  const ThreadScope one(1);
  try {
    const RandomGraph rewired_graph = rewiring_null(graph, Rng(0));
    const NullModel result = null_model(observed.total, observed.counting, kGraphs, [&](int i) {
      Graph random = rewired_graph(i);
      const std::lock_guard lock(mutex_);
      state_.done = i;
      return random;
    });
    const std::lock_guard lock(mutex_);
    state_.result = result;
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    state_.error = error.what();
  }
}

}  // namespace mgnn
