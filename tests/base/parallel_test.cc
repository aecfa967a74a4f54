#include "mgnn/base/parallel.h"

#include <omp.h>

#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Parallel, ThreadsAreThoseAskedFor) {
  const int usual = num_threads();
  EXPECT_GE(usual, 1);
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  int started = 0;
#pragma omp parallel
#pragma omp single
  started = omp_get_num_threads();
  EXPECT_EQ(started, 3);
  EXPECT_TRUE(worth_threads(1'000'000));
  EXPECT_FALSE(worth_threads(10));
  set_num_threads(1);
  EXPECT_FALSE(worth_threads(1'000'000));
  set_num_threads(0);
  EXPECT_EQ(num_threads(), usual);
  set_num_threads(-5);
  EXPECT_EQ(num_threads(), usual);
  set_num_threads(0);
}

TEST(Parallel, PartsCoverEverythingOnce) {
  for (const int64_t n : {0, 1, 7, 100, 101})
    for (const int64_t parts : {1, 2, 3, 8}) {
      EXPECT_EQ(split_point(n, parts, 0), 0);
      EXPECT_EQ(split_point(n, parts, parts), n);
      for (int64_t p = 0; p < parts; p++) {
        const int64_t size = split_point(n, parts, p + 1) - split_point(n, parts, p);
        EXPECT_TRUE(size == n / parts || size == n / parts + 1);
      }
    }
  EXPECT_EQ(split_point(INT64_MAX, 3, 3), INT64_MAX);
}

TEST(Parallel, SumsUp) {
  for (const int64_t n : {0, 1, 5, 200'001})
    for (const int threads : {1, 2, 3, 4}) {
      set_num_threads(threads);
      Array<uint32_t> a(static_cast<size_t>(n));
      for (int64_t i = 0; i < n; i++) a[i] = uint32_t(i % 7);
      sum_up(a.data(), n);
      uint32_t sum = 0;
      bool right = true;
      for (int64_t i = 0; i < n; i++) right = right && a[i] == (sum += uint32_t(i % 7));
      EXPECT_TRUE(right) << n << " numbers, " << threads << " threads";
    }
  set_num_threads(0);
}

TEST(Parallel, FindsTheFirstAfterSoMuchWork) {
  const int before[] = {0, 3, 3, 7};
  const auto first = [&](int64_t amount, int64_t n) {
    return first_after(amount, n, [&](int64_t i) { return before[i]; });
  };
  EXPECT_EQ(first(0, 4), 0);
  EXPECT_EQ(first(1, 4), 1);
  EXPECT_EQ(first(3, 4), 1);
  EXPECT_EQ(first(4, 4), 3);
  EXPECT_EQ(first(8, 4), 4);
  EXPECT_EQ(first(1, 0), 0);
}

TEST(Parallel, TheFirstErrorComesOut) {
  set_num_threads(4);
  ParallelError error;
  std::atomic<int> done = 0;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 1000; i++)
    error.run([&] {
      if (i % 4 == 1) fail("item broke");
      done++;
    });
  EXPECT_EQ(testing::error_of([&] { error.rethrow(); }), "item broke");
  error.run([&] { done = -1; });  // nothing more is done after an error
  EXPECT_NE(done, -1);
  set_num_threads(0);

  ParallelError none;
  none.run([] {});
  none.rethrow();
}

}  // namespace
}  // namespace mgnn
