// Standard streams that are closed or full, and outputs that cannot be written.
#include <gtest/gtest.h>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::CommandResult;
using testing::content_of;
using testing::run_mgnn;
using testing::TempDir;

// A line for /bin/sh, in which mgnn is the program.
CommandResult run_line(const TempDir& dir, const std::string& line) {
  const std::string script =
      dir.file("line.sh", fmt::format("mgnn() {{ '{}' \"$@\"; }}\nMGNN_OFFLINE=1; "
                                      "export MGNN_OFFLINE\ncd '{}'\n{}\n",
                                      MGNN_BINARY, dir.path(), line));
  const int status = std::system(("/bin/sh " + script).c_str());
  return {testing::exit_code_of(status), "", ""};
}

TEST(Streams, ClosedStandardOutputIsSaidAtOnce) {
  const TempDir dir;
  for (const char* verb : {"info karate", "census karate", "train karate --no-output",
                           "convert karate a.npz", "embed karate -o z.npy"}) {
    EXPECT_EQ(run_line(dir, fmt::format("mgnn {} >&- 2>err", verb)).exit_code, 1) << verb;
    EXPECT_EQ(content_of(dir / "err"),
              "mgnn: standard output is closed; send it to a file or to /dev/null\n");
  }
  EXPECT_FALSE(file_exists(dir / "a.npz"));
  EXPECT_FALSE(file_exists(dir / "z.npy"));
}

TEST(Streams, NobodyNeedReadStandardError) {
  const TempDir dir;
  for (const char* where : {"2>&-", "2>/dev/full"}) {
    const auto code = [&](const char* verb) {
      return run_line(dir, fmt::format("mgnn {} >out {}", verb, where)).exit_code;
    };
    EXPECT_EQ(code("info ./nothing-there.tsv"), 3) << where;
    EXPECT_EQ(code("no-such-verb"), 2) << where;
    EXPECT_EQ(code(""), 2) << where;
    EXPECT_EQ(code("train karate --no-output --epochs 3"), 0) << where;
    EXPECT_NE(content_of(dir / "out").find("accuracy"), std::string::npos);
    EXPECT_EQ(code("convert karate out.npz --force"), 0) << where;
    EXPECT_TRUE(content_of(dir / "out.npz").starts_with("PK")) << where;  // and nothing else in it
  }
}

TEST(Streams, OutputsAreTriedBeforeTheWork) {
  const TempDir dir;
  const std::string file = dir / "missing/file";
  const auto expect_refusal = [&](std::vector<std::string> words, const std::string& path) {
    const CommandResult result = run_mgnn(words);
    EXPECT_EQ(result.exit_code, 1) << words[0] << ": " << result.err;
    EXPECT_EQ(result.err, fmt::format("mgnn: {}: cannot write: No such file or directory\n", path));
  };
  // The data are not there either, but that is found out later.
  expect_refusal({"convert", "nothing-there", file + ".npz"}, file + ".npz");
  expect_refusal({"motifs", "nothing-there", "-o", file + ".npz"}, file + ".npz");
  expect_refusal({"census", "nothing-there", "--per-node", file + ".csv"}, file + ".csv");
  expect_refusal({"embed", "nothing-there", "-o", file + ".npy"}, file + ".npy");
  expect_refusal({"train", "nothing-there", "--report", file + ".html"}, file + ".html");
  expect_refusal({"train", "nothing-there", "--log", file + ".csv"}, file + ".csv");
  expect_refusal({"search", "nothing-there", "-o", file + ".csv"}, file + ".csv");
  expect_refusal({"predict", "nothing-there", "-o", file + ".csv"}, file + ".csv");
  expect_refusal({"rank", "nothing-there", "-o", file + ".tsv"}, file + ".tsv");
  expect_refusal({"generate", "er", "--nodes", "10", "-o", file + ".npz"}, file + ".npz");
  expect_refusal({"reproduce", "datasets", "--report", file + ".html"}, file + ".html");
  const CommandResult folder = run_mgnn({"convert", "nothing-there", dir.path(), "--force"});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_EQ(folder.err, fmt::format("mgnn: {}: is a folder; name a file in it\n", dir.path()));
}

}  // namespace
}  // namespace mgnn
