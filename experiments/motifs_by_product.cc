// A term of a closed form is (left · right) ∘ mask. Row i of the product is gathered in a dense row
// (Gustavson 1978), read at the mask's places, and cleared:
//   M1 sym((XX)∘Xᵀ) · M2 sym((BX)∘Xᵀ + (XB)∘Xᵀ + (XX)∘B) · M3 sym((BB)∘X + (BX)∘B + (XB)∘B) ·
//   M4 (BB)∘B · M5 sym((XX)∘X + (XXᵀ)∘X + (XᵀX)∘X) · M6 (XB)∘X + (BXᵀ)∘Xᵀ + (XᵀX)∘B ·
//   M7 (XᵀB)∘Xᵀ + (BX)∘X + (XXᵀ)∘B,   sym(C) = C + Cᵀ.

#include "experiments/motifs_by_product.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/motif/ranked_pairs.h"
#include "mgnn/motif/shared_values.h"

namespace mgnn {
namespace {

enum Factor { kX, kT, kB };  // X, its transpose, the mutual part

struct Term {
  Factor left, right, mask;
};
struct ClosedForm {
  bool symmetrise;
  std::vector<Term> terms;
};

const ClosedForm kForms[7] = {
    {true, {{kX, kX, kT}}},
    {true, {{kB, kX, kT}, {kX, kB, kT}, {kX, kX, kB}}},
    {true, {{kB, kB, kX}, {kB, kX, kB}, {kX, kB, kB}}},
    {false, {{kB, kB, kB}}},
    {true, {{kX, kX, kX}, {kX, kT, kX}, {kT, kX, kX}}},
    {false, {{kX, kB, kX}, {kB, kT, kT}, {kT, kX, kB}}},
    {false, {{kT, kB, kT}, {kB, kX, kX}, {kX, kT, kB}}},
};

Offset place_of(const Csr& pattern, NodeId row, NodeId column) {
  const auto columns = pattern.row(row);
  return pattern.start[row] +
         (std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
}

void add_term(const Csr& left, const Csr& right, const Csr& mask, bool symmetrise,
              const Csr& pattern, Array<uint32_t>& value) {
  Array<uint32_t> paths(size_t(right.cols), 0);
  for (NodeId i = 0; i < left.rows; i++) {
    if (i % 256 == 0) check_interrupted();
    for (const NodeId w : left.row(i))
      for (const NodeId j : right.row(w)) paths[j]++;
    for (const NodeId j : mask.row(i)) {
      if (paths[j] == 0) continue;
      value[place_of(pattern, i, j)] += paths[j];
      if (symmetrise) value[place_of(pattern, j, i)] += paths[j];
    }
    for (const NodeId w : left.row(i))
      for (const NodeId j : right.row(w)) paths[j] = 0;
  }
}

// The places of S whose type is among `types` (bit t).
Csr places(const RankedPairs& pairs, const Array<uint8_t>& type_of, int types) {
  const Csr& s = pairs.connected;
  Csr result{s.rows, s.cols, Array<Offset>(s.start.size(), 0), {}};
  for (NodeId u = 0; u < s.rows; u++) {
    for (Offset e = s.start[u]; e < s.start[u + 1]; e++)
      if (types >> type_of[e] & 1) result.index.push_back(s.index[e]);
    result.start[u + 1] = Offset(result.index.size());
  }
  return result;
}

}  // namespace

MotifMatrices motif_matrices_by_product(const Graph& graph, Counting counting, MotifSet motifs) {
  check(!motifs.empty(), "no motif was asked for");
  check(!motifs.has_open(), "matrix products are for the closed motifs, M1 to M7, not for {}",
        motifs.text());
  RankedPairs pairs = ranked_pairs(graph);
  const Array<uint8_t> type_of = place_types(pairs);
  const int mutual_too = counting == Counting::induced ? 0 : 1 << kBoth;
  const Csr factor[3] = {places(pairs, type_of, 1 << kOut | mutual_too),
                         places(pairs, type_of, 1 << kIn | mutual_too),
                         places(pairs, type_of, 1 << kBoth)};
  MotifMatrices matrices{counting, Entry::edge, motifs, std::move(pairs.connected), {}, {}};
  for (const int number : motifs.numbers()) {
    const ClosedForm& form = kForms[number - 1];
    matrices.of[number - 1] = {int(matrices.values.size()), 1};
    Array<uint32_t>& value = matrices.values.emplace_back(size_t(matrices.pattern.nnz()), 0u);
    for (const Term& term : form.terms)
      add_term(factor[term.left], factor[term.right], factor[term.mask], form.symmetrise,
               matrices.pattern, value);
  }
  share_values(matrices);
  return matrices;
}

}  // namespace mgnn
