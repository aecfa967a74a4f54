// The thirty roles that a node can have in an instance of the thirteen motifs. Two nodes of a motif
// have the same role if an automorphism maps one to the other: its orbits.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mgnn/motif/motifs.h"

namespace mgnn {

inline constexpr int kNumRoles = 30;

struct Role {
  int number;        // 1..30, by motif and then by the first node (a, b, c) that has it
  int motif;         // 1..13
  const char* name;  // within its motif: "centre", "leaf", "source", …
  int first_node;    // of Motif::arcs, 0..2
  int num_nodes;     // how many of the three nodes have it, 1..3
};

const std::array<Role, kNumRoles>& all_roles();
const Role& role(int number);           // REQUIRES: 1 <= number <= 30
std::string role_label(int number);     // "M8.centre"
int role_of_node(int motif, int node);  // its number. REQUIRES: 1 <= motif <= 13, 0 <= node <= 2

// Which role node 0 has in a set of arcs among three nodes (arc_bit); 0 if they are no motif.
int role_in_arcs(int arc_set);

using RoleCounts = std::array<int64_t, kNumRoles>;    // role r is [r - 1]
using MotifCounts = std::array<int64_t, kNumMotifs>;  // motif k is [k - 1]

// In how many instances of each motif a node is, whatever its role.
MotifCounts motif_counts(const RoleCounts& roles);

}  // namespace mgnn
