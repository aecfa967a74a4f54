#include "mgnn/base/interrupt.h"

#include <chrono>
#include <csignal>
#include <utility>

#include "mgnn/base/error.h"
#include "mgnn/base/temporary.h"

namespace mgnn {
namespace {

std::atomic<bool> interrupt_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  if (interrupt_flag.exchange(true)) {
    remove_listed_temporaries();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

constexpr int64_t kPollEvery = 50'000'000;  // nanoseconds

thread_local InterruptScope* current_scope = nullptr;
thread_local const char this_thread = 0;  // its address tells threads apart

int64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as under nohup
}

void set_interrupted(bool value) { interrupt_flag = value; }
bool interrupted() {
  return interrupt_flag.load(std::memory_order_relaxed) ||
         (current_scope && current_scope->asks_to_stop());
}

void check_interrupted() {
  if (interrupted()) throw Error(ErrorKind::interrupted, "interrupted");
}

InterruptScope::InterruptScope(const CancelToken* token, std::function<bool()> poll)
    : token_(token),
      poll_(std::move(poll)),
      owner_(&this_thread),
      outer_(std::exchange(current_scope, this)) {}

InterruptScope::~InterruptScope() { current_scope = outer_; }

bool InterruptScope::asks_to_stop() {
  if (stopped_.load(std::memory_order_relaxed) || (token_ && token_->requested())) return true;
  if (outer_ && outer_->asks_to_stop()) return true;
  if (!poll_ || owner_ != &this_thread) return false;
  const int64_t now = nanoseconds();
  if (now < next_poll_) return false;
  if (poll_()) stopped_ = true;
  next_poll_ = now + kPollEvery;
  return stopped_;
}

InterruptShare::InterruptShare() : scope_(current_scope) {}
InterruptShare::Turn::Turn(InterruptScope* scope) : outer_(std::exchange(current_scope, scope)) {}
InterruptShare::Turn::~Turn() { current_scope = outer_; }

}  // namespace mgnn
