#include "mgnn/base/parallel.h"

#include <omp.h>

namespace mgnn {
namespace {

std::atomic<int> chosen_threads = 0;

int default_threads() {
  static const int threads = std::min(omp_get_max_threads(), omp_get_num_procs());
  return threads;
}

}  // namespace

int num_threads() {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : default_threads();
}

void set_num_threads(int threads) {
  default_threads();  // before omp_set_num_threads changes what it reads
  chosen_threads = std::max(threads, 0);
  omp_set_num_threads(num_threads());
}

}  // namespace mgnn
