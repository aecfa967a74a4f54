// What the entry of each motif matrix is made of: a linear form of a few counts of its pair.
#pragma once

#include <array>
#include <cstdint>

#include "mgnn/motif/motifs.h"

namespace mgnn {

// How a node sees a neighbour.
enum PairType : int { kOut = 0, kIn = 1, kBoth = 2 };
constexpr int kNumTypes = 3;
constexpr int reversed(int type) { return type == kBoth ? kBoth : 1 - type; }

// The arcs between nodes a and b of a triple, of which a sees b as this type.
constexpr int arcs_between(int a, int b, int type) {
  return (type != kIn ? arc_bit(a, b) : 0) | (type != kOut ? arc_bit(b, a) : 0);
}

// Let the connected pair (i, j) be of type t as i sees it. Then the entry of motif k is
//
//   Σ_c  common[t][c][k] · h_c  +  Σ_s own[t][s][k] · d_s(i)  +  Σ_s other[t][s][k] · d_s(j)
//        +  constant[t][k]
//
// h_c with c = 3 type(i, w) + type(j, w) is the number of common neighbours w of these types, and
// d_s(i) the number of neighbours of i of type s exactly. All coefficients are found by trying all
// sets of arcs among three nodes, from the definition of the counting and the entry. Lane k - 1 is
// closed motif k; lane k (8..13) is open motif k; lanes 7, 14, 15 are unused. Numbers are modulo
// 2^32: coefficients may be negative, entries are not.
constexpr int kLanes = 16;
constexpr int lane_of(int motif) { return motif <= 7 ? motif - 1 : motif; }

using Lanes = std::array<uint32_t, kLanes>;

struct PairForms {
  std::array<std::array<Lanes, 9>, kNumTypes> common{};
  std::array<std::array<Lanes, kNumTypes>, kNumTypes> own{}, other{};
  std::array<Lanes, kNumTypes> constant{};
  std::array<Lanes, kNumTypes> diagonal{};  // entry (i, i) is Σ_s diagonal[s][k] · d_s(i)
  std::array<Lanes, 9> leaf{};  // entry of a pair that is not joined: Σ_c leaf[c][k] · h_c
};

// REQUIRES: `published` goes with `edge` or `pair` (the same there).
PairForms pair_forms(Counting counting, Entry entry);

// Of the open motifs, the instances of the pair (i, j) whose centre is i, `edge` entries.
PairForms centre_forms(Counting counting);

}  // namespace mgnn
