#include "mgnn/io/zip_directory.h"

#include "mgnn/io/numpy.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;

bool same(const NumpyArchive& a, const NumpyArchive& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, array] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.dtype != array.dtype ||
        other->second.shape != array.shape || other->second.bytes != array.bytes)
      return false;
  }
  return true;
}

// Every bit of the file: an Error, or what was written.
void expect_no_silent_damage(const std::string& whole) {
  const NumpyArchive sound = parse_npz(whole, "x");
  ASSERT_FALSE(sound.empty());
  for (size_t bit = 0; bit < 8 * whole.size(); bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_TRUE(same(parse_npz(damaged, "x"), sound)) << "bit " << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    }
  }
}

TEST(ZipDirectory, NoFlippedBitOfOursPassesSilently) {
  const TempDir dir;
  NumpyArray ids{.dtype = "|S3", .bytes = {'a', 'b', 'c'}};
  write_npz(dir / "a.npz", {{"ids", ids}, {"data", ids}, {"edge_index", ids}});
  expect_no_silent_damage(content_of(dir / "a.npz"));
}

TEST(ZipDirectory, NoFlippedBitOfNumpysPassesSilently) {
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  const std::string save = "('" + dir / "a.npz', ids=numpy.arange(3), y=numpy.ones(2))\n";
  for (const std::string how : {"savez", "savez_compressed"}) {
    EXPECT_EQ(testing::python_output("import numpy\nnumpy." + how + save), "");
    expect_no_silent_damage(content_of(dir / "a.npz"));
  }
}

TEST(ZipDirectory, SaysWhatIsWrong) {
  const TempDir dir;
  const NumpyArray ids{.dtype = "|S3", .bytes = {'a', 'b', 'c'}};
  write_npz(dir / "a.npz", {{"ids", ids}});
  const std::string whole = content_of(dir / "a.npz");
  const auto error = [](const std::string& bytes) {
    return error_of([&] { check_zip_directory(bytes, "x"); });
  };
  EXPECT_EQ(error(whole), "");
  EXPECT_EQ(error(whole.substr(0, whole.size() - 1)),
            "x: is damaged: the zip archive has no directory; use another copy");
  std::string renamed = whole;
  renamed[renamed.rfind("ids.npy")] = 'j';
  EXPECT_EQ(error(renamed), "x: is damaged: two names or kinds of \"jds.npy\"; use another copy");
  std::string counted = whole;
  counted[counted.size() - 12] = 2;
  EXPECT_EQ(error(counted),
            "x: is damaged: its directory has 1 members instead of 2; use another copy");
}

}  // namespace
}  // namespace mgnn
