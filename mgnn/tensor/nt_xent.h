// Normalised temperature-scaled cross-entropy: the loss of contrastive learning.
#pragma once

#include "mgnn/tensor/tape.h"

namespace mgnn {

struct NtXentOptions {
  double temperature = 0.2;
  bool count_positive = true;  // also in the denominator, as in SimCLR; GraphCL leaves it out
};
// Contrastive loss of two views: row i of `a` and row i of `b` (items, d) are of the same item.
// With s_ij the cosine of a_i and b_j divided by the temperature, the mean over i of log Σ_j
// e^(s_ij) - s_ii, and of the same with a and b exchanged; their mean. Without `count_positive` the
// sum is over j ≠ i. An item without any other to be told from adds nothing. O(items²) memory.
template <class T>
Var<T> nt_xent(Var<T> a, Var<T> b, const NtXentOptions& options = {});

}  // namespace mgnn
