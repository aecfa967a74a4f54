#include "mgnn/data/unpack.h"

#include "tests/data/archives.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::ArchiveItem, testing::content_of, testing::error_of, testing::TempDir,
    testing::write_archive;

TEST(Unpack, KnowsTheUsualKinds) {
  for (const std::string ending : {"zip", "tar", "tar.gz", "7z"}) {
    const TempDir dir;
    const std::string archive = dir / ("a." + ending);
    write_archive(archive, {{.path = "SET/one.txt", .content = "1"},
                            {.path = "./SET/sub/two.txt", .content = "22"}});
    unpack_archive(archive, dir / "out/set");
    EXPECT_EQ(content_of(dir / "out/set/one.txt"), "1") << ending;
    EXPECT_EQ(content_of(dir / "out/set/sub/two.txt"), "22") << ending;
  }
}

TEST(Unpack, KeepsSeveralTopsAndAddsToAFolder) {
  const TempDir dir;
  dir.file("out/mine", "stays");
  write_archive(dir / "a.zip",
                {{.path = "x/one", .content = "1"}, {.path = "two", .content = "2"}});
  unpack_archive(dir / "a.zip", dir / "out");
  EXPECT_EQ(content_of(dir / "out/x/one"), "1");
  EXPECT_EQ(content_of(dir / "out/two"), "2");
  EXPECT_EQ(content_of(dir / "out/mine"), "stays");
}

// Nothing of a refused archive is left, inside the folder or outside.
void expect_refused(const std::vector<ArchiveItem>& items, const std::string& reason,
                    const ArchiveLimits& limits = {}, const std::string& ending = "tar") {
  const TempDir dir;
  const std::string archive = dir / ("inner/a." + ending);
  std::filesystem::create_directories(dir / "inner");
  write_archive(archive, items);
  const std::string error = error_of([&] { unpack_archive(archive, dir / "inner/out", limits); });
  EXPECT_NE(error.find(reason), std::string::npos) << "got: " << error;
  EXPECT_EQ(error.find(archive), 0u) << error;
  const std::vector<std::filesystem::directory_entry> left(
      std::filesystem::recursive_directory_iterator(dir.path()), {});
  EXPECT_EQ(left.size(), 2u) << "more than inner/ and the archive is left";
}

TEST(Unpack, RefusesPathsThatLeaveTheFolder) {
  const ArchiveItem good{.path = "good", .content = "1"};
  for (const std::string path : {"../evil", "a/../../evil", "/tmp/mgnn-evil", "a\\..\\evil"})
    expect_refused({good, {.path = path, .content = "x"}}, "would leave the folder");
  EXPECT_FALSE(file_exists("/tmp/mgnn-evil"));
}

TEST(Unpack, RefusesLinksAndDevices) {
  expect_refused({{.path = "l", .link_to = "/etc"}, {.path = "l/passwd", .content = "x"}},
                 "is a link");
  expect_refused({{.path = "h", .hard_link_to = "/etc/passwd"}}, "is a link");
  expect_refused({{.path = "f", .kind = AE_IFIFO}}, "is a device or other special file");
  expect_refused({{.path = "d", .kind = AE_IFCHR}}, "is a device or other special file");
}

TEST(Unpack, RefusesBombs) {
  expect_refused({{.path = "zeros", .content = std::string(80 << 20, '\0')}},
                 "over 200 times its size", {}, "zip");
  expect_refused({{.path = "big", .content = std::string(5000, 'x')}},
                 "more than the 1.0 KiB that are allowed", {.max_bytes = 1024});
  std::vector<ArchiveItem> many;
  for (int i = 0; i < 20; i++) many.push_back({.path = "f" + std::to_string(i)});
  expect_refused(many, "more than the 10 files", {.max_files = 10});
}

TEST(Unpack, RefusesTheSameFileTwice) {
  expect_refused({{.path = "a", .content = "1"}, {.path = "a", .content = "2"}},
                 "cannot be written");
  expect_refused({{.path = "a", .content = "1"}, {.path = "a/b", .content = "2"}},
                 "cannot be made");
}

TEST(Unpack, RefusesWhatIsNoArchive) {
  const TempDir dir;
  EXPECT_NE(error_of([&] {
              unpack_archive(dir.file("x.zip", "hello, this is text"), dir / "o");
            }).find("x.zip"),
            std::string::npos);
  EXPECT_NE(error_of([&] { unpack_archive(dir / "none.zip", dir / "o"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(error_of([&] { unpack_archive(dir.file("e.zip", ""), dir / "o"); }), "");
  EXPECT_FALSE(file_exists(dir / "o"));
}

// Every truncation and many flipped bytes: an error, or files, never a crash.
TEST(Unpack, SurvivesDamage) {
  const TempDir dir;
  for (const std::string ending : {"zip", "tar.gz", "7z"}) {
    const std::string archive = dir / ("a." + ending);
    write_archive(archive, {{.path = "S/a", .content = std::string(400, 'a') + "bcd"},
                            {.path = "S/b", .content = "22"}});
    const std::string whole = content_of(archive);
    int refused = 0;
    for (size_t cut = 0; cut < whole.size(); cut += 19) {
      dir.file("cut", whole.substr(0, cut));
      refused += !error_of([&] { unpack_archive(dir / "cut", dir / "o"); }).empty();
    }
    EXPECT_GT(refused, int(whole.size() / 19) / 2) << ending;
    for (size_t at = 0; at < whole.size(); at += 11) {
      std::string bad = whole;
      bad[at] = char(bad[at] ^ 0x55);
      dir.file("flipped", bad);
      error_of([&] { unpack_archive(dir / "flipped", dir / "o"); });
    }
  }
}

}  // namespace
}  // namespace mgnn
