#include "mgnn/io/numpy.h"

#include <cmath>
#include <limits>

#include "mgnn/base/interrupt.h"
#include "tests/io/damage.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::python_output, testing::TempDir;
using testing::survive_damage;

std::string npy(const std::string& dict, const std::string& data, int version = 1) {
  std::string header = dict + "\n";
  std::string bytes("\x93NUMPY", 6);
  bytes += {char(version), '\0', char(header.size() & 0xFF), char(header.size() >> 8)};
  if (version > 1) bytes += {'\0', '\0'};
  return bytes + header + data;
}
std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}
template <class T>
std::string raw(std::vector<T> values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
template <class T>
void expect_round_trip(std::vector<T> values) {
  const NumpyArray array = numpy_array<T>(values, {int64_t(values.size())});
  const std::string bytes = npy_header(array) + std::string(array.bytes.begin(), array.bytes.end());
  const NumpyArray again = parse_npy(bytes, "x.npy");
  EXPECT_EQ(again.dtype, array.dtype);
  EXPECT_EQ(again.bytes, array.bytes);
  const Array<float> floats = again.floats("x");
  for (size_t i = 0; i < values.size(); i++) EXPECT_EQ(floats[i], float(values[i]));
  if constexpr (std::is_integral_v<T>) {
    const Array<int64_t> integers = again.integers("x");
    for (size_t i = 0; i < values.size(); i++) EXPECT_EQ(integers[i], int64_t(values[i]));
  }
}
template <class T>
void expect_extremes() {
  expect_round_trip<T>({T(0), T(1), std::numeric_limits<T>::lowest(),
                        sizeof(T) == 8 ? T(int64_t(1) << 62) : std::numeric_limits<T>::max()});
}

TEST(Numpy, EveryNumberTypeComesBack) {
  expect_extremes<int8_t>();
  expect_extremes<uint8_t>();
  expect_extremes<int16_t>();
  expect_extremes<uint16_t>();
  expect_extremes<int32_t>();
  expect_extremes<uint32_t>();
  expect_extremes<int64_t>();
  expect_extremes<uint64_t>();
  expect_round_trip<float>({0.f, -1.5f, 1e38f, INFINITY});
  expect_round_trip<double>({0., -1.5, 1e-300});
}

TEST(Numpy, BoolsAreZeroOrOne) {
  const NumpyArray array = parse_npy(npy("|b1", "(3,)", std::string("\0\x01\x05", 3)), "x");
  EXPECT_EQ(array.integers("x"), (Array<int64_t>{0, 1, 1}));
  EXPECT_EQ(array.floats("x"), (Array<float>{0, 1, 1}));
}

TEST(Numpy, HalfPrecision) {
  const NumpyArray array = parse_npy(
      npy("<f2", "(7,)", raw<uint16_t>({0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00, 0xFC00, 0x7E00})),
      "x");
  const Array<float> values = array.floats("x");
  const float known[] = {1.f, -2.f, 5.9604645e-8f, 65504.f, INFINITY, -INFINITY};
  for (size_t i = 0; i < 6; i++) EXPECT_EQ(values[i], known[i]);
  EXPECT_TRUE(std::isnan(values[6]));
}

TEST(Numpy, BigEndianIsTurnedAround) {
  const NumpyArray array =
      parse_npy(npy(">i4", "(2,)", std::string("\0\0\1\2\xFF\xFF\xFF\xFE", 8)), "x");
  EXPECT_EQ(array.dtype, "<i4");
  EXPECT_EQ(array.integers("x"), (Array<int64_t>{258, -2}));
}

TEST(Numpy, ColumnMajorIsReadInRowOrder) {
  const std::string header = "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }";
  const NumpyArray array = parse_npy(npy(header, raw<int32_t>({1, 4, 2, 5, 3, 6})), "x");
  EXPECT_EQ(array.integers("x"), (Array<int64_t>{1, 2, 3, 4, 5, 6}));
  const std::string cube = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2), }";
  EXPECT_EQ(parse_npy(npy(cube, raw<uint8_t>({0, 4, 2, 6, 1, 5, 3, 7})), "x").integers("x"),
            (Array<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Numpy, HeadersOfAllVersionsAndStyles) {
  for (int version : {1, 2, 3})
    EXPECT_EQ(parse_npy(npy("{\"shape\": (2L,), 'descr': \"<i2\", 'fortran_order':False}",
                            raw<int16_t>({7, -7}), version),
                        "x")
                  .integers("x"),
              (Array<int64_t>{7, -7}));
  EXPECT_EQ(parse_npy(npy("|u1", "()", "\x07"), "x").integers("x"), (Array<int64_t>{7}));
  EXPECT_EQ(parse_npy(npy("<f8", "(0, 5)", ""), "x").floats("x").size(), 0u);
}

TEST(Numpy, TextsAreUtf8) {
  const NumpyArray bytes = parse_npy(npy("|S3", "(3,)", std::string("ab\0\0\0\0xyz", 9)), "x");
  EXPECT_EQ(bytes.texts("x"), (std::vector<std::string>{"ab", "", "xyz"}));
  const std::vector<std::string> names = {"gene", "", "Äther €", "\xF0\x9F\x90\x88"};
  EXPECT_EQ(numpy_texts(names).dtype, "<U7");
  EXPECT_EQ(numpy_texts(names).texts("x"), names);
  const std::vector<std::string> broken = {"a", "\xFF\xFE", "\xC0\x80"};
  EXPECT_EQ(numpy_texts(broken).dtype, "|S2");
  EXPECT_EQ(numpy_texts(broken).texts("x"), broken);
  EXPECT_EQ(numpy_texts({}).texts("x").size(), 0u);
}

TEST(Numpy, RefusesWithAReason) {
  const struct {
    std::string bytes, message;
  } cases[] = {
      {"", "x.npy: is not a NumPy array: it does not begin like one"},
      {std::string("\x93NUMPY", 6), "x.npy: the NumPy array is cut short in its header"},
      {npy("<i4", "(2,)", "").substr(0, 9), "x.npy: the NumPy array is cut short in its header"},
      {npy("<i4", "(2,)", "").substr(0, 40), "x.npy: the NumPy array is cut short in its header"},
      {npy("{}", "", 9), "x.npy: is a NumPy array of version 9; versions 1 to 3 are known"},
      {npy("|O", "(2,)", "abc"), "x.npy: holds Python objects; save with allow_pickle=False"},
      {npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "abcd"),
       "x.npy: holds records with fields; save one plain array per field"},
      {npy("<c8", "(1,)", "abcdefgh"),
       "x.npy: has elements of type \"<c8\"; only bool, integers, floats of up to 64 bits and "
       "fixed-width strings can be read"},
      {npy("i4", "(1,)", "abcd"), "x.npy: the element type \"i4\" lacks its byte order"},
      {npy("<i4", "(2,)", "abcd"),
       "x.npy: holds 4 bytes of data, but its shape asks for 8; is it cut short?"},
      {npy("<i4", "(2,)", "abcdefghi"),
       "x.npy: holds 9 bytes of data, but its shape asks for 8; is it damaged?"},
      {npy("<i8", "(4611686018427387904, 4)", "abcd"),
       "x.npy: holds 4 bytes of data, but its shape asks for 9223372036854775807; is it cut "
       "short?"},
      {npy("<i4", "(-1,)", ""),
       "x.npy: the header of the NumPy array is broken near \"-1,), }\\x0a\""},
      {npy("<i4", "(99999999999999999999,)", ""),
       "x.npy: the header of the NumPy array is broken near \"99999999999999999999\""},
      {npy("{'descr': '<i4', 'shape': (1,)}", "abcd"),
       "x.npy: the header of the NumPy array is broken near \"\""},
      {npy("{'descr': '<i4', 'descr': '<i4', 'shape': (1,)}", "abcd"),
       "x.npy: the header of the NumPy array is broken near \" '<i4', 'shape': (1,\""},
      {npy("__import__('os').system('x')", ""),
       "x.npy: the header of the NumPy array is broken near \"__import__('os').sys\""},
  };
  for (const auto& c : cases) EXPECT_EQ(error_of([&] { parse_npy(c.bytes, "x.npy"); }), c.message);
  std::string ones = "(";
  for (int i = 0; i < 33; i++) ones += "1,";
  EXPECT_EQ(error_of([&] { parse_npy(npy("|u1", ones + ")", "a"), "x.npy"); }),
            "x.npy: has more than 32 dimensions");
}

TEST(Numpy, RefusesConversionsThatDoNotFit) {
  const NumpyArray floats = numpy_array<double>(std::vector<double>{1, 1e300}, {2});
  EXPECT_EQ(error_of([&] { floats.integers("x"); }),
            "x: whole numbers are needed, but it holds <f8");
  EXPECT_EQ(error_of([&] { floats.floats("x"); }), "x: element 1 is 1e+300, which is too large");
  EXPECT_EQ(error_of([&] { floats.texts("x"); }), "x: texts are needed, but it holds <f8");
  const NumpyArray large = numpy_array<uint64_t>(std::vector<uint64_t>{uint64_t(1) << 63}, {1});
  EXPECT_EQ(error_of([&] { large.integers("x"); }),
            "x: element 0 is 9223372036854775808, which is too large");
  EXPECT_EQ(error_of([&] { numpy_texts(std::vector<std::string>{"a"}).floats("x"); }),
            "x: numbers are needed, but it holds <U1");
  const NumpyArray text = parse_npy(npy("<U1", "(1,)", raw<uint32_t>({0xD800})), "x");
  EXPECT_EQ(error_of([&] { text.texts("x"); }),
            "x: text 0 has the character 0xd800, which does not exist");
  EXPECT_EQ(error_of([&] {
              numpy_array<float>(std::vector<float>{1, 2}, {3});
            }),
            "an array of 2 elements cannot have a shape of 3");
}

NumpyArchive small_archive() {
  NumpyArchive arrays;
  arrays["numbers"] = numpy_array<int32_t>(std::vector<int32_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  arrays["texts"] = numpy_texts(std::vector<std::string>{"a", "Äther"});
  arrays["scalar"] = numpy_array<double>(std::vector<double>{0.5}, {});
  arrays["empty"] = numpy_array<float>({}, {0, 4});
  return arrays;
}

TEST(Npz, ComesBackAndIsTheSameEveryTime) {
  const TempDir dir;
  write_npz(dir / "a.npz", small_archive());
  const NumpyArchive again = read_npz(dir / "a.npz");
  ASSERT_EQ(again.size(), 4u);
  for (const auto& [name, array] : small_archive()) {
    EXPECT_EQ(again.at(name).dtype, array.dtype) << name;
    EXPECT_EQ(again.at(name).shape, array.shape) << name;
    EXPECT_EQ(again.at(name).bytes, array.bytes) << name;
  }
  write_npz(dir / "b.npz", small_archive());
  EXPECT_EQ(content_of(dir / "a.npz"), content_of(dir / "b.npz"));
  EXPECT_EQ(error_of([&] { write_npz(dir / "a.npz", {}, false); }), dir / "a.npz: exists already");
  EXPECT_EQ(error_of([&] { write_npz(dir / "none/a.npz", {}); }),
            dir / "none/a.npz: cannot write: No such file or directory");
}

TEST(Npz, FullDisk) {
  const TempDir dir;
  Rng rng(1);
  std::vector<int64_t> noise(100'000);
  for (int64_t& v : noise) v = int64_t(rng.next());
  const NumpyArray array = numpy_array<int64_t>(noise, {100'000});
  EXPECT_EQ(testing::error_on_full_disk(50'000,
                                        [&] {
                                          write_npz(dir / "a.npz", {{"x", array}});
                                        }),
            dir / "a.npz: cannot write: File too large");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Npz, InterruptedWritingLeavesNothing) {
  const TempDir dir;
  set_interrupted(true);
  EXPECT_NE(error_of([&] { write_npz(dir / "a.npz", small_archive()); }), "");
  set_interrupted(false);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Npz, ReadByNumpy) {
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  write_npz(dir / "a.npz", small_archive());
  write_npy(dir / "a.npy", small_archive()["numbers"]);
  EXPECT_EQ(
      python_output("import numpy\n"
                    "with numpy.load('" +
                    dir / "a.npz" +
                    "') as z:\n"
                    "  print([(k, z[k].dtype.str, z[k].shape, z[k].tolist()) for k in sorted(z)])\n"
                    "print(numpy.load('" +
                    dir / "a.npy" + "').tolist())\n"),
      "[('empty', '<f4', (0, 4), []), ('numbers', '<i4', (2, 3), [[1, 2, 3], [4, 5, 6]]), "
      "('scalar', '<f8', (), 0.5), ('texts', '<U5', (2,), ['a', 'Äther'])]\n"
      "[[1, 2, 3], [4, 5, 6]]\n");
}

TEST(Npz, WrittenByNumpy) {
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  python_output(
      "import numpy as n\n"
      "d = dict(f=n.asfortranarray(n.arange(6.).reshape(2, 3)), b=n.array([True, False]),\n"
      "         h=n.float16([0.5, -3]), big=n.array([1, 2], '>u2'), s=n.array('x'),\n"
      "         t=n.array([b'ab', b'c']), z=n.zeros((0, 2), int))\n"
      "n.savez('" +
      dir /
          "stored.npz', **d)\n"
          "n.savez_compressed('" +
      dir /
          "deflated.npz', **d)\n"
          "n.save('" +
      dir / "object.npy', n.array([{}], object))\n");
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    NumpyArchive arrays = read_npz(dir / name);
    EXPECT_EQ(arrays.size(), 7u);
    EXPECT_EQ(arrays["f"].floats("f"), (Array<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(arrays["b"].integers("b"), (Array<int64_t>{1, 0}));
    EXPECT_EQ(arrays["h"].floats("h"), (Array<float>{0.5, -3}));
    EXPECT_EQ(arrays["big"].integers("big"), (Array<int64_t>{1, 2}));
    EXPECT_EQ(arrays["s"].texts("s"), (std::vector<std::string>{"x"}));
    EXPECT_EQ(arrays["t"].texts("t"), (std::vector<std::string>{"ab", "c"}));
    EXPECT_EQ(arrays["z"].shape, (std::vector<int64_t>{0, 2}));
  }
  EXPECT_EQ(error_of([&] { read_npy(dir / "object.npy"); }),
            dir / "object.npy: holds Python objects; save with allow_pickle=False");
}

TEST(Npz, RefusesOddArchives) {
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  python_output(
      "import zipfile, numpy, io, warnings\n"
      "warnings.simplefilter('ignore')\n"
      "b = io.BytesIO(); numpy.save(b, numpy.arange(3)); b = b.getvalue()\n"
      "def z(name, members, **options):\n"
      "  with zipfile.ZipFile('" +
      dir.path() +
      "/' + name, 'w', **options) as f:\n"
      "    for m, data in members: f.writestr(m, data)\n"
      "z('text.npz', [('a.txt', b)])\n"
      "z('twice.npz', [('a.npy', b), ('a.npy', b)])\n"
      "z('bz2.npz', [('a.npy', b)], compression=zipfile.ZIP_BZIP2)\n"
      "z('ok.npz', [('a.npy', b)], compression=zipfile.ZIP_DEFLATED)\n"
      "z('bomb.npz', [('a.npy', bytes(1 << 20))], compression=zipfile.ZIP_DEFLATED)\n");
  const auto message = [&](const std::string& name) {
    return error_of([&] { read_npz(dir / name); });
  };
  EXPECT_EQ(message("ok.npz"), "");
  EXPECT_EQ(message("text.npz"),
            dir / "text.npz: contains \"a.txt\", which is not a NumPy array (.npy)");
  EXPECT_EQ(message("twice.npz"), dir / "twice.npz: \"a\" is there twice");
  EXPECT_EQ(message("bz2.npz"), dir /
                                    "bz2.npz: \"a\": is packed in an unusual way (\"ZIP 4.6 "
                                    "(bzip)\"); save it with numpy.savez_compressed");
  EXPECT_EQ(message("bomb.npz"),
            dir / "bomb.npz: \"a\": is not a NumPy array: it does not begin like one");

  std::string lies = content_of(dir / "ok.npz");      // sizes stand at byte 22 and, again,
  const size_t directory = lies.rfind("PK\x01\x02");  // at byte 24 of the directory's entry
  lies.replace(22, 4, std::string("\xFF\xFF\xFF\x7F", 4));
  lies.replace(directory + 24, 4, std::string("\xFF\xFF\xFF\x7F", 4));
  EXPECT_EQ(error_of([&] { parse_npz(lies, "x.npz"); }),
            "x.npz: \"a\": claims to unpack to more than the archive can hold");
}

TEST(Npz, RefusesWhatIsNoZip) {
  EXPECT_EQ(error_of([] { parse_npz("", "x.npz"); }),
            "x.npz: is not an .npz file (a zip archive of NumPy arrays)");
  EXPECT_EQ(error_of([] { read_npz("/nowhere/x.npz"); }),
            "/nowhere/x.npz: cannot open: No such file or directory");
}

TEST(Numpy, SurvivesDamage) {
  survive_damage(npy("<U2", "(2, 1)", raw<uint32_t>({65, 66, 67, 0})),
                 [](const std::string& bytes) {
                   const NumpyArray array = parse_npy(bytes, "x");
                   if (array.is_text()) array.texts("x");
                   if (array.is_integer()) array.integers("x");
                 });
}

TEST(Npz, SurvivesDamage) {
  const TempDir dir;
  write_npz(dir / "a.npz", small_archive());
  survive_damage(content_of(dir / "a.npz"),
                 [](const std::string& bytes) { parse_npz(bytes, "x"); });
}

TEST(Npz, RealSplitFiles) {
  MGNN_NEEDS_DATA();
  const NumpyArchive arrays =
      read_npz(testing::data_dir() + "/planetoid/Cora/geom_splits/cora_split_0.6_0.2_0.npz");
  for (const char* name : {"train_mask", "val_mask", "test_mask"})
    EXPECT_EQ(arrays.at(name).integers(name).size(), 2708u) << name;
  const NumpyArchive cornell =
      read_npz(testing::data_dir() + "/geom-gcn/cornell/cornell_platonov.npz");
  EXPECT_EQ(cornell.at("node_features").shape, (std::vector<int64_t>{183, 1703}));
}

}  // namespace
}  // namespace mgnn
