// Whether a difference may be chance.
#pragma once

#include <optional>
#include <span>

namespace mgnn {

// Paired t-test, two-sided: how likely a mean difference at least as large is if there is none in
// truth. a[i] and b[i] are scores on the same split. Nothing for fewer than two pairs. 1 where all
// are equal, 0 where all differ by the same. Random splits of the same data overlap, so that p is
// rather too small than too large. REQUIRES: equally many.
std::optional<double> paired_p_value(std::span<const double> a, std::span<const double> b);

// P(|T| >= |t|) for Student's t with `degrees` of freedom.
double two_sided_t(double t, double degrees);

}  // namespace mgnn
