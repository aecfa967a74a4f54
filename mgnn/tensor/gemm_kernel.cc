#include "mgnn/tensor/gemm_kernel.h"

#include "mgnn/tensor/gemm_tile.h"

namespace mgnn::MGNN_KERNEL {

template <class T>
void gemm(const Gemm<T>& g) {
  gemm_block(g);
}

template void gemm(const Gemm<float>&);
template void gemm(const Gemm<double>&);

}  // namespace mgnn::MGNN_KERNEL
