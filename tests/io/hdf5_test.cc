#include "mgnn/io/hdf5.h"

#include <atomic>
#include <thread>

#include "mgnn/base/interrupt.h"
#include "tests/io/damage.h"
#include "tests/io/pack.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::python_output, testing::TempDir;

template <class T>
void expect_comes_back(const std::string& path, std::vector<T> values) {
  Hdf5Writer writer(path);
  writer.write<T>("group/values", values);
  writer.commit();
  const Array<T> again = Hdf5Reader(path).read<T>("group/values");
  EXPECT_TRUE(std::equal(again.begin(), again.end(), values.begin(), values.end()));
}

// Everything a file can have.
void write_sample(const std::string& path) {
  Hdf5Writer writer(path);
  writer.write<int32_t>("index", std::vector<int32_t>{1, -2, 3, 4, 5, 6}, {2, 3});
  writer.write<float>("features/value", std::vector<float>(300, 0.5f), {3, 100});
  writer.write<int64_t>("empty", {}, {0, 4});
  writer.write("names", {"a", "", "Äther", "a long name"});
  writer.attribute("kind", "graph");
  writer.attribute("version", 7);
  writer.commit();
}

TEST(Hdf5, EveryTypeComesBack) {
  const TempDir dir;
  expect_comes_back<int32_t>(dir / "a.h5", {INT32_MIN, 0, INT32_MAX});
  expect_comes_back<int64_t>(dir / "a.h5", {INT64_MIN, 0, INT64_MAX});
  expect_comes_back<uint64_t>(dir / "a.h5", {0, UINT64_MAX});
  expect_comes_back<float>(dir / "a.h5", {0.f, -1.5f, 3e38f});
  expect_comes_back<double>(dir / "a.h5", {0., -1.5, 1e-300});
  expect_comes_back<uint8_t>(dir / "a.h5", {0, 255});
  expect_comes_back<char>(dir / "a.h5", {'a', '\xFF'});
  expect_comes_back<float>(dir / "a.h5", {});
}

TEST(Hdf5, InterruptedWritingLeavesNothing) {
  const TempDir dir;
  const std::vector<int32_t> values(1000, 7);
  set_interrupted(true);
  EXPECT_EQ(error_of([&] {
              Hdf5Writer writer(dir / "a.h5");
              writer.write<int32_t>("values", values);
              writer.commit();
            }),
            "interrupted");
  set_interrupted(false);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  expect_comes_back(dir / "a.h5", values);
}

TEST(Hdf5, ManyChunks) {
  const TempDir dir;
  Rng rng(1);
  std::vector<int64_t> values(1'200'003);
  for (int64_t& v : values) v = int64_t(rng.next());
  expect_comes_back(dir / "a.h5", values);
  std::vector<float> wide(3 * 70'000);
  for (size_t i = 0; i < wide.size(); i++) wide[i] = float(i);
  Hdf5Writer writer(dir / "b.h5");
  writer.write<float>("wide", wide, {3, 70'000});
  writer.commit();
  const Hdf5Reader reader(dir / "b.h5");
  EXPECT_EQ(reader.shape("wide"), (std::vector<int64_t>{3, 70'000}));
  EXPECT_TRUE(std::ranges::equal(reader.read<float>("wide"), wide));
}

TEST(Hdf5, SampleComesBack) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  const Hdf5Reader reader(dir / "a.h5");
  EXPECT_EQ(reader.shape("index"), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(reader.read<int32_t>("index"), (Array<int32_t>{1, -2, 3, 4, 5, 6}));
  EXPECT_EQ(reader.read<float>("features/value"), Array<float>(300, 0.5f));
  EXPECT_EQ(reader.shape("empty"), (std::vector<int64_t>{0, 4}));
  EXPECT_TRUE(reader.read<int64_t>("empty").empty());
  EXPECT_EQ(reader.read_texts("names"),
            (std::vector<std::string>{"a", "", "Äther", "a long name"}));
  EXPECT_EQ(reader.text_attribute("kind"), "graph");
  EXPECT_EQ(reader.number_attribute("version"), 7);
  for (const char* name : {"index", "features", "features/value"}) EXPECT_TRUE(reader.has(name));
  for (const char* name : {"", "/", "indes", "features/x", "index/x", "x/y/z"})
    EXPECT_FALSE(reader.has(name)) << name;
  EXPECT_TRUE(reader.has_attribute("kind"));
  EXPECT_FALSE(reader.has_attribute("kinds"));
}

TEST(Hdf5, CompressedFilesAreReadToo) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  for (const testing::Packing& packing : testing::kPackings) {
    const std::string path = dir.file("b.h5", testing::packed(content_of(dir / "a.h5"), packing));
    const Hdf5Reader reader(path);
    EXPECT_EQ(reader.read<int32_t>("index"), (Array<int32_t>{1, -2, 3, 4, 5, 6})) << packing.suffix;
    EXPECT_EQ(reader.text_attribute("kind"), "graph");
  }
}

TEST(Hdf5, SameContentSameBytes) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  write_sample(dir / "b.h5");
  EXPECT_EQ(content_of(dir / "a.h5"), content_of(dir / "b.h5"));
}

TEST(Hdf5, LongTexts) {
  const TempDir dir;
  const std::string config(59'000, 'c');
  Hdf5Writer writer(dir / "a.h5");
  writer.attribute("config", config);
  writer.attribute("more", config);
  writer.attribute("nothing", "");
  EXPECT_EQ(error_of([&] { writer.attribute("long", config + config); }),
            dir / "a.h5: long: an attribute has up to 60000 bytes; write longer texts as an array");
  writer.write("none", {});
  writer.commit();
  const Hdf5Reader reader(dir / "a.h5");
  EXPECT_EQ(reader.text_attribute("config"), config);
  EXPECT_EQ(reader.text_attribute("more"), config);
  EXPECT_EQ(reader.text_attribute("nothing"), "");
  EXPECT_TRUE(reader.read_texts("none").empty());
}

TEST(Hdf5, RefusesWithAReason) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  const Hdf5Reader reader(dir / "a.h5");
  const struct {
    std::function<void()> action;
    std::string message;
  } cases[] = {
      {[&] { reader.read<int32_t>("x"); }, "has no array \"x\""},
      {[&] { reader.shape("x/y"); }, "has no array \"x/y\""},
      {[&] { reader.read<float>("features"); }, "\"features\": is not an array"},
      {[&] { reader.read<int64_t>("index"); }, "\"index\": does not hold 64-bit integers"},
      {[&] { reader.read<float>("index"); }, "\"index\": does not hold 32-bit floats"},
      {[&] { reader.read<char>("names"); }, "\"names\": does not hold bytes"},
      {[&] { reader.read_texts("index"); }, "\"index\": does not hold texts"},
      {[&] { reader.text_attribute("x"); }, "has no attribute \"x\""},
      {[&] { reader.text_attribute("version"); }, "\"version\": is not a text"},
      {[&] { reader.number_attribute("kind"); }, "\"kind\": is not a whole number"},
  };
  for (const auto& c : cases) EXPECT_EQ(error_of(c.action), dir / "a.h5: " + c.message);
  Hdf5Writer writer(dir / "b.h5");
  writer.write<float>("x", {});
  EXPECT_EQ(error_of([&] { writer.write<float>("x", {}); }),
            dir / "b.h5: x cannot be written: name already exists");
  EXPECT_EQ(error_of([&] { writer.write<float>("y", {}, {3}); }),
            dir / "b.h5: y: 0 values do not fill the shape");
  EXPECT_EQ(error_of([&] { Hdf5Writer(dir / "no/b.h5"); }),
            dir / "no/b.h5: cannot write: No such file or directory");
  EXPECT_EQ(error_of([&] { Hdf5Writer(dir / "a.h5", false); }), dir / "a.h5: exists already");
}

TEST(Hdf5, NothingAppearsWithoutCommit) {
  const TempDir dir;
  { Hdf5Writer(dir / "a.h5").write<float>("x", std::vector<float>{1}); }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Hdf5, FullDisk) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  const std::string before = content_of(dir / "a.h5");
  Rng rng(1);
  std::vector<int64_t> noise(100'000);
  for (int64_t& v : noise) v = int64_t(rng.next());
  EXPECT_EQ(testing::error_on_full_disk(100'000,
                                        [&] {
                                          Hdf5Writer writer(dir / "a.h5");
                                          writer.write<int64_t>("noise", noise);
                                          writer.commit();
                                        }),
            dir / "a.h5: cannot write: File too large; the older file is kept");
  EXPECT_EQ(content_of(dir / "a.h5"), before);
  EXPECT_FALSE(std::filesystem::exists(dir / "a.h5." + std::to_string(getpid()) + ".tmp"));
}

TEST(Hdf5, RefusesDamagedAndForeignFiles) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  const std::string whole = content_of(dir / "a.h5");
  const auto message = [&](const std::string& content) {
    std::filesystem::remove(dir / "b.h5");  // a new file is far cheaper than an overwritten one
    dir.file("b.h5", content);
    return error_of([&] { Hdf5Reader reader(dir / "b.h5"); });
  };
  EXPECT_EQ(message(whole), "");
  EXPECT_EQ(message(""), dir / "b.h5: is no HDF5 file that mgnn wrote");
  EXPECT_EQ(message("hello"), dir / "b.h5: is no HDF5 file that mgnn wrote");
  EXPECT_EQ(message(whole.substr(512)),
            dir /
                "b.h5: is an HDF5 file of another program; only those that mgnn wrote can be "
                "read");
  EXPECT_EQ(message(whole.substr(0, 600)),
            dir / "b.h5: is cut short: 600 bytes are left of " + std::to_string(whole.size()));
  EXPECT_EQ(message(whole + "x"), dir / "b.h5: is damaged: its checksum is wrong; write it again");
  for (size_t i = 0; i < whole.size(); i += 1 + whole.size() / 2000) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ (1 << i % 8));
    EXPECT_NE(message(damaged), "") << "byte " << i;
    EXPECT_NE(message(whole.substr(0, i)), "") << "cut to " << i;
  }
}

TEST(Hdf5, ManyThreads) {
  const TempDir dir;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; i++) {
        const std::string path = dir / std::to_string(t) + ".h5";
        write_sample(path);
        good += Hdf5Reader(path).read_texts("names").size() == 4;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

TEST(Hdf5, ReadByH5py) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  write_sample(dir / "a.h5");
  EXPECT_EQ(
      python_output("import h5py\n"
                    "f = h5py.File('" +
                    dir / "a.h5', 'r')\n"
                          "print(f.userblock_size, f.attrs['kind'].decode(), f.attrs['version'])\n"
                          "print(f['index'][()].tolist(), f['features/value'].shape,\n"
                          "      f['names'].asstr()[()].tolist())\n"),
      "512 graph 7\n[[1, -2, 3], [4, 5, 6]] (3, 100) ['a', '', 'Äther', 'a long name']\n");
}

}  // namespace
}  // namespace mgnn
