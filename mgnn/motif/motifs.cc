#include "mgnn/motif/motifs.h"

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

// Pictures: node 0 on top, 1 below to the left, 2 below to the right.
const std::array<Motif, kNumMotifs> kMotifs = {{
    {.number = 1,
     .name = "cycle",
     .triad = "030C",
     .closed = true,
     .num_arcs = 3,
     .arcs = {{0, 1}, {1, 2}, {2, 0}},
     .automorphisms = 3,
     .roles = {"node", "node", "node"},
     .drawing = "a→b→c→a",
     .picture = {"   ●   ", " ↙   ↖ ", "●  →  ●"}},
    {.number = 2,
     .name = "cycle with a mutual pair",
     .triad = "120C",
     .closed = true,
     .num_arcs = 4,
     .arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 0}},
     .automorphisms = 1,
     .roles = {"target", "source", "relay"},
     .drawing = "a↔b→c→a",
     .picture = {"   ●   ", " ⤢   ↖ ", "●  →  ●"}},
    {.number = 3,
     .name = "triangle with two mutual pairs",
     .triad = "210",
     .closed = true,
     .num_arcs = 5,
     .arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}},
     .automorphisms = 1,
     .roles = {"target", "mutual", "source"},
     .drawing = "a↔b↔c→a",
     .picture = {"   ●   ", " ⤢   ↖ ", "●  ↔  ●"}},
    {.number = 4,
     .name = "mutual triangle",
     .triad = "300",
     .closed = true,
     .num_arcs = 6,
     .arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {0, 2}},
     .automorphisms = 6,
     .roles = {"node", "node", "node"},
     .drawing = "a↔b↔c↔a",
     .picture = {"   ●   ", " ⤢   ⤡ ", "●  ↔  ●"}},
    {.number = 5,
     .name = "feed-forward loop",
     .triad = "030T",
     .closed = true,
     .num_arcs = 3,
     .arcs = {{0, 1}, {1, 2}, {0, 2}},
     .automorphisms = 1,
     .roles = {"source", "relay", "target"},
     .drawing = "a→b→c←a",
     .picture = {"   ●   ", " ↙   ↘ ", "●  →  ●"}},
    {.number = 6,
     .name = "mutual pair with a common source",
     .triad = "120D",
     .closed = true,
     .num_arcs = 4,
     .arcs = {{0, 1}, {1, 0}, {2, 0}, {2, 1}},
     .automorphisms = 2,
     .roles = {"mutual", "mutual", "source"},
     .drawing = "c→a↔b←c",
     .picture = {"   ●   ", " ⤢   ↖ ", "●  ←  ●"}},
    {.number = 7,
     .name = "mutual pair with a common target",
     .triad = "120U",
     .closed = true,
     .num_arcs = 4,
     .arcs = {{0, 1}, {1, 0}, {0, 2}, {1, 2}},
     .automorphisms = 2,
     .roles = {"mutual", "mutual", "target"},
     .drawing = "c←a↔b→c",
     .picture = {"   ●   ", " ⤢   ↘ ", "●  →  ●"}},
    {.number = 8,
     .name = "out-star",
     .triad = "021D",
     .closed = false,
     .num_arcs = 2,
     .arcs = {{0, 1}, {0, 2}},
     .automorphisms = 2,
     .roles = {"centre", "leaf", "leaf"},
     .drawing = "b←a→c",
     .picture = {"   ●   ", " ↙   ↘ ", "●     ●"}},
    {.number = 9,
     .name = "path",
     .triad = "021C",
     .closed = false,
     .num_arcs = 2,
     .arcs = {{0, 1}, {2, 0}},
     .automorphisms = 1,
     .roles = {"centre", "target", "source"},
     .drawing = "b←a←c",
     .picture = {"   ●   ", " ↙   ↖ ", "●     ●"}},
    {.number = 10,
     .name = "in-star",
     .triad = "021U",
     .closed = false,
     .num_arcs = 2,
     .arcs = {{1, 0}, {2, 0}},
     .automorphisms = 2,
     .roles = {"centre", "leaf", "leaf"},
     .drawing = "b→a←c",
     .picture = {"   ●   ", " ↗   ↖ ", "●     ●"}},
    {.number = 11,
     .name = "mutual pair and out-arc",
     .triad = "111U",
     .closed = false,
     .num_arcs = 3,
     .arcs = {{0, 1}, {1, 0}, {0, 2}},
     .automorphisms = 1,
     .roles = {"centre", "mutual", "target"},
     .drawing = "b↔a→c",
     .picture = {"   ●   ", " ⤢   ↘ ", "●     ●"}},
    {.number = 12,
     .name = "mutual pair and in-arc",
     .triad = "111D",
     .closed = false,
     .num_arcs = 3,
     .arcs = {{0, 1}, {1, 0}, {2, 0}},
     .automorphisms = 1,
     .roles = {"centre", "mutual", "source"},
     .drawing = "b↔a←c",
     .picture = {"   ●   ", " ⤢   ↖ ", "●     ●"}},
    {.number = 13,
     .name = "two mutual pairs",
     .triad = "201",
     .closed = false,
     .num_arcs = 4,
     .arcs = {{0, 1}, {1, 0}, {0, 2}, {2, 0}},
     .automorphisms = 2,
     .roles = {"centre", "leaf", "leaf"},
     .drawing = "b↔a↔c",
     .picture = {"   ●   ", " ⤢   ⤡ ", "●     ●"}},
}};

std::array<int8_t, 64> motif_of_every_arc_set() {
  std::array<int8_t, 64> result{};
  for (const Motif& m : kMotifs) {
    for (const auto& node : kNodeOrders) {
      int arc_set = 0;
      for (int a = 0; a < m.num_arcs; a++)
        arc_set |= arc_bit(node[m.arcs[a].from], node[m.arcs[a].to]);
      result[arc_set] = int8_t(m.number);
    }
  }
  return result;
}

int parse_motif_number(std::string_view text, std::string_view whole) {
  std::string_view digits = text;
  if (digits.starts_with('M') || digits.starts_with('m')) digits.remove_prefix(1);
  int number = 0;
  if (!parse_number(digits, number) || number < 1 || number > kNumMotifs)
    fail_usage("motifs {}: {} is not a motif; they are M1 to M13, closed, open, all",
               in_quotes(whole), in_quotes(text));
  return number;
}

MotifSet parse_motif_item(std::string_view item, std::string_view whole) {
  if (item == "all") return MotifSet::all();
  if (item == "closed") return MotifSet::closed();
  if (item == "open") return MotifSet::open();
  const size_t dash = item.find('-');
  const int first = parse_motif_number(trimmed(item.substr(0, dash)), whole);
  const int last = dash == std::string_view::npos
                       ? first
                       : parse_motif_number(trimmed(item.substr(dash + 1)), whole);
  if (last < first)
    fail_usage("motifs {}: the range {} runs backwards", in_quotes(whole), in_quotes(item));
  MotifSet set;
  for (int number = first; number <= last; number++) set.insert(number);
  return set;
}

}  // namespace

const std::array<Motif, kNumMotifs>& all_motifs() { return kMotifs; }
const Motif& motif(int number) { return kMotifs[number - 1]; }
std::string motif_label(int number) { return fmt::format("M{}", number); }

int motif_of_arcs(int arc_set) {
  static const std::array<int8_t, 64> table = motif_of_every_arc_set();
  return table[arc_set];
}

std::vector<int> MotifSet::numbers() const {
  std::vector<int> result;
  for (int number = 1; number <= kNumMotifs; number++)
    if (contains(number)) result.push_back(number);
  return result;
}

std::string MotifSet::text() const {
  if (*this == all()) return "all";
  std::string result;
  for (int first = 1; first <= kNumMotifs; first++) {
    if (!contains(first)) continue;
    int last = first;
    while (last < kNumMotifs && contains(last + 1)) last++;
    if (!result.empty()) result += ',';
    result += motif_label(first);
    if (last > first) result += (last > first + 1 ? "-" : ",") + motif_label(last);
    first = last;
  }
  return result;
}

MotifSet parse_motifs(std::string_view text) {
  MotifSet set;
  std::string_view rest = text, item;
  while (next_field(rest, ',', item))
    for (int number : parse_motif_item(trimmed(item), text).numbers()) set.insert(number);
  return set;
}

}  // namespace mgnn
