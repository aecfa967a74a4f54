#include "mgnn/base/threads.h"

#include <omp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

std::atomic<int> chosen_threads = 0;

int default_threads() {
  static const int threads = std::min(omp_get_max_threads(), omp_get_num_procs());
  return threads;
}

// Whether other programs take the cores from our threads, so that these wait for their turns.
std::atomic<bool> contested = false;

// Between two parallel regions, threads of libgomp spin for milliseconds before they sleep. Where the
// cores are busy with other work they spin their turns away, and training takes ten times as long as
// with one thread. It spins for microseconds only if it has more threads than there are cores; so while
// cores are contested there is a team that does nothing and sleeps.
void hold_sleeping_team() {
  static std::atomic<int> started = 0;  // an empty region would be optimised away
#pragma omp parallel num_threads(omp_get_num_procs() + 1)
  started++;
  contested.wait(true);
}

// Nanoseconds of all threads: at work, and waiting for a core.
struct CoreTime {
  double used = 0, waited = 0;
};
CoreTime core_time() {
  CoreTime time;
  std::error_code ignored;  // a thread may end meanwhile; without schedstat nothing is contested
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    double used = 0, waited = 0;
    if (std::ifstream(thread.path() / "schedstat") >> used >> waited) {
      time.used += used;
      time.waited += waited;
    }
  }
  return time;
}

// Looks twenty times a second; what was contested counts as such for half a second.
[[noreturn]] void watch_cores() {
  constexpr int kLooksToForget = 10;
  int quiet_looks = kLooksToForget;
  for (CoreTime before = core_time();;) {
    usleep(50'000);
    const CoreTime now = core_time();
    const double used = now.used - before.used, waited = now.waited - before.waited;
    quiet_looks = waited > 0.25 * (used + waited) && waited > 5e6 ? 0 : quiet_looks + 1;
    before = now;
    const bool are_contested = quiet_looks < kLooksToForget;
    if (contested.exchange(are_contested) == are_contested) continue;
    contested.notify_all();
    if (are_contested) std::thread(hold_sleeping_team).detach();
  }
}

void start_watch() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the other threads
  std::thread(watch_cores).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Who says how long threads spin is obeyed.
void share_cores() {
  static const bool once = [] {
    if (!std::getenv("OMP_WAIT_POLICY") && !std::getenv("GOMP_SPINCOUNT")) start_watch();
    return true;
  }();
  (void)once;
}

}  // namespace

int num_threads() {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  const int threads = chosen > 0 ? chosen : default_threads();
  if (threads > 1) share_cores();
  return threads;
}

bool cores_are_contested() { return contested.load(std::memory_order_relaxed); }

void set_num_threads(int threads) {
  default_threads();  // before omp_set_num_threads changes what it reads
  chosen_threads = std::max(threads, 0);
  omp_set_num_threads(num_threads());
}

}  // namespace mgnn
