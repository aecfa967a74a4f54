#include "mgnn/base/folder.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "mgnn/base/file.h"
#include "tests/util.h"

// Stands in for the system's: 0, or the reason for which it fails.
static int reason_of_renameat2 = 0;
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) noexcept {
  if (reason_of_renameat2 != 0) {
    errno = reason_of_renameat2;
    return -1;
  }
  return int(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;

TEST(SwapFolder, TakesThePlaceOfTheOlderOne) {
  for (const int reason : {0, EINVAL, ENOSYS}) {  // the others: file systems that cannot exchange
    reason_of_renameat2 = reason;
    const TempDir dir;
    make_folder(dir / "new");
    dir.file("new/a", "new");
    swap_folder(dir / "new", dir / "at");
    EXPECT_EQ(content_of(dir / "at/a"), "new");
    make_folder(dir / "new");
    dir.file("new/a", "newer");
    swap_folder(dir / "new", dir / "at");
    EXPECT_EQ(content_of(dir / "at/a"), "newer");
    EXPECT_EQ(content_of(dir / "new/a"), "new");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2);
  }
  reason_of_renameat2 = 0;
}

TEST(SwapFolder, AFailureLosesNothing) {
  const TempDir dir;
  make_folder(dir / "at");
  dir.file("at/a", "old");
  reason_of_renameat2 = EIO;
  EXPECT_EQ(error_of([&] { swap_folder(dir / "new", dir / "at"); }),
            dir / "at: cannot be replaced: Input/output error; the older folder is kept");
  reason_of_renameat2 = EINVAL;  // and then there is nothing to rename
  EXPECT_EQ(error_of([&] { swap_folder(dir / "new", dir / "at"); }),
            dir / "at: cannot write: No such file or directory");
  reason_of_renameat2 = 0;
  EXPECT_EQ(content_of(dir / "at/a"), "old");
}

TEST(ReplaceFolder, IsWholeOrTheOlderOne) {
  const TempDir dir;
  const auto fill_with = [](const std::string& text) {
    return [text](const std::string& folder) { write_file(folder + "/a", text); };
  };
  replace_folder(dir / "above/at/", fill_with("new"));
  replace_folder(dir / "above/at", fill_with("newer"));
  EXPECT_EQ(content_of(dir / "above/at/a"), "newer");
  EXPECT_THROW(replace_folder(dir / "above/at",
                              [&](const std::string& folder) {
                                fill_with("half")(folder);
                                throw 1;
                              }),
               int);
  EXPECT_EQ(content_of(dir / "above/at/a"), "newer");
  EXPECT_EQ(names_in_folder(dir / "above"), std::vector<std::string>{"at"});
}

TEST(NewFolder, NamesAreTakenOnce) {
  const TempDir dir;
  EXPECT_EQ(make_new_folder(dir / "runs/a"), dir / "runs/a");
  EXPECT_EQ(make_new_folder(dir / "runs/a"), dir / "runs/a-2");
  EXPECT_EQ(make_new_folder(dir / "runs/a"), dir / "runs/a-3");
  dir.file("file", "");
  EXPECT_NE(error_of([&] { make_new_folder(dir / "file/below"); }), "");
}

TEST(LockFolder, OneAtATime) {
  const TempDir dir;
  {
    const auto lock = lock_folder(dir.path());
    EXPECT_EQ(error_of([&] { lock_folder(dir.path()); }),
              dir.path() + ": another process is writing to it");
  }
  lock_folder(dir.path());  // it is free again
  EXPECT_EQ(error_of([&] { lock_folder(dir / "none"); }),
            dir / "none: cannot be opened: No such file or directory");
}

TEST(NamesInFolder, OnlyWhatIsNotThereHasNone) {
  const TempDir dir;
  dir.file("b", "");
  dir.file("a", "");
  EXPECT_EQ(names_in_folder(dir.path()), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(names_in_folder(dir / "none").empty());
  EXPECT_TRUE(names_in_folder(dir / "a").empty());
  const std::string circle = dir / "circle";
  ASSERT_EQ(symlink(circle.c_str(), circle.c_str()), 0);
  EXPECT_EQ(error_of([&] { names_in_folder(circle); }),
            circle + ": cannot be listed: Too many levels of symbolic links");
}

TEST(FolderWritable, LooksAtTheNearestThatIsThere) {
  const TempDir dir;
  check_folder_writable(dir / "a/b/c");
  EXPECT_TRUE(names_in_folder(dir.path()).empty());
  dir.file("file", "");
  EXPECT_EQ(error_of([&] { check_folder_writable(dir / "file/b"); }),
            dir / "file: is a file, not a folder");
  EXPECT_NE(error_of([&] { check_folder_writable("/proc/a"); }), "");
}

}  // namespace
}  // namespace mgnn
