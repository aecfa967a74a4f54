#include "mgnn/io/compressed.h"

#include "mgnn/base/interrupt.h"
#include "mgnn/io/text_writer.h"
#include "tests/io/pack.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::edge_text, testing::error_of, testing::kPackings,
    testing::packed, testing::Packing, testing::TempDir;

const Packing& kGz = kPackings[0];

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Compressed, UnpacksWhateverTheNameSays) {
  const TempDir dir;
  for (const Packing& packing : kPackings)
    for (const std::string& text : {std::string(), std::string("1 2\n"), edge_text(20'000, 1)}) {
      const std::string path = dir.file(std::string("x") + packing.suffix, packed(text, packing));
      EXPECT_EQ(read_bytes(path).view(), text) << packing.suffix << " of " << text.size();
      EXPECT_EQ(read_bytes(dir.file("plain.txt", packed(text, packing))).view(), text);
    }
  EXPECT_EQ(read_bytes(dir.file("misnamed.gz", "1 2\n")).view(), "1 2\n");
  EXPECT_EQ(read_bytes(dir.file("nothing.gz", "")).view(), "");
}

TEST(Compressed, TextThatBeginsLikeBzip2IsText) {
  EXPECT_FALSE(is_compressed("BZh is no name for a node\n"));
  EXPECT_FALSE(is_compressed("BZh"));
  EXPECT_TRUE(is_compressed(packed("x", kPackings[1])));
}

TEST(Compressed, SeveralMembersAreOneContent) {
  for (const Packing& packing : kPackings) {
    const std::string twice = packed("1 2\n", packing) + packed("3 4\n", packing);
    EXPECT_EQ(unpack(twice, "x").view(), "1 2\n3 4\n") << packing.suffix;
  }
  EXPECT_EQ(unpack(packed("1 2\n", kGz) + std::string(512, '\0'), "x").view(), "1 2\n");
}

TEST(Compressed, EveryCutIsAnError) {
  const std::string text = edge_text(300, 2);
  for (const Packing& packing : kPackings) {
    const std::string whole = packed(text, packing);
    for (size_t size = 10; size < whole.size(); size += 1 + size / 16) {
      const std::string message = error_of([&] { unpack(whole.substr(0, size), "x.gz"); });
      EXPECT_TRUE(has(message, "x.gz: ") && has(message, "cut short") && has(message, "fetch"))
          << packing.suffix << " cut to " << size << ": " << message;
    }
  }
}

TEST(Compressed, FlippedBitsNeverGiveOtherContent) {
  const std::string text = edge_text(300, 3);
  for (const Packing& packing : kPackings) {
    // bzip2, xz and gzip have sums over everything; the sum of zstd is made by its own tool only.
    if (packing.suffix == std::string(".zst")) continue;
    const std::string whole = packed(text, packing);
    for (size_t byte = 10; byte < whole.size(); byte += 7) {
      std::string flipped = whole;
      flipped[byte] = char(flipped[byte] ^ (1 << (byte % 8)));
      std::string content;
      const std::string message =
          error_of([&] { content = std::string(unpack(flipped, "x").view()); });
      EXPECT_TRUE(!message.empty() || content == text) << packing.suffix << " at " << byte;
    }
  }
}

TEST(Compressed, SaysWhatIsWrong) {
  const std::string whole = packed(edge_text(1000, 4), kGz);
  std::string wrong_sum = whole;
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  EXPECT_TRUE(has(error_of([&] { unpack(wrong_sum, "a.gz"); }), "a.gz: the gzip data are damaged"));
  EXPECT_EQ(error_of([&] { unpack(whole + "more", "a.gz"); }),
            "a.gz: has 4 B of something else after its gzip data; the file is damaged");
  EXPECT_TRUE(has(error_of([&] { unpack("\x1f\x8b", "a.gz"); }), "cut short"));
}

TEST(Compressed, StopsAtATrap) {
  const std::string zeros(4 << 20, '0');
  for (const Packing& packing : kPackings) {
    const std::string trap = packed(zeros, packing);
    const UnpackLimits limits{.harmless = 1 << 20, .ratio = 200};
    const std::string message = error_of([&] { unpack(trap, "trap", limits); });
    EXPECT_TRUE(has(message, "trap: unpacks to over 1.") && has(message, "looks like a trap"))
        << packing.suffix << ": " << message;
    EXPECT_EQ(unpack(trap, "trap").size(), zeros.size());  // this little is harmless
    const UnpackLimits patient{.harmless = 1 << 20, .ratio = 1'000'000};
    EXPECT_EQ(unpack(trap, "trap", patient).size(), zeros.size());
  }
}

TEST(Compressed, StopsAtTheEndOfMemory) {
  const std::string text = edge_text(60'000, 6);
  EXPECT_EQ(error_of([&] { unpack(packed(text, kGz), "x.gz", {.memory = 1 << 19}); }),
            "x.gz: unpacks to 1.0 MiB, but there is 512 KiB of memory; use a machine with more");
  EXPECT_EQ(unpack(packed(text, kGz), "x.gz", {.memory = 1 << 21}).view(), text);
}

TEST(Compressed, CountsWhatIsLargeBeforeMemoryIsTaken) {
  const std::string text = edge_text(60'000, 6);
  for (const Packing& packing : kPackings)
    for (const int64_t harmless : {1 << 12, 300'000, 1 << 19}) {
      const UnpackLimits limits{.harmless = harmless, .ratio = 1'000};
      EXPECT_TRUE(unpack(packed(text, packing), "x", limits).view() == text)
          << packing.suffix << " " << harmless;
    }
}

TEST(Compressed, CanBeInterrupted) {
  set_interrupted(true);
  EXPECT_EQ(error_of([&] { unpack(packed("1 2\n", kGz), "x"); }), "interrupted");
  set_interrupted(false);
}

TEST(Compressed, ErrorsAreOfKindData) {
  try {
    unpack(packed("1 2\n", kGz) + "x", "a.gz");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
  }
}

TEST(Compressed, Suffixes) {
  EXPECT_EQ(without_compression_suffix("a/b.txt.gz"), "a/b.txt");
  EXPECT_EQ(without_compression_suffix("b.mtx.zst"), "b.mtx");
  EXPECT_EQ(without_compression_suffix("b.xz"), "b");
  EXPECT_EQ(without_compression_suffix("b.bz2.txt"), "b.bz2.txt");
}

TEST(TextWriter, CompressesByTheName) {
  const TempDir dir;
  const std::string text = edge_text(20'000, 5);
  for (const Packing& packing : kPackings) {
    const std::string path = dir / (std::string("x") + packing.suffix);
    TextWriter out(path);
    out.text(text);
    EXPECT_FALSE(file_exists(path));
    out.commit();
    EXPECT_TRUE(is_compressed(content_of(path))) << packing.suffix;
    EXPECT_LT(content_of(path).size(), text.size());
    EXPECT_EQ(read_bytes(path).view(), text);
  }
}

TEST(TextWriter, LeavesTheOlderFileWithoutCommit) {
  const TempDir dir;
  const std::string path = dir.file("x.txt", "old");
  { TextWriter(path).text("new"); }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(error_of([&] { TextWriter(path, false); }), path + ": exists already");
}

}  // namespace
}  // namespace mgnn
