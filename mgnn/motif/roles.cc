#include "mgnn/motif/roles.h"

#include <string_view>

namespace mgnn {
namespace {

std::array<Role, kNumRoles> roles_of_all_motifs() {
  std::array<Role, kNumRoles> roles{};
  size_t size = 0;
  for (const Motif& m : all_motifs()) {
    const size_t first = size;
    for (int node = 0; node < 3; node++) {
      const std::string_view name = m.roles[node];
      size_t r = first;
      while (r < size && roles[r].name != name) r++;
      if (r == size) roles[size++] = {int(r) + 1, m.number, m.roles[node], node, 0};
      roles[r].num_nodes++;
    }
  }
  return roles;
}

std::array<int8_t, 64> role_of_first_node() {
  std::array<int8_t, 64> result{};
  for (const Motif& m : all_motifs())
    for (const auto& place : kNodeOrders) {  // of each node of the motif
      int arc_set = 0;
      for (int a = 0; a < m.num_arcs; a++)
        arc_set |= arc_bit(place[m.arcs[a].from], place[m.arcs[a].to]);
      for (int node = 0; node < 3; node++)
        if (place[node] == 0) result[arc_set] = int8_t(role_of_node(m.number, node));
    }
  return result;
}

}  // namespace

const std::array<Role, kNumRoles>& all_roles() {
  static const std::array<Role, kNumRoles> roles = roles_of_all_motifs();
  return roles;
}

const Role& role(int number) { return all_roles()[number - 1]; }

std::string role_label(int number) {
  return motif_label(role(number).motif) + "." + role(number).name;
}

int role_of_node(int number, int node) {
  const std::string_view name = motif(number).roles[node];
  for (const Role& r : all_roles())
    if (r.motif == number && r.name == name) return r.number;
  return 0;  // never: all_roles() has every node of every motif
}

int role_in_arcs(int arc_set) {
  static const std::array<int8_t, 64> table = role_of_first_node();
  return table[arc_set];
}

MotifCounts motif_counts(const RoleCounts& roles) {
  MotifCounts counts{};
  for (const Role& r : all_roles()) counts[r.motif - 1] += roles[r.number - 1];
  return counts;
}

}  // namespace mgnn
