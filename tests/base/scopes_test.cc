// Threads, interruption and progress of one call, and borrowed memory.

#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <thread>

#include "mgnn/base/borrowed.h"
#include "mgnn/base/error.h"
#include "mgnn/base/loaded_library.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

TEST(ThreadScope, HoldsForItsThreadAlone) {
  const int openmp = omp_get_max_threads(), before = num_threads();
  {
    const ThreadScope three(3);
    EXPECT_EQ(num_threads(), 3);
    EXPECT_EQ(omp_get_max_threads(), 3);
    {
      const ThreadScope one(1);
      EXPECT_EQ(num_threads(), 1);
    }
    EXPECT_EQ(num_threads(), 3);
    int elsewhere = 0;
    std::thread([&] { elsewhere = num_threads(); }).join();
    EXPECT_EQ(elsewhere, before);
  }
  EXPECT_EQ(omp_get_max_threads(), openmp);
  EXPECT_EQ(num_threads(), before);
}

TEST(ThreadScope, HeedsOpenMP) {
  const int openmp = omp_get_max_threads();
  omp_set_num_threads(2);
  {
    const ThreadScope now(0);
    EXPECT_EQ(num_threads(), 2);
  }
  EXPECT_EQ(omp_get_max_threads(), 2);
  omp_set_num_threads(openmp);
}

TEST(InterruptScope, ATokenStopsItsWorkAlone) {
  CancelToken token;
  EXPECT_FALSE(interrupted());
  {
    const InterruptScope scope(&token);
    EXPECT_FALSE(interrupted());
    token.request();
    EXPECT_TRUE(interrupted());
    EXPECT_THROW(check_interrupted(), Error);
    bool elsewhere = true;
    std::thread([&] { elsewhere = interrupted(); }).join();
    EXPECT_FALSE(elsewhere);
    const InterruptScope inner(nullptr);
    EXPECT_TRUE(interrupted());  // what stops the whole stops its parts
  }
  EXPECT_FALSE(interrupted());
}

TEST(InterruptScope, StopsThreadsThatHelp) {
  const ThreadScope two(2);
  int polls = 0;
  const InterruptScope scope(nullptr, [&] { return ++polls > 1; });
  ParallelError error;
  const auto start = std::chrono::steady_clock::now();
#pragma omp parallel
  error.run([&] {
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) check_interrupted();
  });
  EXPECT_THROW(error.rethrow(), Error);
  EXPECT_EQ(polls, 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(ProgressScope, TellsItsThread) {
  std::vector<int64_t> done;
  std::vector<std::string> notes;
  bool finished = false;
  {
    const ProgressScope scope([&](const ProgressReport& report) {
      EXPECT_EQ(report.label, "counting");
      EXPECT_EQ(report.total, 100);
      EXPECT_EQ(report.unit, "pairs");
      done.push_back(report.done);
      notes.emplace_back(report.note);
      finished = report.finished;
    });
    Progress progress("counting", 100, "pairs");
    progress.advance(10);
    EXPECT_TRUE(done.empty());  // not in the first half second
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
    progress.note("half");
    progress.advance(40);
    std::thread([&] { progress.advance(20); }).join();
  }
  EXPECT_EQ(done, (std::vector<int64_t>{50, 70}));
  EXPECT_EQ(notes.front(), "half");
  EXPECT_TRUE(finished);
}

TEST(BorrowedArray, IsTheMemoryOfSomebodyElse) {
  std::vector<float> values = {1, 2, 3};
  int released = 0;
  {
    Array<float> first = borrowed_array(values.data(), 3, [&] { released++; });
    EXPECT_EQ(first.data(), values.data());
    EXPECT_EQ(first[2], 3);
    const Array<float> copy = first;
    EXPECT_NE(copy.data(), values.data());
    EXPECT_EQ(copy, first);
    const Array<float> moved = std::move(first);
    EXPECT_EQ(moved.data(), values.data());
    const Array<float> second = borrowed_array(values.data(), 3, [&] { released++; });
    EXPECT_EQ(second.data(), values.data());
    EXPECT_EQ(released, 0);
    EXPECT_EQ(borrowed_arrays, 2);
  }
  EXPECT_EQ(released, 2);
  EXPECT_EQ(borrowed_arrays, 0);
}

TEST(LoadedLibrary, SaysWhatIsMissing) {
  const LoadedLibrary none("libthere-is-none.so.7", "none7");
  EXPECT_FALSE(none.is_there());
  try {
    none.function<void()>("anything");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("install none7"), std::string::npos);
  }
  const LoadedLibrary math("libm.so.6", "libc6");
  EXPECT_EQ(math.function<double(double)>("cos")(0.), 1.);
}

}  // namespace
}  // namespace mgnn
