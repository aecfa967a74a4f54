#include "mgnn/base/mapping.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "mgnn/base/file.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::TempDir;

// The status of a process that reads a file to its end after another one has truncated it.
int status_of_reader(const TempDir& dir, bool catches) {
  const std::string path = dir.file("data", std::string(1 << 20, 'x'));
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen((dir / "err").c_str(), "w", stderr)) _exit(9);
    std::signal(SIGBUS, SIG_DFL);  // sanitizers have handlers of their own
    if (catches) catch_shrinking_files();
    const FileBytes bytes = map_file(path);
    AtomicFile out(dir / "out");
    if (truncate(path.c_str(), 10) != 0) _exit(9);
    const volatile char last = bytes.view().back();
    _exit(last == 'x' ? 8 : 7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(ShrinkingFile, IsOneSentence) {
  const TempDir dir;
  const int status = status_of_reader(dir, true);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(
      content_of(dir / "err"),
      "mgnn: " + (dir / "data: cannot be read to its end: it became shorter meanwhile, or the "
                        "disk failed\n"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2);
}

TEST(ShrinkingFile, IsASignalForOtherPrograms) {
  const TempDir dir;
  const int status = status_of_reader(dir, false);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

}  // namespace
}  // namespace mgnn
