#include "mgnn/base/interrupt.h"

#include <atomic>
#include <csignal>

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

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as under nohup
}

void set_interrupted(bool value) { interrupt_flag = value; }
bool interrupted() { return interrupt_flag.load(std::memory_order_relaxed); }

void check_interrupted() {
  if (interrupted()) throw Error(ErrorKind::interrupted, "interrupted");
}

}  // namespace mgnn
