// For every centre, every two of its neighbours: if the three nodes hold instances of the motif
// with that centre, they are added to the four entries of the two joined pairs.

#include "experiments/motifs_by_enumeration.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/motif/ranked_pairs.h"
#include "mgnn/motif/shared_values.h"

namespace mgnn {
namespace {

// Instances of a motif with a centre and two leaves that the centre sees as types s and t.
std::array<uint32_t, 9> wedge_instances(Counting counting, int number) {
  const PairForms centre = centre_forms(counting);
  std::array<uint32_t, 9> result;
  for (size_t c = 0; c < 9; c++) result[c] = centre.own[c / 3][c % 3][lane_of(number)];
  return result;
}

class Enumeration {
 public:
  explicit Enumeration(const RankedPairs& pairs)
      : s_(pairs.connected), type_of_(place_types(pairs)), reverse_(transposed_places(s_, s_)) {}

  void add_all(Counting counting, int number, Array<uint32_t>& value) const {
    const std::array<uint32_t, 9> instances = wedge_instances(counting, number);
    Progress progress("wedges of " + motif_label(number), s_.rows, "nodes");
    for (NodeId centre = 0; centre < s_.rows; centre++) {
      check_interrupted();
      for (Offset e = s_.start[centre]; e < s_.start[centre + 1]; e++)
        for (Offset f = e + 1; f < s_.start[centre + 1]; f++) {
          const uint32_t count = instances[3 * type_of_[e] + type_of_[f]];
          if (count == 0) continue;
          if (counting == Counting::induced && joined(s_.index[e], s_.index[f])) continue;
          for (const Offset place : {e, f}) {
            value[place] += count;
            value[reverse_[place]] += count;
          }
        }
      progress.advance(1);
    }
  }

 private:
  bool joined(NodeId u, NodeId v) const {
    const auto row = s_.row(u);
    return std::binary_search(row.begin(), row.end(), v);
  }

  const Csr& s_;
  const Array<uint8_t> type_of_;
  Array<Offset> reverse_;  // place of (v, u) for the place of (u, v)
};

}  // namespace

MotifMatrices motif_matrices_by_enumeration(const Graph& graph, Counting counting,
                                            MotifSet motifs) {
  check(!motifs.empty(), "no motif was asked for");
  check(!motifs.has_closed(), "enumeration is for the open motifs, M8 to M13, not for {}",
        motifs.text());
  check(!is_published(counting),
        "counting published does not count instances, which enumeration needs; take subgraph "
        "or induced");
  RankedPairs pairs = ranked_pairs(graph);
  MotifMatrices matrices{counting, Entry::edge, motifs, {}, {}, {}};
  {
    const Enumeration enumeration(pairs);
    for (const int number : motifs.numbers()) {
      matrices.of[number - 1] = {int(matrices.values.size()), 1};
      Array<uint32_t>& value = matrices.values.emplace_back(size_t(pairs.connected.nnz()), 0u);
      enumeration.add_all(counting, number, value);
    }
  }
  matrices.pattern = std::move(pairs.connected);
  share_values(matrices);
  return matrices;
}

}  // namespace mgnn
