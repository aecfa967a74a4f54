#include "mgnn/base/threads.h"

#include <omp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

namespace mgnn {
namespace {

std::atomic<int> chosen_threads = 0;

int default_threads() {
  static const int threads = std::min(omp_get_max_threads(), omp_get_num_procs());
  return threads;
}

// A team of more threads than there are cores, which sleeps for ever.
void start_sleeping_team() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the other threads
  std::thread([] {
    static std::atomic<int> started = 0;  // an empty region would be optimised away
#pragma omp parallel num_threads(omp_get_num_procs() + 1)
    started++;
    while (true) pause();
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Between two parallel regions, threads of libgomp spin for milliseconds before they sleep. Where the
// cores are busy with other work they spin their turns away, and training takes ten times as long as
// with one thread. It spins for microseconds only if it has more threads than there are cores, so it
// is given some. Who says how long threads spin is obeyed.
void share_cores() {
  static const bool once = [] {
    if (!std::getenv("OMP_WAIT_POLICY") && !std::getenv("GOMP_SPINCOUNT")) start_sleeping_team();
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

void set_num_threads(int threads) {
  default_threads();  // before omp_set_num_threads changes what it reads
  chosen_threads = std::max(threads, 0);
  omp_set_num_threads(num_threads());
}

}  // namespace mgnn
