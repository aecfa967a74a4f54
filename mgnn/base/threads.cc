#include "mgnn/base/threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

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
void* hold_sleeping_team(void*) {
  static std::atomic<int> started = 0;  // an empty region would be optimised away
  const int threads = std::max(2, omp_get_num_procs() - num_threads() + 2);
#pragma omp parallel num_threads(threads)
  started++;
  contested.wait(true);
  return nullptr;
}

// Where the system gives no more threads, things stay as they are.
void start_thread(void* (*run)(void*)) {
  if (pthread_t thread; pthread_create(&thread, nullptr, run, nullptr) == 0) pthread_detach(thread);
}

// Nanoseconds of all threads: at work, and waiting for a core.
struct CoreTime {
  double used = 0, waited = 0;
};

CoreTime core_time_of(const char* thread) {
  CoreTime time;
  char text[64];
  snprintf(text, sizeof text, "/proc/self/task/%.20s/schedstat", thread);
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return time;  // it may have ended meanwhile; without schedstat nothing is contested
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  text[std::max<ssize_t>(bytes, 0)] = 0;
  return sscanf(text, "%lf %lf", &time.used, &time.waited) == 2 ? time : CoreTime();
}

// Without operator new: steps of training are promised to ask for no memory, and this runs beside them.
CoreTime core_time() {
  CoreTime sum;
  DIR* const threads = opendir("/proc/self/task");
  if (!threads) return sum;
  while (const dirent* thread = readdir(threads)) {
    if (thread->d_name[0] == '.') continue;
    const CoreTime time = core_time_of(thread->d_name);
    sum.used += time.used;
    sum.waited += time.waited;
  }
  closedir(threads);
  return sum;
}

// Looks twenty times a second. Two looks in a row tell other work from a program that only starts beside
// us; what was contested counts as such for half a second.
[[noreturn]] void* watch_cores(void*) {
  constexpr int kLooksToNotice = 2, kLooksToForget = 10;
  int busy_looks = 0, looks_since = kLooksToForget;
  for (CoreTime before = core_time();;) {
    usleep(50'000);
    const CoreTime now = core_time();
    const double used = now.used - before.used, waited = now.waited - before.waited;
    const bool is_busy = waited > 0.25 * (used + waited) && waited > 5e6;
    busy_looks = is_busy ? busy_looks + 1 : 0;
    looks_since = busy_looks >= kLooksToNotice ? 0 : looks_since + 1;
    before = now;
    const bool are_contested = looks_since < kLooksToForget;
    if (contested.exchange(are_contested) == are_contested) continue;
    contested.notify_all();
    if (are_contested) start_thread(hold_sleeping_team);
  }
}

void start_watch() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the other threads
  start_thread(watch_cores);
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
