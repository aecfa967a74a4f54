// Dropout of a whole array by all threads.
#pragma once

#include <algorithm>

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/dropout_kernel.h"
#include "mgnn/tensor/meta.h"

namespace mgnn {

template <class T, class U>
void drop_all(const Dropout<T, U>& d, int64_t n) {
  if (MetaScope::active()) return;
  const int64_t runs = (n + kDropoutRun - 1) / kDropoutRun;
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (int64_t run = 0; run < runs; run++)
    MGNN_DISPATCH(drop, d, run * kDropoutRun, std::min(n, (run + 1) * kDropoutRun));
}

}  // namespace mgnn
