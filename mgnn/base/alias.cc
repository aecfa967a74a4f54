// Vose's construction: a slot with less than the average is filled up by one with more. What
// rounding leaves over at the end are slots as good as full.

#include "mgnn/base/alias.h"

#include <vector>

namespace mgnn {

double fill_alias_slots(std::span<const float> weight, std::span<AliasSlot> slots) {
  double sum = 0;
  for (const float w : weight) sum += double(w);
  if (sum == 0) return 0;
  const double scale = double(weight.size()) / sum;
  std::vector<double> share(weight.size());
  std::vector<int32_t> small, large;
  for (size_t i = 0; i < weight.size(); i++) {
    share[i] = double(weight[i]) * scale;
    (share[i] < 1 ? small : large).push_back(int32_t(i));
  }
  while (!small.empty() && !large.empty()) {
    const int32_t poor = small.back(), rich = large.back();
    small.pop_back();
    slots[poor] = {float(share[poor]), rich};
    share[rich] -= 1 - share[poor];
    if (share[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
  for (const int32_t i : large) slots[i] = {1, i};
  // Weights of zero must never be drawn, not even for a rounding error.
  const auto heaviest = [&] {
    size_t best = 0;
    for (size_t i = 1; i < weight.size(); i++)
      if (weight[i] > weight[best]) best = i;
    return int32_t(best);
  };
  for (const int32_t i : small)
    slots[i] = weight[i] > 0 ? AliasSlot{1, i} : AliasSlot{0, heaviest()};
  return sum;
}

}  // namespace mgnn
