#include "mgnn/motif/motifs.h"

#include <set>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

TEST(Motifs, DataAreConsistent) {
  for (int k = 1; k <= kNumMotifs; k++) {
    const Motif& m = motif(k);
    EXPECT_EQ(m.number, k);
    EXPECT_EQ(m.closed, k <= 7);
    int arc_set = 0, same = 0;
    std::set<std::pair<int, int>> joined, mutual;
    for (int a = 0; a < m.num_arcs; a++) {
      const auto [from, to] = m.arcs[a];
      arc_set |= arc_bit(from, to);
      const std::pair<int, int> pair = std::minmax<int>(from, to);
      if (!joined.insert(pair).second) mutual.insert(pair);
    }
    // The triad code counts mutual, asymmetric and null pairs.
    EXPECT_EQ(m.triad[0] - '0', int(mutual.size())) << k;
    EXPECT_EQ(m.triad[1] - '0', int(joined.size() - mutual.size())) << k;
    EXPECT_EQ(m.triad[2] - '0', 3 - int(joined.size())) << k;
    EXPECT_EQ(joined.size() == 3, m.closed);
    EXPECT_EQ(motif_of_arcs(arc_set), k);
    const int node[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const auto& p : node) {
      int moved = 0;
      for (int a = 0; a < m.num_arcs; a++) moved |= arc_bit(p[m.arcs[a].from], p[m.arcs[a].to]);
      same += moved == arc_set;
      EXPECT_EQ(motif_of_arcs(moved), k);
    }
    EXPECT_EQ(same, m.automorphisms) << k;
  }
}

TEST(Motifs, EveryConnectedArcSetIsOneMotif) {
  int connected = 0;
  for (int arc_set = 0; arc_set < 64; arc_set++) {
    int joined = 0;
    for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}})
      joined += (arc_set & (arc_bit(a, b) | arc_bit(b, a))) != 0;
    EXPECT_EQ(motif_of_arcs(arc_set) != 0, joined >= 2) << arc_set;
    connected += joined >= 2;
  }
  EXPECT_EQ(connected, 54);
}

TEST(MotifSet, IsReadFromText) {
  EXPECT_EQ(parse_motifs("1,4,13").numbers(), (std::vector<int>{1, 4, 13}));
  EXPECT_EQ(parse_motifs("M1-M7"), MotifSet::closed());
  EXPECT_EQ(parse_motifs("closed"), MotifSet::closed());
  EXPECT_EQ(parse_motifs("m8-13"), MotifSet::open());
  EXPECT_EQ(parse_motifs("open, closed"), MotifSet::all());
  EXPECT_EQ(parse_motifs("all"), MotifSet::all());
  EXPECT_EQ(parse_motifs("3,M3,2-4").numbers(), (std::vector<int>{2, 3, 4}));
}

TEST(MotifSet, TextIsReadBack) {
  for (const char* text : {"all", "M1-M7", "M1,M4,M13", "M2,M3,M8-M10", "M13"}) {
    EXPECT_EQ(parse_motifs(text).text(), text);
  }
}

TEST(MotifSet, RefusesWhatIsNoMotif) {
  EXPECT_EQ(error_of([] { parse_motifs("1,14"); }),
            "motifs \"1,14\": \"14\" is not a motif; they are M1 to M13, closed, open, all");
  EXPECT_EQ(error_of([] { parse_motifs("7-3"); }),
            "motifs \"7-3\": the range \"7-3\" runs backwards");
  for (const char* text : {"", "1,,2", "0", "M", "M1-", "x", "1.5", "-1"})
    EXPECT_NE(error_of([&] { parse_motifs(text); }), "") << text;
}

TEST(Names, AreReadBack) {
  for (const std::string name : {"subgraph", "induced", "published"})
    EXPECT_EQ(name_of(parse_name<Counting>("counting", name)), name);
  for (const std::string name : {"arc", "edge", "pair"})
    EXPECT_EQ(name_of(parse_name<Entry>("entry", name)), name);
  EXPECT_EQ(error_of([] { parse_name<Counting>("counting", "x"); }),
            "unknown value \"x\" of counting; use one of subgraph, induced, published, "
            "published-node, published-graph");
  EXPECT_EQ(error_of([] { parse_name<Entry>("entry", "x"); }),
            "unknown value \"x\" of entry; use one of arc, edge, pair");
}

}  // namespace
}  // namespace mgnn
