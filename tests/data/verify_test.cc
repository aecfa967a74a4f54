#include "mgnn/data/verify.h"

#include <filesystem>

#include "mgnn/base/file.h"
#include "mgnn/base/sha256.h"
#include "mgnn/data/locate.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;
namespace fs = std::filesystem;

struct Cache {
  TempDir dir;
  DatasetEntry entry;
  std::string folder = dir / "set";

  Cache() {
    dir.file("set/known", "right");
    dir.file("set/sub/other", "first");
    entry.files = {{"known", "", sha256_of("right"), false}, {"sub/other", "", "", false}};
  }
  // With a time of change of its own, as any later writing has.
  void change(const std::string& name, const std::string& content, int seconds) const {
    const auto before = fs::last_write_time(dir / name);
    write_file(dir / name, content);
    fs::last_write_time(dir / name, before + std::chrono::seconds(seconds));
  }
  std::string error() const {
    return error_of([&] { verify_files(entry, folder, dir.path()); });
  }
};

TEST(Verify, FindsAFileThatIsNotThePublishedOne) {
  const Cache cache;
  EXPECT_EQ(cache.error(), "");
  cache.change("set/known", "wrong", 1);
  EXPECT_EQ(cache.error(), cache.dir / "set/known: has SHA-256 " + sha256_of("wrong") + ", but " +
                               sha256_of("right") +
                               " is published: the file is damaged or was changed; remove it, and "
                               "it is downloaded again");
  cache.change("set/known", "right", 2);
  EXPECT_EQ(cache.error(), "");
}

TEST(Verify, FindsAFileThatIsNotWhatItWas) {
  const Cache cache;
  EXPECT_EQ(cache.error(), "");
  cache.change("set/sub/other", "first", 1);  // another time, the same bytes
  EXPECT_EQ(cache.error(), "");
  cache.change("set/sub/other", "other", 2);
  EXPECT_EQ(cache.error(), cache.dir /
                                   "set/sub/other: is not what it was when it was first used: "
                                   "the file is damaged or was changed; remove it, and it is "
                                   "downloaded again, or, if the change is yours, remove its "
                                   "line from " +
                               sums_path(cache.dir.path()));
  forget_sums(cache.folder, cache.dir.path());
  EXPECT_EQ(cache.error(), "");
}

TEST(Verify, ReadsAFileOnce) {
  const Cache cache;
  EXPECT_EQ(cache.error(), "");
  const std::string record = content_of(sums_path(cache.dir.path()));
  EXPECT_NE(record.find(sha256_of("first")), std::string::npos);
  cache.change("set/known", "wrong", 0);  // same size and time: not read again
  EXPECT_EQ(cache.error(), "");
  EXPECT_EQ(content_of(sums_path(cache.dir.path())), record);
  write_file(sums_path(cache.dir.path()), "nonsense\n" + record.substr(0, 20));
  EXPECT_NE(cache.error().find("is published"), std::string::npos);
}

TEST(Verify, CacheIsNeverAFolderOfEverybody) {
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const std::string cache_before = xdg ? xdg : "";
  unsetenv("HOME"), unsetenv("XDG_CACHE_HOME");
  const std::string cache = cache_folder();
  if (home) setenv("HOME", before.c_str(), 1);
  if (xdg) setenv("XDG_CACHE_HOME", cache_before.c_str(), 1);
  EXPECT_FALSE(cache.starts_with("/tmp")) << cache;
  EXPECT_TRUE(cache.empty() || cache.ends_with("/.cache/mgnn")) << cache;
}

}  // namespace
}  // namespace mgnn
