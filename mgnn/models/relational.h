// Messages along typed arcs, with a weight for each relation: the layer of R-GCN, which is also a
// base layer of MGNN.
#pragma once

#include "mgnn/models/layers.h"

namespace mgnn {

// Each of the data's relations in both directions; all arcs are one relation where data have none.
constexpr int64_t num_directed_relations(int64_t relations) {
  return 2 * std::max<int64_t>(relations, 1);
}

// S (n, n (R + 1)), R = num_directed_relations: the rows of node j, from j (R + 1) on, are its
// messages to others under relation r along (2 r) and against (2 r + 1) the arcs, then that to
// itself. Row i has the means over the neighbours of i under each relation, plus itself. An edge
// that a relation lists twice counts once. O(edges log edges). Throws Error (data) if n (R + 1) is
// beyond the range of NodeId.
Operator relational_operator(const GraphView& view);

// [W_1 | … | W_R | W_root], or the bases of which the W_r are linear combinations.
struct RelationalWeight {
  int64_t width = 0;          // d
  int64_t bases = 0;          // B; 0: none
  Parameter weight;           // (in, (R + 1) d), without bases
  Parameter basis;            // (B, in d): the basis matrices, row by row
  Parameter coefficients;     // (R, B)
  Parameter root;             // (in, d)
  std::vector<NodeId> order;  // (in R): rows of all W_r one below the other, as rows of [W_1 | …]
};
RelationalWeight make_relational_weight(const std::string& name, int64_t in, int64_t width,
                                        int64_t relations, int64_t bases, Parameters& weights,
                                        Rng& rng);
// (in, (R + 1) d)
template <class T>
Var<T> relational_weight(Step<T>& step, const RelationalWeight& weight);
// (n, d): Σ_r mean_{j in N_r(i)} W_r h_j + W_root h_i from hw (n, (R + 1) d), the product with that.
template <class T>
Var<T> relational_sum(Step<T>& step, const RelationalWeight& weight, Var<T> hw);

}  // namespace mgnn
