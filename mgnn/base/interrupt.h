// How long work is told to stop: by a signal, by a token, or by somebody it asks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace mgnn {

// ---- Ctrl-C, SIGTERM and SIGHUP: a flag of the process

// From now on SIGINT, SIGTERM and SIGHUP set the flag; a second one ends the process at once. A SIGHUP
// that was ignored before, as under nohup, stays so.
void catch_interrupts();

void set_interrupted(bool value);  // what the signal handler does; for tests and embedders
// Whether to stop: the flag, or what an InterruptScope of this work says. Cheap enough for an inner
// loop's every few thousand steps.
bool interrupted();
void check_interrupted();  // throws Error (interrupted) if so

// ---- the work of one call

// Stops the work that looks at it. Any thread may use it at any time.
class CancelToken {
 public:
  void request() { requested_ = true; }
  void clear() { requested_ = false; }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_ = false;
};

// While it lives, work of this thread is interrupted once the token says so, or `poll` has returned
// true. Poll is called by this thread alone, at most every 50 ms. Either may be left out. Threads that
// help take part by InterruptShare.
class InterruptScope {
 public:
  explicit InterruptScope(const CancelToken* token, std::function<bool()> poll = {});
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  friend class InterruptShare;
  friend bool interrupted();
  bool asks_to_stop();

  const CancelToken* token_;
  const std::function<bool()> poll_;
  std::atomic<bool> stopped_ = false;  // by poll
  int64_t next_poll_ = 0;              // nanoseconds
  const void* const owner_;            // the thread that polls
  InterruptScope* const outer_;
};

// Hands the scope of the thread that makes it to another one, while `with` runs there.
class InterruptShare {
 public:
  InterruptShare();
  template <class Body>
  void with(Body&& body) const {
    const Turn turn(scope_);
    body();
  }

 private:
  class Turn {
   public:
    explicit Turn(InterruptScope* scope);
    ~Turn();

   private:
    InterruptScope* const outer_;
  };
  InterruptScope* const scope_;
};

}  // namespace mgnn
