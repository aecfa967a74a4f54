// How many threads work.
#pragma once

namespace mgnn {

// Threads that a parallel region starts: set_num_threads, else OMP_NUM_THREADS, else the cores that
// this process may use; fewer where the system gives no more, or ulimit -v leaves little for their
// stacks. Results never depend on it. Where other programs want the
// cores, too, waiting threads yield them at once and small work is left to one thread, unless
// OMP_WAIT_POLICY or GOMP_SPINCOUNT say otherwise.
int num_threads();
void set_num_threads(int threads);  // 0: back to the default

}  // namespace mgnn
