#include "mgnn/comm/deal.h"

#include <atomic>
#include <map>
#include <thread>

#include "tests/cluster/ranks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::ranks;

TEST(Deal, EveryJobIsDoneOnceAndTheFirstRankHasAllResults) {
  for (const int64_t count : {0, 1, 3, 50}) {
    Deal jobs;
    for (int64_t j = 0; j < count; j++) jobs.jobs.push_back(2 * j + 1);
    std::map<int64_t, std::string> results;
    int64_t mine = 0;
    jobs.work = [&](int64_t job) {
      mine++;
      std::this_thread::sleep_for(std::chrono::milliseconds(job % 3));
      return job == 1 ? "" : fmt::format("job {} is done", job);
    };
    jobs.done = [&](int64_t job, const std::string& text) {
      EXPECT_TRUE(results.emplace(job, text).second);
    };
    deal(ranks(), jobs);
    EXPECT_EQ(sum_over_ranks(ranks(), mine), count);
    EXPECT_EQ(int64_t(results.size()), ranks().rank() == 0 ? count : 0);
    for (const auto& [job, text] : results)
      EXPECT_EQ(text, job == 1 ? "" : fmt::format("job {} is done", job));
    EXPECT_GT(mine + (count < 50), 0);  // nobody is left without work
  }
}

TEST(Deal, AFailureEndsItForAll) {
  Deal jobs{.jobs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  int64_t after = 0;
  jobs.work = [&](int64_t job) {
    if (job == 3) fail_data("job {} cannot be done", job);
    std::this_thread::sleep_for(std::chrono::milliseconds(job > 3 ? 50 : 1));
    after += job > 3;
    return std::string();
  };
  jobs.done = [](int64_t, const std::string&) {};
  EXPECT_EQ(error_of([&] { deal(ranks(), jobs); }), "job 3 cannot be done");
  EXPECT_LT(sum_over_ranks(ranks(), after), 6);
}

TEST(Deal, SoDoesAResultThatCannotBeKept) {
  Deal jobs{.jobs = {0, 1, 2}, .work = [](int64_t) { return std::string("x"); }};
  jobs.done = [](int64_t, const std::string&) { fail("the disk is full"); };
  EXPECT_EQ(error_of([&] { deal(ranks(), jobs); }), "the disk is full");
}

}  // namespace
}  // namespace mgnn
