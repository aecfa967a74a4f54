#include "mgnn/base/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Interrupt, FlagThrowsAsInterrupted) {
  EXPECT_FALSE(interrupted());
  check_interrupted();
  set_interrupted(true);
  EXPECT_TRUE(interrupted());
  try {
    check_interrupted();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  set_interrupted(false);
  check_interrupted();
}

TEST(Interrupt, FirstSignalSetsTheFlagSecondEnds) {
  for (const int signal : {SIGINT, SIGTERM}) {
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
      catch_interrupts();
      raise(signal);
      const char seen = interrupted() ? 'y' : 'n';
      if (write(channel[1], &seen, 1) != 1) _exit(1);
      raise(signal);
      _exit(2);  // not reached
    }
    char seen = 0;
    EXPECT_EQ(read(channel[0], &seen, 1), 1);
    EXPECT_EQ(seen, 'y');
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    close(channel[0]);
    close(channel[1]);
  }
}

}  // namespace
}  // namespace mgnn
