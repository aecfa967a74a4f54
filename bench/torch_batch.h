// Our weights and features as LibTorch's tensors.
#pragma once

#include <torch/torch.h>

#include "mgnn/models/model.h"

namespace mgnn::bench {

inline torch::Tensor tensor_of(const Parameters& weights, const NamedParameter& p) {
  return torch::from_blob(const_cast<float*>(weights.value_of(p)), {p.rows, p.cols})
      .clone()
      .requires_grad_(p.learns);
}

inline torch::Tensor dense_features(const Batch& batch) {
  if (const auto* dense = std::get_if<Matrix>(&batch.x))
    return torch::from_blob(const_cast<float*>(dense->data.data()), {dense->rows, dense->cols})
        .clone();
  const auto& sparse = std::get<SparseFeatures>(batch.x);
  torch::Tensor x = torch::zeros({sparse.pattern.rows, sparse.pattern.cols});
  float* to = x.data_ptr<float>();
  for (NodeId r = 0; r < sparse.pattern.rows; r++)
    for (Offset e = sparse.pattern.start[r]; e < sparse.pattern.start[r + 1]; e++)
      to[int64_t(r) * sparse.pattern.cols + sparse.pattern.index[size_t(e)]] =
          sparse.value[size_t(e)];
  return x;
}

}  // namespace mgnn::bench
