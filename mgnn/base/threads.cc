#include "mgnn/base/threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

std::atomic<int> chosen_threads = 0;
thread_local int scope_threads = 0;      // of the ThreadScope; 0: there is none
thread_local int startable_threads = 1;  // the most that this thread has started so far

std::atomic<bool> is_forked = false;
// Who opens scopes is a guest in another program: nothing of ours runs there between two of them.
std::atomic<bool> is_guest = false;
std::atomic<int> open_scopes = 0;

// A thread that waits, so that several are there at once.
struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  bool is_open = false;
};

void* wait_at(void* gate_of_all) {
  Gate& gate = *static_cast<Gate*>(gate_of_all);
  std::unique_lock lock(gate.mutex);
  gate.opened.wait(lock, [&] { return gate.is_open; });
  return nullptr;
}

// How many of `wanted` threads the system gives at once.
int startable(int wanted) {
  constexpr int kMaxThreads = 1024;
  std::array<pthread_t, kMaxThreads> threads;
  Gate gate;
  int count = 0;
  while (count < std::min(wanted, kMaxThreads) &&
         pthread_create(&threads[count], nullptr, wait_at, &gate) == 0)
    count++;
  {
    const std::lock_guard lock(gate.mutex);
    gate.is_open = true;
  }
  gate.opened.notify_all();
  for (int i = 0; i < count; i++) pthread_join(threads[i], nullptr);
  return count;
}

// Stacks and heaps of threads may take a quarter of the address space that ulimit -v leaves.
int threads_within_address_space(int wanted) {
  constexpr int64_t kHeap = 64 << 20;  // the C library reserves one for each
  rlimit space{}, stack{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return wanted;
  getrlimit(RLIMIT_STACK, &stack);
  const int64_t stack_bytes =
      stack.rlim_cur == RLIM_INFINITY ? 8 << 20 : std::max<int64_t>(int64_t(stack.rlim_cur), 1);
  return int(std::min<int64_t>(wanted, 1 + available_memory_bytes() / 4 / (stack_bytes + kHeap)));
}

// libgomp ends the program where it cannot start a thread. So the threads are counted beforehand, and
// started at once, while there is memory for their stacks; libgomp keeps them.
int started_threads(int wanted) {
  wanted = threads_within_address_space(wanted);
  const int threads = 1 + startable(wanted - 1);
  static std::atomic<int> count = 0;  // an empty region would be optimised away
#pragma omp parallel num_threads(threads) if (threads > 1 && !omp_in_parallel())
  count++;
  startable_threads = std::max(startable_threads, threads);
  return threads;
}

int default_threads() {
  static const int threads = started_threads(std::min(omp_get_max_threads(), omp_get_num_procs()));
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
  constexpr int kSpare = 8;  // others may start threads meanwhile
  if (startable(threads + kSpare) < threads + kSpare) return nullptr;
#pragma omp parallel num_threads(threads)
  started++;
  contested.wait(true);
  return nullptr;
}

// Where the system gives no more threads, things stay as they are.
void start_thread(void* (*run)(void*)) {
  constexpr size_t kStack = 256 << 10;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  (void)pthread_create(&thread, &attributes, run, nullptr);
  pthread_attr_destroy(&attributes);
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
    if (is_guest && open_scopes == 0) {
      open_scopes.wait(0);
      before = core_time();
    }
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

// The watch and the sleeping team are the parent's.
void after_fork() {
  is_forked = true;
  contested = false;
}
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, after_fork);

}  // namespace

int num_threads() {
  if (is_forked.load(std::memory_order_relaxed)) return 1;
  if (scope_threads > 0) return scope_threads;
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  const int threads = chosen > 0 ? chosen : default_threads();
  if (threads > 1) share_cores();
  return threads;
}

bool cores_are_contested() { return contested.load(std::memory_order_relaxed); }

void set_num_threads(int threads) {
  chosen_threads = threads > default_threads() ? started_threads(threads) : std::max(threads, 0);
  omp_set_num_threads(num_threads());
}

ThreadScope::ThreadScope(int threads)
    : outer_(scope_threads), openmp_before_(omp_get_max_threads()) {
  if (threads <= 0) threads = openmp_before_;
  if (is_forked) threads = 1;
  if (threads > startable_threads) threads = started_threads(threads);
  scope_threads = std::max(threads, 1);
  omp_set_num_threads(scope_threads);
  is_guest = true;
  if (open_scopes++ == 0) open_scopes.notify_one();
  if (scope_threads > 1) share_cores();
}

ThreadScope::~ThreadScope() {
  open_scopes--;
  scope_threads = outer_;
  omp_set_num_threads(openmp_before_);
}

}  // namespace mgnn
