#include "mgnn/base/progress.h"

#include <chrono>
#include <thread>

#include "tests/util.h"

namespace mgnn {
namespace {

std::string drawn_by(const std::function<void()>& work) {
  ::testing::internal::CaptureStderr();
  work();
  show_progress(false);
  return ::testing::internal::GetCapturedStderr();
}

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(Progress, IsSilentUnlessSwitchedOn) {
  EXPECT_EQ(drawn_by([] {
              Progress bar("work", 10);
              wait(600);
              bar.advance(5);
            }),
            "");
}

TEST(Progress, ShortWorkShowsNothing) {
  EXPECT_EQ(drawn_by([] {
              show_progress(true);
              Progress bar("work", 10);
              for (int i = 0; i < 10; i++) bar.advance(1);
            }),
            "");
}

TEST(Progress, DrawsOneLineAndWipesIt) {
  const std::string drawn = drawn_by([] {
    show_progress(true);
    Progress bar("work", 4 << 20, "B");
    bar.note("a.txt");
    wait(550);
    bar.advance(1 << 20);
    for (int i = 0; i < 1000; i++) bar.advance(1);  // too soon to draw again
  });
  EXPECT_NE(drawn.find("work"), std::string::npos);
  EXPECT_NE(drawn.find(" 25 %  1.0 MiB of 4.0 MiB"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find("a.txt"), std::string::npos);
  EXPECT_TRUE(drawn.ends_with("\r\033[K"));
  EXPECT_EQ(drawn.find('\n'), std::string::npos);
}

TEST(Progress, CountsFromManyThreadsWithoutATotal) {
  const std::string drawn = drawn_by([] {
    show_progress(true);
    Progress bar("work", 0, "lines");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&] {
        for (int i = 0; i < 250; i++) bar.advance(1);
      });
    for (std::thread& t : threads) t.join();
    wait(550);
    bar.advance(1);
  });
  EXPECT_NE(drawn.find("1,001 lines"), std::string::npos) << drawn;
}

}  // namespace
}  // namespace mgnn
