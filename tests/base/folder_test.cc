#include "mgnn/base/folder.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

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

}  // namespace
}  // namespace mgnn
