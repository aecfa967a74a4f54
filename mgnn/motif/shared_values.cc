#include "mgnn/motif/shared_values.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

// All coefficients of a motif that matter on graphs with these types of pairs.
std::vector<int32_t> coefficients(const PairForms& forms, int lane, const bool* has_type) {
  std::vector<int32_t> list;
  const auto l = size_t(lane);
  for (size_t t = 0; t < kNumTypes; t++) {
    if (has_type[t]) {
      for (size_t c = 0; c < 9; c++)
        if (has_type[c / 3] && has_type[c % 3]) list.push_back(int32_t(forms.common[t][c][l]));
      for (size_t s = 0; s < kNumTypes; s++)
        if (has_type[s])
          list.insert(list.end(), {int32_t(forms.own[t][s][l]), int32_t(forms.other[t][s][l])});
      list.push_back(int32_t(forms.constant[t][l]));
    }
    if (has_type[t]) list.push_back(int32_t(forms.diagonal[t][l]));
  }
  for (size_t c = 0; c < 9; c++)
    if (has_type[c / 3] && has_type[c % 3]) list.push_back(int32_t(forms.leaf[c][l]));
  return list;
}

void divide(Lanes& lanes, int lane, int32_t by) {
  uint32_t& value = lanes[lane];
  value = uint32_t(int32_t(value) / by);
}

void divide(PairForms& forms, int lane, int32_t by) {
  for (Lanes& lanes : forms.leaf) divide(lanes, lane, by);
  for (size_t t = 0; t < kNumTypes; t++) {
    for (Lanes& lanes : forms.common[t]) divide(lanes, lane, by);
    for (Lanes& lanes : forms.own[t]) divide(lanes, lane, by);
    for (Lanes& lanes : forms.other[t]) divide(lanes, lane, by);
    divide(forms.constant[t], lane, by);
    divide(forms.diagonal[t], lane, by);
  }
}

// Whether `holds` on all places. A few are tried first, since it usually fails there.
template <class Holds>
bool holds_everywhere(size_t first, size_t last, Holds&& holds) {
  constexpr size_t kPlacesAtOnce = 4096;
  const auto holds_on = [&](size_t from) {
    const size_t end = std::min(from + kPlacesAtOnce, last);
    while (from < end && holds(from)) from++;
    return from == end;
  };
  if (!holds_on(first)) return false;
  std::atomic<bool> everywhere = true;
#pragma omp parallel for schedule(static) if (worth_threads(int64_t(last - first)))
  for (size_t from = first + kPlacesAtOnce; from < last; from += kPlacesAtOnce)
    if (everywhere.load(std::memory_order_relaxed) && !holds_on(from)) everywhere = false;
  return everywhere;
}

// b[e] · p == a[e] · q everywhere, p / q being the first quotient in lowest terms.
struct Proportion {
  bool holds = false;
  uint32_t p = 1, q = 1;
};

Proportion proportion(const Array<uint32_t>& a, const Array<uint32_t>& b) {
  size_t first = 0;
  while (first < a.size() && a[first] == 0 && b[first] == 0) first++;
  if (first == a.size() || a[first] == 0 || b[first] == 0) return {};
  const uint32_t common = std::gcd(a[first], b[first]);
  const uint64_t p = a[first] / common, q = b[first] / common;
  if (!holds_everywhere(first, a.size(), [&](size_t e) { return a[e] * q == b[e] * p; })) return {};
  return {true, uint32_t(p), uint32_t(q)};
}

void remove_array(MotifMatrices& matrices, int array) {
  matrices.values.erase(matrices.values.begin() + array);
  for (MotifRef& ref : matrices.of) ref.array -= ref.array > array;
}

void drop_zero_arrays(MotifMatrices& matrices) {
  for (int a = int(matrices.values.size()) - 1; a >= 0; a--) {
    const auto& value = matrices.values[a];
    if (!holds_everywhere(0, value.size(), [&](size_t e) { return value[e] == 0; })) continue;
    for (MotifRef& ref : matrices.of)
      if (ref.array == a) ref = {MotifRef::kZero, 1};
    remove_array(matrices, a);
  }
}

}  // namespace

SharedForms share_forms(const PairForms& forms, MotifSet motifs, const bool has_type[kNumTypes]) {
  SharedForms shared{forms, {}, {}};
  std::vector<std::vector<int32_t>> distinct_forms;
  for (const int number : motifs.numbers()) {
    MotifRef& ref = shared.of[number - 1];
    std::vector<int32_t> form = coefficients(forms, lane_of(number), has_type);
    int32_t common = 0;
    for (const int32_t c : form) common = std::gcd(common, c);
    if (common == 0) {
      ref = {MotifRef::kZero, 1};
      continue;
    }
    for (int32_t& c : form) c /= common;
    const auto same = std::find(distinct_forms.begin(), distinct_forms.end(), form);
    ref = {int(same - distinct_forms.begin()), common};
    if (same != distinct_forms.end()) continue;
    distinct_forms.push_back(std::move(form));
    shared.lane_of_array.push_back(lane_of(number));
    divide(shared.forms, lane_of(number), common);
  }
  return shared;
}

void share_values(MotifMatrices& matrices) {
  drop_zero_arrays(matrices);
  for (int a = 0; a < int(matrices.values.size()); a++) {
    for (int b = int(matrices.values.size()) - 1; b > a; b--) {
      const Proportion quotient = proportion(matrices.values[a], matrices.values[b]);
      if (!quotient.holds) continue;
      if (quotient.p != 1)
        for (uint32_t& v : matrices.values[a]) v /= quotient.p;
      for (MotifRef& ref : matrices.of) {
        if (ref.array == a) ref.factor *= quotient.p;
        if (ref.array == b) ref = {a, ref.factor * quotient.q};
      }
      remove_array(matrices, b);
    }
  }
}

}  // namespace mgnn
