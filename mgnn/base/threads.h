// How many threads work.
#pragma once

namespace mgnn {

// Threads that a parallel region starts: those of this thread's ThreadScope, else set_num_threads, else
// OMP_NUM_THREADS, else the cores that this process may use; fewer where the system gives no more, or ulimit -v leaves little for their
// stacks. Results never depend on it. Where other programs want the
// cores, too, waiting threads yield them at once and small work is left to one thread, unless
// OMP_WAIT_POLICY or GOMP_SPINCOUNT say otherwise. In a child made by fork there is one thread: it has
// none of the parent's others, for which OpenMP would wait for ever.
int num_threads();
void set_num_threads(int threads);  // 0: back to the default

// How many threads the calling thread's work takes while this lives, whatever happens in other threads.
// 0: as many as OpenMP says to this thread now. Afterwards OpenMP's setting is what it was.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  const int outer_, openmp_before_;
};

}  // namespace mgnn
