#include "mgnn/base/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "mgnn/base/temporary.h"
#include "tests/util.h"

// What a commit asks of the system, in order: these stand in for the library's own.
static std::vector<std::string> system_calls;
extern "C" int fsync(int fd) {
  struct stat status {};
  fstat(fd, &status);
  system_calls.push_back(S_ISDIR(status.st_mode) ? "sync folder" : "sync file");
  return int(syscall(SYS_fsync, fd));
}
extern "C" int rename(const char* from, const char* to) noexcept {
  system_calls.push_back("rename");
  return int(syscall(SYS_rename, from, to));
}

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;

size_t files_in(const TempDir& dir) {
  return size_t(std::distance(std::filesystem::directory_iterator(dir.path()), {}));
}

// Runs `action` in a child process and gives its exit status as waitpid does.
int in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    action();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(MapFile, GivesTheBytes) {
  const TempDir dir;
  EXPECT_EQ(map_file(dir.file("a", std::string("x\0y\n", 4))).view(), std::string("x\0y\n", 4));
  EXPECT_EQ(map_file(dir.file("empty", "")).size(), 0u);
  FileBytes moved = map_file(dir / "a");
  FileBytes again = std::move(moved);
  moved = map_file(dir / "empty");
  EXPECT_EQ(again.size(), 4u);
  EXPECT_EQ(moved.size(), 0u);
  const FileBytes owned(Array<char>{'h', 'i'});
  EXPECT_EQ(owned.view(), "hi");
}

TEST(MapFile, OwnedBytesSurviveAMove) {
  FileBytes a(Array<char>{'o', 'w', 'n'});
  FileBytes b = std::move(a);
  EXPECT_EQ(b.view(), "own");
}

TEST(MapFile, ReadsPipes) {
  const TempDir dir;
  const std::string path = dir / "pipe", big(300'000, 'z');
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << big; });
  EXPECT_EQ(map_file(path).view(), big);
  writer.join();
}

TEST(MapFile, SaysWhyNot) {
  const TempDir dir;
  EXPECT_EQ(error_of([&] { map_file(dir / "none"); }),
            dir / "none: cannot open: No such file or directory");
  EXPECT_EQ(error_of([&] { map_file(dir.path()); }), dir.path() + ": is a folder, not a file");
}

TEST(AtomicFile, AppearsOnlyWhenComplete) {
  const TempDir dir;
  const std::string path = dir.file("out", "old");
  {
    AtomicFile file(path);
    file.write("new ");
    EXPECT_EQ(content_of(path), "old");
    file.write("text");
    file.commit();
    EXPECT_EQ(content_of(path), "new text");
  }
  EXPECT_EQ(files_in(dir), 1u);
}

TEST(AtomicFile, SurvivesALossOfPower) {
  const TempDir dir;
  system_calls.clear();
  write_file(dir / "out", "text");
  EXPECT_EQ(system_calls, (std::vector<std::string>{"sync file", "rename", "sync folder"}));
}

TEST(AtomicFile, WithoutCommitAllStays) {
  const TempDir dir;
  const std::string path = dir.file("out", "old");
  { AtomicFile(path).write("half"); }
  { AtomicFile(dir / "never").write("half"); }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files_in(dir), 1u);
}

TEST(AtomicFile, AKillLeavesTheOldFile) {
  const TempDir dir;
  const std::string path = dir.file("out", "old");
  const int status = in_child([&] {
    AtomicFile file(path);
    file.write(std::string(1 << 20, 'n'));
    raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(content_of(path), "old");
  write_file(path, "newer");  // its leftovers do not disturb
  EXPECT_EQ(content_of(path), "newer");
}

TEST(AtomicFile, AFullDiskLeavesTheOldFile) {
  const TempDir dir;
  const std::string path = dir.file("out", "old");
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string at_once = error_of([&] { write_file(path, std::string(1 << 20, 'n')); });
    const std::string late = error_of([&] {  // found out only when the buffer is flushed
      AtomicFile file(path);
      for (int i = 0; i < 100'100; i++) file.write("n");
      file.commit();
    });
    const bool right = at_once == path + ": cannot write: File too large; the older file is kept" &&
                       late == at_once;
    _exit(right ? 7 : 1);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files_in(dir), 1u);
}

TEST(AtomicFile, WritesToNobodyElsesFile) {
  const TempDir dir;
  const std::string path = dir / "out", precious = dir.file("precious", "precious");
  const std::string guess = temporary_name(path);
  ASSERT_EQ(symlink(precious.c_str(), guess.c_str()), 0);
  write_file(path, "text");
  EXPECT_EQ(content_of(path), "text");
  EXPECT_EQ(content_of(precious), "precious");
  std::filesystem::remove(guess);
  std::ofstream(guess) << "leftover of an earlier process";
  AtomicFile first(path), second(path);  // nor two of one process
  first.write("first");
  second.write("second");
  second.commit();
  first.commit();
  EXPECT_EQ(content_of(path), "first");
  EXPECT_EQ(content_of(guess), "leftover of an earlier process");
  EXPECT_EQ(files_in(dir), 3u);
}

TEST(AtomicFile, KeepsPermissions) {
  const TempDir dir;
  for (const mode_t mode : {0600, 0640, 0666, 0755}) {
    const std::string path = dir.file("out", "old");
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    const mode_t before = umask(0077);
    write_file(path, "new");
    umask(before);
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode);
  }
  const mode_t before = umask(0027);
  write_file(dir / "fresh", "new");
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat((dir / "fresh").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

// A folder in which nothing can be looked up, or a name that leads in a circle.
TEST(FileExists, WhatCannotBeLookedAtIsNotAbsent) {
  const TempDir dir;
  const std::string file = dir.file("file", "");
  EXPECT_FALSE(file_exists(dir / "none"));
  EXPECT_FALSE(file_exists(file + "/below"));
  EXPECT_FALSE(is_directory(dir / "none"));
  EXPECT_TRUE(file_exists(file));
  EXPECT_TRUE(is_directory(dir.path()));
  const std::string circle = dir / "circle";
  ASSERT_EQ(symlink(circle.c_str(), circle.c_str()), 0);
  const std::string expected = circle + ": cannot be looked at: Too many levels of symbolic links";
  EXPECT_EQ(error_of([&] { file_exists(circle); }), expected);
  EXPECT_EQ(error_of([&] { is_directory(circle); }), expected);
  EXPECT_EQ(error_of([&] { check_overwrite(circle, false); }), expected);
  EXPECT_EQ(error_of([&] { AtomicFile out(circle); }), expected);
}

TEST(AtomicFile, SaysWhyNot) {
  const TempDir dir;
  const std::string path = dir.file("out", "old");
  EXPECT_EQ(error_of([&] { AtomicFile(path, false); }), path + ": exists already");
  EXPECT_EQ(error_of([&] { AtomicFile file(dir.path()); }),
            dir.path() + ": is a folder; name a file in it");
  EXPECT_EQ(error_of([&] { write_file(dir / "no/such/file", "x"); }),
            dir / "no/such/file: cannot write: No such file or directory");
  EXPECT_EQ(content_of(path), "old");
}

TEST(AtomicFile, ReadOnlyFolder) {
  if (geteuid() == 0) {  // root may write anywhere but there
    EXPECT_NE(error_of([] { write_file("/proc/mgnn-test", "x"); }), "");
    return;
  }
  const TempDir dir;
  chmod(dir.path().c_str(), 0500);
  EXPECT_EQ(error_of([&] { write_file(dir / "x", "x"); }),
            dir / "x: cannot write: Permission denied");
  chmod(dir.path().c_str(), 0700);
}

TEST(AtomicFile, DevicesAreNotReplaced) {
  write_file("/dev/null", "gone", false);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const TempDir dir;
  const std::string path = dir / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content_of(path); });
  write_file(path, "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST(AtomicFile, OthersMayWriteToTheTemporaryName) {
  const TempDir dir;
  AtomicFile file(dir / "out");
  std::ofstream(file.temporary_path()) << "by a library";
  file.commit();
  EXPECT_EQ(content_of(dir / "out"), "by a library");
}

TEST(File, Questions) {
  const TempDir dir;
  EXPECT_TRUE(file_exists(dir.file("a", "")));
  EXPECT_FALSE(file_exists(dir / "b"));
  EXPECT_FALSE(file_exists(std::string(10'000, 'x')));
  EXPECT_TRUE(is_directory(dir.path()));
  EXPECT_FALSE(is_directory(dir / "a"));
}

}  // namespace
}  // namespace mgnn
