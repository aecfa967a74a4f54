#include "mgnn/base/memory.h"

#include <filesystem>
#include <fstream>

#include "tests/util.h"

namespace mgnn {
namespace {

// A folder that stands for the root of a system, with files of these contents.
class Root {
 public:
  Root(const std::string& name, std::vector<std::pair<std::string, std::string>> files)
      : path_(::testing::TempDir() + "cgroup_" + name) {
    std::filesystem::remove_all(path_);
    for (const auto& [file, content] : files) {
      const std::filesystem::path whole = path_ + "/" + file;
      std::filesystem::create_directories(whole.parent_path());
      std::ofstream(whole) << content;
    }
  }
  ~Root() { std::filesystem::remove_all(path_); }
  std::vector<MemoryLimit> limits() const { return cgroup_memory_limits(path_); }

 private:
  std::string path_;
};

using testing::error_of;
using Limits = std::vector<MemoryLimit>;

TEST(Memory, CgroupVersion2CountsAllGroupsAbove) {
  const Root root("v2", {{"proc/self/cgroup", "0::/jobs/7\n"},
                         {"sys/fs/cgroup/jobs/7/memory.max", "max\n"},
                         {"sys/fs/cgroup/jobs/7/memory.current", "500\n"},
                         {"sys/fs/cgroup/jobs/memory.max", "10000\n"},
                         {"sys/fs/cgroup/jobs/memory.current", "4000\n"},
                         {"sys/fs/cgroup/jobs/memory.stat",
                          "anon 900\ninactive_file 1000\nactive_file 500\nslab_reclaimable 7\n"}});
  EXPECT_EQ(root.limits(), (Limits{{"cgroup /jobs", 10000 - 4000 + 1507}}));
}

TEST(Memory, CgroupVersion2TightestIsTheOwnGroup) {
  const Root root("own", {{"proc/self/cgroup", "0::/a/b\n"},
                          {"sys/fs/cgroup/a/b/memory.max", "100"},
                          {"sys/fs/cgroup/a/b/memory.current", "160"},
                          {"sys/fs/cgroup/a/memory.max", "1000"}});
  EXPECT_EQ(root.limits(), (Limits{{"cgroup /a/b", 0}, {"cgroup /a", 1000}}));
}

TEST(Memory, CgroupVersion1) {
  const Root root("v1", {{"proc/self/cgroup", "9:cpu,cpuacct:/x\n5:memory:/x\n"},
                         {"sys/fs/cgroup/memory/x/memory.limit_in_bytes", "8192\n"},
                         {"sys/fs/cgroup/memory/x/memory.usage_in_bytes", "5000\n"},
                         {"sys/fs/cgroup/memory/x/memory.stat",
                          "inactive_file 1\ntotal_inactive_file 900\ntotal_active_file 100\n"},
                         {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}});
  EXPECT_EQ(root.limits(), (Limits{{"cgroup /x", 8192 - 4000}}));
}

TEST(Memory, CgroupHybrid) {
  const Root root("hybrid", {{"proc/self/cgroup", "5:memory:/x\n0::/y\n"},
                             {"sys/fs/cgroup/memory/x/memory.limit_in_bytes", "8192"},
                             {"sys/fs/cgroup/unified/y/memory.max", "4096"}});
  EXPECT_EQ(root.limits(), (Limits{{"cgroup /x", 8192}, {"cgroup /y", 4096}}));
}

TEST(Memory, CgroupOfAContainerIsTheRootOfTheMount) {
  const Root root("container", {{"proc/self/cgroup", "0::/docker/0123\n"},
                                {"sys/fs/cgroup/memory.max", "4096"},
                                {"sys/fs/cgroup/memory.current", "96"}});
  EXPECT_EQ(root.limits(), (Limits{{"cgroup /", 4000}}));
  const Root outside(
      "outside", {{"proc/self/cgroup", "0::/../../other\n"}, {"sys/fs/cgroup/memory.max", "4096"}});
  EXPECT_EQ(outside.limits(), (Limits{{"cgroup /", 4096}}));
}

TEST(Memory, CgroupFilesThatAreMissingOrMalformedLimitNothing) {
  EXPECT_EQ(Root("missing", {}).limits(), Limits());
  EXPECT_EQ(Root("no_files", {{"proc/self/cgroup", "0::/a\n"}}).limits(), Limits());
  for (const char* text : {"", "\n", "-5", "12x", "many", "99999999999999999999", "\0\0"})
    EXPECT_EQ(
        Root("bad", {{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/memory.max", text}}).limits(),
        Limits())
        << text;
  for (const char* groups : {"", "::", "nonsense", "0:", "0::", "1:memory", "\n\n:\n"})
    Root("groups", {{"proc/self/cgroup", groups}}).limits();  // nothing is thrown
}

TEST(Memory, TheLimitThatWasSetIsHeeded) {
  const int64_t available = available_memory_bytes();
  EXPECT_GT(available, 0);
  EXPECT_GT(resident_memory_bytes(), 0);
  EXPECT_LE(resident_memory_bytes(), peak_memory_bytes() + (1 << 20));
  set_memory_limit(resident_memory_bytes() + (1 << 20));
  EXPECT_LE(available_memory_bytes(), 2 << 20);
  EXPECT_EQ(tightest_memory_limit().source, "the limit that was set");
  const std::string message = error_of([] { check_memory(32 << 20, "x"); });
  EXPECT_TRUE(message.starts_with("x: needs 32 MiB of memory, but there is ")) << message;
  EXPECT_TRUE(message.find("(by the limit that was set); use less data") != message.npos)
      << message;
  set_memory_limit(0);
  EXPECT_EQ(error_of([] { check_memory(32 << 20, "x"); }), "");
}

TEST(Memory, WhatIsClaimedIsTakenForOthers) {
  set_memory_limit(resident_memory_bytes() + (256 << 20));
  {
    MemoryClaim first, second;
    first.claim(180 << 20, "first", "wait");
    EXPECT_NE(error_of([] { check_memory(150 << 20, "x"); }), "");
    const std::string message = error_of([&] { second.claim(150 << 20, "second", "wait"); });
    EXPECT_TRUE(message.starts_with("second: needs 150 MiB of memory, but there is ")) << message;
    EXPECT_TRUE(message.ends_with("wait")) << message;
    first.release();
    EXPECT_EQ(error_of([&] { second.claim(150 << 20, "second", "wait"); }), "");
  }
  EXPECT_EQ(error_of([] { check_memory(150 << 20, "x"); }), "");
  set_memory_limit(0);
}

}  // namespace
}  // namespace mgnn
