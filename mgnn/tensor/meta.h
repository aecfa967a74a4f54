// What a step needs, known before anything is computed.
#pragma once

namespace mgnn {

// While one lives, operations of this thread take their memory and compute nothing, as on PyTorch's
// meta device. Arrays of arenas are addresses without memory behind them, and read as zeros.
class MetaScope {
 public:
  MetaScope() : before_(active_) { active_ = true; }
  ~MetaScope() { active_ = before_; }
  MetaScope(const MetaScope&) = delete;
  MetaScope& operator=(const MetaScope&) = delete;

  static bool active() { return active_; }

 private:
  static inline constinit thread_local bool active_ = false;
  const bool before_;
};

}  // namespace mgnn
