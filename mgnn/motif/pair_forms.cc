// The three nodes are i = 0, j = 1, w = 2. A pair of a type offers its arcs; an instance takes some
// of them (`subgraph`) or all (`induced`). Closed motifs are counted over common neighbours w; open
// ones over all neighbours w of the centre, by its degrees, less, for `induced`, the w that are
// neighbours of the leaf too.

#include "mgnn/motif/pair_forms.h"

namespace mgnn {
namespace {

constexpr int kNone = -1;  // the type of a pair that is not joined

int offered_arcs(int a, int b, int type) { return type == kNone ? 0 : arcs_between(a, b, type); }

enum class MotifShape { closed, open };

// Number of instances of every motif of that shape among three nodes whose pairs are of types ij,
// iw, jw, that have an arc in `needs` (0: no such demand).
Lanes instances(Counting counting, int ij, int iw, int jw, int needs, MotifShape shape) {
  Lanes count{};
  const int offered = offered_arcs(0, 1, ij) | offered_arcs(0, 2, iw) | offered_arcs(1, 2, jw);
  for (int taken = offered; taken > 0; taken = (taken - 1) & offered) {
    const int number = motif_of_arcs(taken);
    if (number == 0 || motif(number).closed != (shape == MotifShape::closed)) continue;
    if (needs != 0 && (taken & needs) == 0) continue;
    count[lane_of(number)]++;
    if (counting == Counting::induced) break;  // the whole set comes first
  }
  return count;
}

Lanes& operator+=(Lanes& a, const Lanes& b) {
  for (int lane = 0; lane < kLanes; lane++) a[lane] += b[lane];
  return a;
}
Lanes& operator-=(Lanes& a, const Lanes& b) {
  for (int lane = 0; lane < kLanes; lane++) a[lane] -= b[lane];
  return a;
}

int needed_arcs(Entry entry) {
  return entry == Entry::arc ? arc_bit(0, 1) : arc_bit(0, 1) | arc_bit(1, 0);
}

void add_closed(PairForms& forms, Counting counting, int needs) {
  for (int t = 0; t < kNumTypes; t++)
    for (int c = 0; c < 9; c++)
      forms.common[t][c] += instances(counting, t, c / 3, c % 3, needs, MotifShape::closed);
}

// Wedges with centre i and leaf j (t is the type of j as the centre sees it), the other leaf being
// of type s.
void add_wedges_at_i(PairForms& forms, Counting counting, int needs) {
  for (int t = 0; t < kNumTypes; t++) {
    for (int s = 0; s < kNumTypes; s++) {
      const Lanes wedge = instances(counting, t, s, kNone, needs, MotifShape::open);
      forms.own[t][s] += wedge;
      if (s == t) forms.constant[t] -= wedge;  // j itself is no other leaf
      if (counting == Counting::induced)
        for (int c = 0; c < 3; c++) forms.common[t][3 * s + c] -= wedge;
    }
  }
}

void add_wedges_at_j(PairForms& forms, Counting counting, int needs) {
  for (int t = 0; t < kNumTypes; t++) {
    const int from_j = reversed(t);
    for (int s = 0; s < kNumTypes; s++) {
      const Lanes wedge = instances(counting, t, kNone, s, needs, MotifShape::open);
      forms.other[t][s] += wedge;
      if (s == from_j) forms.constant[t] -= wedge;
      if (counting == Counting::induced)
        for (int c = 0; c < 3; c++) forms.common[t][3 * c + s] -= wedge;
    }
  }
}

// Instances with centre w in which i and j are the leaves; `induced` ones only where i and j are
// not joined.
void add_leaves(PairForms& forms, Counting counting) {
  for (int c = 0; c < 9; c++) {
    forms.leaf[c] = instances(counting, kNone, c / 3, c % 3, 0, MotifShape::open);
    if (counting == Counting::subgraph)
      for (int t = 0; t < kNumTypes; t++) forms.common[t][c] += forms.leaf[c];
  }
}

// The released code's open motifs: with a loop at every node, and with pairs of a mutual
// neighbour with itself. Row value of centre i and leaf j, by the type t
// of the leaf; the matrix is that plus its transpose.
struct CentreRow {
  std::array<uint32_t, kNumTypes> degree{};
  uint32_t constant = 0;
};

CentreRow published_row(int number, int t) {
  const CentreRow out = {{1, 0, 1}, 0}, in = {{0, 1, 1}, 0}, both = {{0, 0, 1}, 0};
  const CentreRow in_less_one = {{0, 1, 1}, uint32_t(-1)}, none;
  switch (number) {
    case 8:
      return t == kIn ? none : out;
    case 9:
      if (t == kOut) return in;
      return t == kIn ? CentreRow{{1, 0, 1}, 1} : CentreRow{{1, 1, 2}, 1};
    case 10:
      return t == kOut ? none : in_less_one;
    case 11:
      return t == kIn ? none : t == kOut ? both : out;
    case 12:
      return t == kOut ? none : t == kIn ? both : in_less_one;
    default:
      return t == kBoth ? CentreRow{{0, 0, 1}, uint32_t(-1)} : none;
  }
}

void add_published_open(PairForms& forms) {
  for (int number = 8; number <= kNumMotifs; number++) {
    const size_t lane = size_t(lane_of(number));
    for (int t = 0; t < kNumTypes; t++) {
      const CentreRow at_i = published_row(number, t), at_j = published_row(number, reversed(t));
      for (int s = 0; s < kNumTypes; s++) {
        forms.own[t][s][lane] += at_i.degree[s];
        forms.other[t][s][lane] += at_j.degree[s];
      }
      forms.constant[t][lane] += at_i.constant + at_j.constant;
    }
  }
  // The loop counts as an arc out that has no reverse; it meets its own transpose.
  for (int number : {8, 9, 11})
    for (int s = 0; s < kNumTypes; s++)
      forms.diagonal[s][lane_of(number)] = 2 * published_row(number, kOut).degree[s];
}

// In the version for sets of graphs and knowledge graphs M12 counts instances, and so does M11, but that
// a mutual neighbour is paired with itself as well: 2 for its pair, and on the diagonal.
void change_to_graph_version(PairForms& forms) {
  PairForms counted;
  add_wedges_at_i(counted, Counting::subgraph, needed_arcs(Entry::edge));
  add_wedges_at_j(counted, Counting::subgraph, needed_arcs(Entry::edge));
  for (const int number : {11, 12}) {
    const auto lane = size_t(lane_of(number));
    for (size_t t = 0; t < kNumTypes; t++) {
      for (size_t s = 0; s < kNumTypes; s++) {
        forms.own[t][s][lane] = counted.own[t][s][lane];
        forms.other[t][s][lane] = counted.other[t][s][lane];
      }
      forms.constant[t][lane] = counted.constant[t][lane];
      forms.diagonal[t][lane] = 0;
    }
  }
  const auto lane = size_t(lane_of(11));
  forms.constant[kBoth][lane] += 2;
  forms.diagonal[kBoth][lane] = 2;
}

}  // namespace

PairForms pair_forms(Counting counting, Entry entry) {
  PairForms forms;
  const int needs = needed_arcs(entry);
  add_closed(forms, counting, needs);
  if (is_published(counting)) {
    add_published_open(forms);
    if (counting == Counting::published_graph) change_to_graph_version(forms);
    return forms;
  }
  add_wedges_at_i(forms, counting, needs);
  add_wedges_at_j(forms, counting, needs);
  if (entry == Entry::pair) add_leaves(forms, counting);
  return forms;
}

PairForms centre_forms(Counting counting) {
  PairForms forms;
  add_wedges_at_i(forms, counting, needed_arcs(Entry::edge));
  return forms;
}

}  // namespace mgnn
