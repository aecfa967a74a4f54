#include "mgnn/base/rng.h"

#include <map>
#include <numeric>
#include <set>

#include "tests/util.h"

namespace mgnn {
namespace {

// Published results must come out again for ever: these numbers may not change. (They are those of
// xoshiro256++ seeded by SplitMix64, worked out by another program.)
TEST(Rng, FirstNumbersAreFixed) {
  Rng rng(0);
  for (const uint64_t wanted :
       {0x53175d61490b23dfull, 0x61da6f3dc380d507ull, 0x5c0fdf91ec9a7bfcull, 0x02eebf8c3bbe5e1aull})
    EXPECT_EQ(rng.next(), wanted);
  rng = Rng(42);
  for (const uint64_t wanted :
       {0xd0764d4f4476689full, 0x519e4174576f3791ull, 0xfbe07cfb0c24ed8cull, 0xb37d9f600cd835b8ull})
    EXPECT_EQ(rng.next(), wanted);
  rng = Rng(42).split(7);
  EXPECT_EQ(rng.next(), 0xad2390ee14c9d725ull);
  EXPECT_EQ(rng.next(), 0x98094db3ff7f9539ull);
  std::vector<int> items(8);
  std::iota(items.begin(), items.end(), 0);
  Rng(5).shuffle(std::span(items));
  EXPECT_EQ(items, (std::vector<int>{1, 6, 3, 7, 5, 0, 4, 2}));
  EXPECT_EQ(Rng(0).uniform(), double(0x53175d61490b23dfull >> 11) * 0x1p-53);
}

// Chi-square of counts that should be equal; six standard deviations are allowed.
void expect_even(const std::vector<int>& count) {
  const double mean = std::accumulate(count.begin(), count.end(), 0.) / double(count.size());
  double chi = 0;
  for (const int c : count) chi += (c - mean) * (c - mean) / mean;
  const double freedom = double(count.size()) - 1;
  EXPECT_LT(chi, freedom + 6 * std::sqrt(2 * freedom));
  EXPECT_GT(chi, freedom - 6 * std::sqrt(2 * freedom));
}

TEST(Rng, BelowIsEven) {
  for (const uint64_t n : {2, 3, 7, 100, 1000}) {
    Rng rng(n);
    std::vector<int> count(n);
    for (uint64_t i = 0; i < 1000 * n; i++) count[rng.below(n)]++;
    expect_even(count);
  }
  EXPECT_EQ(Rng(1).below(1), 0u);
}

TEST(Rng, BelowHasNoBiasNearTheTop) {
  // 3/4 of 2^64: without rejection the lower half would come twice as often as the third quarter.
  Rng rng(3);
  std::vector<int> third(3);
  for (int i = 0; i < 90'000; i++) third[rng.below(3ull << 62) >> 62]++;
  expect_even(third);
}

TEST(Rng, UniformIsEvenAndBelowOne) {
  Rng rng(4);
  std::vector<int> count(64);
  for (int i = 0; i < 640'000; i++) {
    const double u = rng.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    count[size_t(u * 64)]++;
  }
  expect_even(count);
}

TEST(Rng, NormalHasItsMoments) {
  Rng rng(5);
  const int n = 400'000;
  std::array<double, 5> moment{};
  for (int i = 0; i < n; i++) {
    const double x = rng.normal();
    for (int k = 1; k <= 4; k++) moment[k] += std::pow(x, k) / n;
  }
  EXPECT_NEAR(moment[1], 0, 6 * std::sqrt(1. / n));
  EXPECT_NEAR(moment[2], 1, 6 * std::sqrt(2. / n));
  EXPECT_NEAR(moment[3], 0, 6 * std::sqrt(15. / n));
  EXPECT_NEAR(moment[4], 3, 6 * std::sqrt(96. / n));
}

TEST(Rng, ShufflesAreEquallyLikely) {
  std::map<std::array<int, 4>, int> count;
  for (uint64_t seed = 0; seed < 24'000; seed++) {
    std::array<int, 4> items = {0, 1, 2, 3};
    Rng(seed).shuffle(std::span<int>(items));
    count[items]++;
  }
  std::vector<int> counts;
  for (const auto& [items, times] : count) counts.push_back(times);
  ASSERT_EQ(counts.size(), 24u);
  expect_even(counts);
}

TEST(Rng, SplitsAreIndependentAndLeaveTheirSource) {
  Rng rng(6);
  const Rng same = rng;
  std::set<uint64_t> firsts;
  std::vector<int> bits(64);
  for (uint64_t item = 0; item < 20'000; item++) {
    const uint64_t first = rng.split(item).next();
    firsts.insert(first);
    for (int b = 0; b < 64; b++) bits[b] += int(first >> b & 1);
  }
  EXPECT_EQ(firsts.size(), 20'000u);
  for (const int ones : bits) EXPECT_NEAR(ones, 10'000, 6 * std::sqrt(5000.));
  EXPECT_EQ(rng.next(), Rng(same).next());

  double product = 0;  // neighbours are not correlated, nor is a split with its source
  for (uint64_t item = 0; item < 20'000; item++)
    product += (rng.split(item).uniform() - 0.5) * (rng.split(item + 1).uniform() - 0.5);
  EXPECT_NEAR(product, 0, 6 * std::sqrt(20'000.) / 12);
  EXPECT_NE(rng.split(1).split(2).next(), rng.split(2).split(1).next());
  EXPECT_NE(Rng(1).split(0).next(), Rng(1).next());
}

}  // namespace
}  // namespace mgnn
