// The induced triads of real graphs, from the table in the README of the shared datasets, where
// they were counted by other programs.
#include "mgnn/data/load.h"
#include "mgnn/motif/census.h"
#include "mgnn/motif/motifs.h"
#include "tests/util.h"

namespace mgnn {
namespace {

struct RealGraph {
  const char* name;
  MotifCounts induced;
  int64_t triangles;  // undirected
};
const RealGraph kGraphs[] = {
    {"cora", {0, 0, 0, 1630, 0, 0, 0, 0, 0, 0, 0, 0, 47411}, 1630},
    {"citeseer", {0, 0, 0, 1167, 0, 0, 0, 0, 0, 0, 0, 0, 23417}, 1167},
    {"pubmed", {0, 0, 0, 12520, 0, 0, 0, 0, 0, 0, 0, 0, 661782}, 12520},
    {"hetionet",
     {38, 788, 28330, 819376, 245690, 825917, 635620, 668665133, 9126185, 40765301, 14246704,
      4626842, 53188828},
     2555759},
    {"cornell", {0, 0, 6, 0, 39, 8, 6, 4473, 188, 173, 17, 35, 5}, 59},
    {"texas", {0, 2, 4, 0, 47, 11, 3, 5431, 112, 256, 50, 72, 22}, 67},
    {"chameleon",
     {52, 1328, 6125, 58591, 45322, 226819, 4829, 140159, 72134, 1780952, 15939, 226188, 17057},
     343066},
    {"cora-directed", {3, 15, 12, 0, 1342, 141, 117, 3676, 5681, 36831, 238, 968, 17}, 1630},
    {"wiki-vote",
     {6795, 17667, 15275, 2119, 462715, 45559, 58259, 5796637, 2746838, 3232664, 558525, 357461,
      28288},
     608389},
    {"soc-epinions1",
     {7656, 84384, 328076, 160097, 531325, 281093, 231850, 11828423, 7315767, 26454993, 8238385,
      10922681, 4567428},
     1624481},
};

TEST(RealGraphs, HaveTheTriadsOfTheTable) {
  MGNN_NEEDS_DATA();
  for (const RealGraph& real : kGraphs) {
    const Graph graph =
        load_dataset(real.name, {.data_dir = testing::data_dir(), .download = false}).graph;
    const MotifCounts actual = census(graph, {.counting = Counting::induced}).total;
    EXPECT_EQ(actual, real.induced) << real.name;
    int64_t triangles = 0;
    for (int k = 1; k <= 7; k++) triangles += actual[k - 1];
    EXPECT_EQ(triangles, real.triangles) << real.name;
    const MotifMatrices matrices = motif_matrices(graph, {.counting = Counting::induced});
    for (int k = 1; k <= kNumMotifs; k++)
      EXPECT_EQ(matrices.sum(k), (k <= 7 ? 6 : 4) * real.induced[k - 1]) << real.name << " M" << k;
  }
}

}  // namespace
}  // namespace mgnn
