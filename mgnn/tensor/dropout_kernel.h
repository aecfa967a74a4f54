// Dropout of a run of elements, for one thread.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

// y[i] (+)= x[i] / (1 - p) where element i of the mask is kept, else 0; i = first .. last - 1.
// With `place`, the mask's element is place[i].
template <class T, class U>
struct Dropout {
  DropoutMask mask;
  const Offset* place = nullptr;
  const U* x;
  T* y;
  bool add = false;
};

// A run must not be longer than this and begin at a multiple of it.
constexpr int64_t kDropoutRun = 4096;

MGNN_DECLARE_KERNELS(template <class T, class U>
                     void drop(const Dropout<T, U>& d, int64_t first, int64_t last);)

}  // namespace mgnn
