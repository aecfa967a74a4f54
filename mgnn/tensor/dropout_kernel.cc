#include "mgnn/tensor/dropout_kernel.h"

namespace mgnn::MGNN_KERNEL {

template <class T, class U>
void drop(const Dropout<T, U>& d, int64_t first, int64_t last) {
  const T factor = T(d.mask.factor);
  T scale[kDropoutRun];
  const int32_t count = int32_t(last - first);
  const uint64_t element = d.mask.first + uint64_t(first);
  const auto high = uint32_t(element >> 32), low = uint32_t(element);
  if (d.place)
    for (int32_t i = 0; i < count; i++)
      scale[i] = d.mask.keeps(uint64_t(d.place[first + i])) ? factor : T(0);
  else if (low + uint32_t(count) < low)
    for (int32_t i = 0; i < count; i++)
      scale[i] = d.mask.keeps(uint64_t(first + i)) ? factor : T(0);
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

template void drop(const Dropout<float, float>&, int64_t, int64_t);
template void drop(const Dropout<double, float>&, int64_t, int64_t);
template void drop(const Dropout<double, double>&, int64_t, int64_t);

}  // namespace mgnn::MGNN_KERNEL
