#include "mgnn/base/temporary.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;

// The number of a process that has ended after `action`.
pid_t after_kill(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    action();
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return child;
}

std::vector<std::string> names_in(const TempDir& dir) { return names_in_folder(dir.path()); }

TEST(Temporary, WhatAKilledProcessLeftIsSwept) {
  const TempDir dir;
  after_kill([&] {
    AtomicFile file(dir / "a"), other(dir / "b");
    replace_folder(dir / "c", [&](const std::string& folder) {
      write_file(folder + "/x", "half");
      raise(SIGKILL);
    });
  });
  EXPECT_EQ(names_in(dir).size(), 3u);
  write_file(dir / "a", "whole");  // sweeps what was to become "a" only
  EXPECT_EQ(names_in(dir).size(), 3u);
  EXPECT_EQ(content_of(dir / "a"), "whole");
  sweep_temporaries(dir.path());
  EXPECT_EQ(names_in(dir), std::vector<std::string>{"a"});
}

TEST(Temporary, OfTheLivingAndOfOthersStays) {
  const TempDir dir;
  AtomicFile mine(dir / "a");
  dir.file("a.tmp", "");
  dir.file("a.mgnn-0.tmp", "");
  dir.file("a.mgnn-x.tmp", "");
  dir.file("a.mgnn-1-.tmp", "");
  dir.file("a.mgnn-1.tmp", "of a process that lives");
  sweep_temporaries(dir.path());
  EXPECT_EQ(names_in(dir).size(), 6u);
}

// As on a folder that two machines share: the number means nothing, the lock does.
TEST(Temporary, WhatIsLockedStays) {
  const TempDir dir;
  const pid_t gone = after_kill([] {});
  const std::string name = dir.file(fmt::format("a.mgnn-{}.tmp", gone), "");
  const int fd = open(name.c_str(), O_WRONLY);
  lock_temporary_file(fd);
  sweep_temporaries(dir.path());
  EXPECT_TRUE(file_exists(name));
  close(fd);
  sweep_temporaries(dir.path());
  EXPECT_FALSE(file_exists(name));
}

TEST(Temporary, ListedOnesCanBeRemovedAtOnce) {
  const TempDir dir;
  after_kill([&] {
    AtomicFile done(dir / "done");
    done.commit();
    AtomicFile half(dir / "half");
    remove_listed_temporaries();
  });
  EXPECT_EQ(names_in(dir), std::vector<std::string>{"done"});
}

}  // namespace
}  // namespace mgnn
