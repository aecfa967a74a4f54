#include "mgnn/sparse/csr.h"

#include "mgnn/sparse/group.h"
#include "tests/util.h"

namespace mgnn {
namespace {

Csr random_pattern(NodeId rows, NodeId cols, double density, uint64_t seed) {
  Rng rng(seed);
  Csr p{rows, cols, {0}, {}};
  for (NodeId r = 0; r < rows; r++) {
    const bool full = rng.chance(0.05);  // some rows much longer than others
    for (NodeId c = 0; c < cols; c++)
      if (full || rng.chance(density)) p.index.push_back(c);
    p.start.push_back(Offset(p.index.size()));
  }
  return p;
}

void expect_transposed(const Csr& p, const Csr& t) {
  ASSERT_EQ(t.rows, p.cols);
  ASSERT_EQ(t.cols, p.rows);
  std::vector<std::vector<NodeId>> columns{size_t(p.cols)};
  for (NodeId r = 0; r < p.rows; r++)
    for (NodeId c : p.row(r)) columns[c].push_back(r);
  ASSERT_EQ(t.start.size(), size_t(p.cols) + 1);
  for (NodeId c = 0; c < p.cols; c++)
    ASSERT_EQ(std::vector(t.row(c).begin(), t.row(c).end()), columns[c]) << "column " << c;
}

TEST(Transpose, AgreesWithColumnLists) {
  for (const auto& [rows, cols] : {std::pair<NodeId, NodeId>{0, 0},
                                   {0, 5},
                                   {5, 0},
                                   {1, 1},
                                   {7, 3},
                                   {3, 2000},
                                   {2000, 3},
                                   {1024, 1024},
                                   {700, 5000}})
    for (const double density : {0., 0.01, 0.5})
      for (const int threads : {1, 2, 3}) {
        set_num_threads(threads);
        const Csr p = random_pattern(rows, cols, density, uint64_t(rows + cols));
        expect_transposed(p, transpose(p));
      }
  set_num_threads(0);
}

TEST(Transpose, TwiceIsTheSame) {
  const Csr p = random_pattern(900, 1100, 0.3, 5);
  const Csr twice = transpose(transpose(p));
  EXPECT_EQ(twice.start, p.start);
  EXPECT_EQ(twice.index, p.index);
}

// Rows in the order emitted, and ascending, against std::stable_sort; with buckets above and below
// the size from which radix sort is used.
TEST(GroupRows, BothOrders) {
  for (const auto& [rows, cols, pairs] : {std::tuple<NodeId, NodeId, int>{1, 1, 3},
                                          {1, 1 << 30, 5000},
                                          {3, 2000, 100},
                                          {50, 70'000, 60'000},
                                          {3000, 5, 200'000},
                                          {100'000, 100'000, 300'000}}) {
    Rng rng(uint64_t(rows) + uint64_t(pairs));
    std::vector<std::pair<NodeId, NodeId>> given;
    for (int i = 0; i < pairs; i++)
      given.push_back({NodeId(rng.below(uint64_t(rows))), NodeId(rng.below(uint64_t(cols)))});
    for (const RowOrder order : {RowOrder::emitted, RowOrder::ascending})
      for (const int parts : {1, 3}) {
        RowBuckets buckets = bucket_rows(rows, parts, [&, n = pairs](int part, auto&& emit) {
          for (int64_t i = split_point(n, parts, part); i < split_point(n, parts, part + 1); i++)
            emit(given[i].first, given[i].second);
        });
        const Csr csr = group_rows(
            rows, cols, std::move(buckets),
            [](NodeId, std::span<NodeId> columns) { return columns.size(); }, order);
        auto wanted = given;
        std::stable_sort(wanted.begin(), wanted.end(), [&](const auto& a, const auto& b) {
          return order == RowOrder::ascending ? a < b : a.first < b.first;
        });
        size_t i = 0;
        for (NodeId r = 0; r < rows; r++)
          for (NodeId c : csr.row(r)) ASSERT_EQ(std::pair(r, c), wanted[i++]);
        ASSERT_EQ(i, wanted.size());
      }
  }
}

}  // namespace
}  // namespace mgnn
