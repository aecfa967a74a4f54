// The vectors of up to 16 sources stand side by side, so that a sweep over the arcs reads each once
// and adds with vector instructions.

#include "mgnn/links/walk_series.h"

#include <algorithm>
#include <array>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"

namespace mgnn {
namespace {

constexpr int kWidth = 16;
constexpr int kMaxTerms = 10'000;
using Lanes = std::array<float, kWidth>;

// next[v] = factor Σ_{w -> v} term[w]; the maxima of all lanes.
Lanes step(const Csr& in, const float* term, float factor, float* next) {
  Lanes maximum{};
  for (NodeId v = 0; v < in.rows; v++) {
    Lanes sum{};
    for (const NodeId w : in.row(v)) {
      const float* const from = term + int64_t(w) * kWidth;
      for (int i = 0; i < kWidth; i++) sum[i] += from[i];
    }
    float* const to = next + int64_t(v) * kWidth;
    for (int i = 0; i < kWidth; i++) {
      to[i] = factor * sum[i];
      maximum[i] = std::max(maximum[i], to[i]);
    }
  }
  return maximum;
}

void divide(float* term, std::span<const float> divisor) {
  for (size_t v = 0; v < divisor.size(); v++)
    if (divisor[v] != 0)
      for (int i = 0; i < kWidth; i++) term[v * kWidth + size_t(i)] /= divisor[v];
}

}  // namespace

void add_walks(const WalkSeries& series, std::span<const NodeId> sources, float* sums) {
  check(sources.size() <= kWidth, "{} sources at once; at most {}", sources.size(), kWidth);
  const Csr& in = series.in;
  const size_t size = size_t(in.rows) * kWidth;
  Array<float> term(size, 0.f), next(size), total(size, 0.f);
  for (size_t i = 0; i < sources.size(); i++) term[size_t(sources[i]) * kWidth + i] = 1;
  if (series.first == 0) total = term;
  Lanes largest{}, active;
  active.fill(1);  // 0 once a source is done: its sum does not depend on those beside it
  bool done = false;
  for (int k = 1; !done; k++) {
    check_interrupted();
    if (k > kMaxTerms) fail("the series over walks did not converge after {} terms", kMaxTerms);
    divide(term.data(), series.divisor);
    const Lanes maximum = step(in, term.data(), float(series.factor), next.data());
    for (size_t v = 0; v < size; v += kWidth)
      for (int i = 0; i < kWidth; i++) total[v + size_t(i)] += active[i] * next[v + size_t(i)];
    std::swap(term, next);
    done = true;
    for (int i = 0; i < kWidth; i++) {
      largest[i] = std::max(largest[i], maximum[i]);
      if (double(maximum[i]) <= series.tolerance * double(largest[i])) active[i] = 0;
      if (active[i] != 0) done = false;
    }
  }
  for (size_t i = 0; i < sources.size(); i++)
    for (size_t v = 0; v < size_t(in.rows); v++)
      sums[i * size_t(in.rows) + v] = total[v * kWidth + i];
}

}  // namespace mgnn
