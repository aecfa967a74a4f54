// Dropout of a whole array by all threads.
#pragma once

#include "mgnn/base/parallel.h"
#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

// y[i] (+)= x[i] / (1 - p) where element i of the mask is kept, else 0. With `place`, the mask's
// element is place[i].
template <class T, class U>
struct Dropout {
  DropoutMask mask;
  const Offset* place = nullptr;
  const U* x;
  T* y;
  bool add = false;
};

// A run of elements has one mask buffer, and the same upper 32 bits in all element numbers.
constexpr int64_t kDropoutRun = 4096;

// REQUIRES: first is a multiple of kDropoutRun, last - first <= kDropoutRun.
template <class T, class U>
void drop_run(const Dropout<T, U>& d, int64_t first, int64_t last) {
  const T factor = T(d.mask.factor);
  T scale[kDropoutRun];
  const int32_t count = int32_t(last - first);
  const auto high = uint32_t(uint64_t(first) >> 32), low = uint32_t(uint64_t(first));
  if (d.place)
    for (int32_t i = 0; i < count; i++)
      scale[i] = d.mask.keeps(uint64_t(d.place[first + i])) ? factor : T(0);
  else
    for (int32_t i = 0; i < count; i++)
      scale[i] =
          random_bits(d.mask.key, high, low + uint32_t(i)) >= d.mask.threshold ? factor : T(0);
  T* const y = d.y + first;
  const U* const x = d.x + first;
  if (d.add)
    for (int32_t i = 0; i < count; i++) y[i] += scale[i] * T(x[i]);
  else
    for (int32_t i = 0; i < count; i++) y[i] = scale[i] * T(x[i]);
}

template <class T, class U>
void drop_all(const Dropout<T, U>& d, int64_t n) {
  const int64_t runs = (n + kDropoutRun - 1) / kDropoutRun;
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (int64_t run = 0; run < runs; run++)
    drop_run(d, run * kDropoutRun, std::min(n, (run + 1) * kDropoutRun));
}

}  // namespace mgnn
