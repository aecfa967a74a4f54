#include "mgnn/io/hdf5.h"

#include <thread>

#include "mgnn/base/interrupt.h"
#include "tests/io/damage.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::python_output, testing::TempDir;

// What h5py prints: `script` with f the file at `path`.
std::string h5py_output(const std::string& path, const std::string& script) {
  return python_output("import h5py, numpy\nf = h5py.File('" + path + "', 'r')\n" + script);
}

template <class T>
void write_values(const std::string& path, const std::vector<T>& values,
                  std::vector<int64_t> shape = {}) {
  Hdf5Writer writer(path);
  writer.write<T>("group/values", values, std::move(shape));
  writer.commit();
}

// Everything a file can have.
void write_sample(const std::string& path) {
  Hdf5Writer writer(path);
  writer.write<int32_t>("index", std::vector<int32_t>{1, -2, 3, 4, 5, 6}, {2, 3});
  writer.write<float>("features/value", std::vector<float>(300, 0.5f), {3, 100});
  writer.write<int64_t>("empty", {}, {0, 4});
  writer.write("names", {"a", "", "Äther", "a long name"});
  writer.write("none", {});
  writer.attribute("kind", "graph");
  writer.attribute("nothing", "");
  writer.attribute("version", 7);
  writer.commit();
}

TEST(Hdf5, ReadByH5py) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  write_sample(dir / "a.h5");
  EXPECT_EQ(h5py_output(dir / "a.h5",
                        "print(f.attrs['kind'].decode(), f.attrs['nothing'], f.attrs['version'])\n"
                        "print(f['index'][()].tolist(), f['features/value'].shape,\n"
                        "      numpy.unique(f['features/value']), f['empty'].shape,\n"
                        "      f['names'].asstr()[()].tolist(), f['none'].shape)\n"),
            "graph b'' 7\n[[1, -2, 3], [4, 5, 6]] (3, 100) [0.5] (0, 4) ['a', '', 'Äther', 'a long "
            "name'] (0,)\n");
}

TEST(Hdf5, EveryType) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  const std::string show = "v = f['group/values'][()]\nprint(v.dtype, v.tolist())\n";
  write_values<int32_t>(dir / "a.h5", {INT32_MIN, 0, INT32_MAX});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "int32 [-2147483648, 0, 2147483647]\n");
  write_values<int64_t>(dir / "a.h5", {INT64_MIN, 0, INT64_MAX});
  EXPECT_EQ(h5py_output(dir / "a.h5", show),
            "int64 [-9223372036854775808, 0, 9223372036854775807]\n");
  write_values<uint64_t>(dir / "a.h5", {0, UINT64_MAX});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "uint64 [0, 18446744073709551615]\n");
  write_values<float>(dir / "a.h5", {0.f, -1.5f});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "float32 [0.0, -1.5]\n");
  write_values<double>(dir / "a.h5", {-1.5, 1e-300});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "float64 [-1.5, 1e-300]\n");
  write_values<uint8_t>(dir / "a.h5", {0, 255});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "uint8 [0, 255]\n");
  write_values<char>(dir / "a.h5", {'a', '\xFF'});
  EXPECT_EQ(h5py_output(dir / "a.h5", show), "uint8 [97, 255]\n");
}

TEST(Hdf5, ManyChunks) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  std::vector<int64_t> values(1'200'003);
  for (size_t i = 0; i < values.size(); i++) values[i] = int64_t(i * i);
  write_values(dir / "a.h5", values);
  EXPECT_EQ(h5py_output(dir / "a.h5",
                        "v = f['group/values'][()]\n"
                        "print(v.shape, (v == numpy.arange(len(v)) ** 2).all())\n"),
            "(1200003,) True\n");
  std::vector<float> wide(3 * 70'000);
  for (size_t i = 0; i < wide.size(); i++) wide[i] = float(i);
  write_values(dir / "b.h5", wide, {3, 70'000});
  EXPECT_EQ(h5py_output(dir / "b.h5",
                        "v = f['group/values'][()]\n"
                        "print(v.shape, (v.ravel() == numpy.arange(210000)).all())\n"),
            "(3, 70000) True\n");
}

TEST(Hdf5, InterruptedWritingLeavesNothing) {
  const TempDir dir;
  const std::vector<int32_t> values(1000, 7);
  set_interrupted(true);
  EXPECT_EQ(error_of([&] { write_values(dir / "a.h5", values); }), "interrupted");
  set_interrupted(false);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Hdf5, SameContentSameBytes) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  write_sample(dir / "b.h5");
  EXPECT_EQ(content_of(dir / "a.h5"), content_of(dir / "b.h5"));
}

TEST(Hdf5, RefusesWithAReason) {
  const TempDir dir;
  write_sample(dir / "a.h5");
  Hdf5Writer writer(dir / "b.h5");
  writer.write<float>("x", {});
  EXPECT_EQ(error_of([&] { writer.write<float>("x", {}); }),
            dir / "b.h5: x cannot be written: name already exists");
  EXPECT_EQ(error_of([&] { writer.write<float>("y", {}, {3}); }),
            dir / "b.h5: y: 0 values do not fill the shape");
  EXPECT_EQ(error_of([&] { writer.attribute("long", std::string(60'000, 'c')); }),
            dir / "b.h5: long: an attribute has up to 60000 bytes; write longer texts as an array");
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
  EXPECT_EQ(testing::error_on_full_disk(100'000, [&] { write_values(dir / "a.h5", noise); }),
            dir / "a.h5: cannot write: File too large; the older file is kept");
  EXPECT_EQ(content_of(dir / "a.h5"), before);
  EXPECT_FALSE(std::filesystem::exists(dir / "a.h5." + std::to_string(getpid()) + ".tmp"));
}

TEST(Hdf5, ManyThreads) {
  const TempDir dir;
  write_sample(dir / "whole.h5");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; i++) write_sample(dir / std::to_string(t) + ".h5");
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; t++)
    EXPECT_EQ(content_of(dir / std::to_string(t) + ".h5"), content_of(dir / "whole.h5"));
}

}  // namespace
}  // namespace mgnn
