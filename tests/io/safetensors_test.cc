#include "mgnn/io/safetensors.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/io/damage.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::python_output, testing::TempDir;

// A file as the public format describes it, with no help from our writer.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int i = 0; i < 8; i++) bytes += char(uint64_t(header.size()) >> 8 * i & 0xFF);
  return bytes + header + data;
}
template <class T>
std::string raw(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string bytes_of(const SafeTensor& tensor) {
  return std::visit(
      [](const auto& values) {
        return std::string(reinterpret_cast<const char*>(values.data()),
                           values.size() * sizeof(values[0]));
      },
      tensor.data);
}
// To the bit, since numbers may be NaN.
void expect_same(const SafeTensors& a, const SafeTensors& b) {
  EXPECT_EQ(a.metadata, b.metadata);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (size_t i = 0; i < a.tensors.size(); i++) {
    EXPECT_EQ(a.tensors[i].name, b.tensors[i].name);
    EXPECT_EQ(a.tensors[i].shape, b.tensors[i].shape);
    EXPECT_EQ(a.tensors[i].data.index(), b.tensors[i].data.index());
    EXPECT_EQ(bytes_of(a.tensors[i]), bytes_of(b.tensors[i]));
  }
}

template <class T>
Array<T> random_array(int64_t size, Rng& rng) {
  Array<T> values(static_cast<size_t>(size));
  for (T& value : values) {
    const uint64_t bits = rng.next();
    std::memcpy(&value, &bits, sizeof(T));
  }
  return values;
}

SafeTensor random_tensor(const std::string& name, Rng& rng) {
  SafeTensor tensor{name, {}, {}};
  int64_t size = 1;
  for (uint64_t d = rng.next() % 4; d > 0; d--) {
    tensor.shape.push_back(int64_t(rng.next() % 5));
    size *= tensor.shape.back();
  }
  switch (rng.next() % 5) {
    case 0:
      tensor.data = random_array<float>(size, rng);
      break;
    case 1:
      tensor.data = random_array<double>(size, rng);
      break;
    case 2:
      tensor.data = random_array<int32_t>(size, rng);
      break;
    case 3:
      tensor.data = random_array<int64_t>(size, rng);
      break;
    default:
      tensor.data = random_array<uint8_t>(size, rng);
  }
  return tensor;
}

SafeTensors small() {
  SafeTensors content;
  content.tensors = {{"bytes", {3}, Array<uint8_t>{1, 2, 3}},
                     {"weight", {2, 2}, Array<float>{1.5f, -2.f, INFINITY, 0.f}},
                     {"step", {}, Array<int64_t>{-7}},
                     {"none", {0, 4}, Array<double>{}}};
  content.metadata = {{"model", "mgnn"}, {"Größe", "\"16\"\n"}};
  return content;
}

TEST(SafeTensors, RandomTensorsComeBack) {
  const TempDir dir;
  for (uint64_t seed = 0; seed < 60; seed++) {
    Rng rng(seed);
    SafeTensors content;
    for (uint64_t i = rng.next() % 6; i > 0; i--)
      content.tensors.push_back(random_tensor(fmt::format("layer {}.\"Ä\\\n", i), rng));
    for (uint64_t i = rng.next() % 3; i > 0; i--)
      content.metadata[fmt::format("key\"mgnn.sha256 {}", i)] = std::to_string(rng.next());
    write_safetensors(dir / "a", content);
    const SafeTensors again = read_safetensors(dir / "a");
    expect_same(content, again);
    const std::string bytes = content_of(dir / "a");
    write_safetensors(dir / "a", again);
    EXPECT_EQ(content_of(dir / "a"), bytes);
  }
}

TEST(SafeTensors, FindsByName) {
  const SafeTensors content = small();
  EXPECT_EQ(content.find("step"), &content.tensors[2]);
  EXPECT_EQ(content.find("stop"), nullptr);
}

TEST(SafeTensors, HandmadeFile) {
  const std::string header =
      "{\"__metadata__\": {\"format\": \"pt\"},\n \"b\": {\"shape\": [2], \"data_offsets\": "
      "[12, 20], \"dtype\": \"I32\"}, " +
      entry("a", "F32", "[3,1]", "[0,12]") + "}   ";
  const SafeTensors content =
      parse_safetensors(file_of(header, raw<float>({1, 2, NAN}) + raw<int32_t>({-1, 9})), "x");
  ASSERT_EQ(content.tensors.size(), 2u);
  EXPECT_EQ(content.metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
  EXPECT_EQ(content.tensors[0].name, "b");
  EXPECT_EQ(std::get<Array<int32_t>>(content.tensors[0].data), (Array<int32_t>{-1, 9}));
  EXPECT_EQ(content.tensors[1].shape, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(std::get<Array<float>>(content.tensors[1].data)[1], 2.f);
  EXPECT_TRUE(std::isnan(std::get<Array<float>>(content.tensors[1].data)[2]));
  EXPECT_TRUE(parse_safetensors(file_of("{}", ""), "x").tensors.empty());
}

TEST(SafeTensors, ShortFloatsAndBools) {
  const std::string header = "{" + entry("h", "F16", "[3]", "[0,6]") + "," +
                             entry("b", "BF16", "[3]", "[6,12]") + "," +
                             entry("t", "BOOL", "[2]", "[12,14]") + "}";
  const SafeTensors content = parse_safetensors(
      file_of(header, raw<uint16_t>({0x3C00, 0xC000, 0x0001}) +
                          raw<uint16_t>({0x3F80, 0xC040, 0xFF80}) + raw<uint8_t>({1, 0})),
      "x");
  EXPECT_EQ(std::get<Array<float>>(content.find("h")->data), (Array<float>{1, -2, 5.9604645e-8f}));
  EXPECT_EQ(std::get<Array<float>>(content.find("b")->data), (Array<float>{1, -3, -INFINITY}));
  EXPECT_EQ(std::get<Array<uint8_t>>(content.find("t")->data), (Array<uint8_t>{1, 0}));
}

TEST(SafeTensors, RefusesWithAReason) {
  const std::string four(4, '\0');
  const std::string most = std::to_string(std::numeric_limits<uint64_t>::max());
  const std::string header = "x: the header of the safetensors file ";
  const struct {
    std::string bytes, message;
  } cases[] = {
      {"", "x: is not a safetensors file: it is shorter than 8 bytes"},
      {"MATLAB 5.0 MAT-file",
       "x: is not a safetensors file: its header would have 3828132531485819213 bytes, and "
       "100000000 "
       "are allowed"},
      {raw<uint64_t>({100'000'001}) + "{}",
       "x: is not a safetensors file: its header would have 100000001 bytes, and 100000000 are "
       "allowed"},
      {raw<uint64_t>({100'000'000}) + "{}",
       "x: its header has 100000000 bytes, but only 2 are there; is it cut short?"},
      {file_of("", ""), "x: is not a safetensors file: its header does not begin with {"},
      {file_of("[]", ""), "x: is not a safetensors file: its header does not begin with {"},
      {file_of("{\"a\"", ""), header + "is not valid JSON near its byte 5"},
      {file_of("{} {}", ""), header + "is not valid JSON near its byte 4"},
      {file_of(std::string("{}\0{", 4), ""), header + "is not valid JSON near its byte 3"},
      {file_of("{\"\xFF\":1}", ""), header + "is not valid JSON near its byte 3"},
      {file_of("{\"a\\u0000b\":{}}", ""), header + "has a NUL in \"a\\x00b\""},
      {file_of("{\"a\":1}", ""), header + "has an unexpected value for \"a\""},
      {file_of("{\"a\":{\"dtype\":null}}", ""),
       header + "has an unexpected value for \"dtype\" of \"a\""},
      {file_of("{\"a\":{\"colour\":\"F32\"}}", ""),
       header + "has an unexpected value for \"colour\" of \"a\""},
      {file_of("{\"__metadata__\":{\"a\":1}}", ""),
       header + "has an unexpected value for \"a\" of \"__metadata__\""},
      {file_of("{\"__metadata__\":{\"a\":\"1\",\"a\":\"1\"}}", ""), header + "has \"a\" twice"},
      {file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", ""),
       "x: tensor \"a\": the header lacks its dtype, shape or data_offsets"},
      {file_of("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", ""),
       header + "has an unexpected value for \"dtype\" of \"a\""},
      {file_of("{" + entry("a", "F32", "[-1]", "[0,4]") + "}", four),
       header + "has an unexpected value for \"shape\" of \"a\""},
      {file_of("{" + entry("a", "F32", "[1.0]", "[0,4]") + "}", four),
       header + "has an unexpected value for \"shape\" of \"a\""},
      {file_of("{" + entry("a", "F32", "[" + most + "]", "[0,4]") + "}", four),
       header + "has an unexpected value for \"shape\" of \"a\""},
      {file_of("{" + entry("a", "F32", "[1]", "[0]") + "}", four),
       header + "has an unexpected value for \"data_offsets\" of \"a\""},
      {file_of("{" + entry("a", "F32", "[1]", "[0,4,4]") + "}", four),
       header + "has an unexpected value for \"data_offsets\" of \"a\""},
      {file_of(
           "{" + entry("a", "F32", "[1]", "[0,4]") + "," + entry("a", "F32", "[1]", "[0,4]") + "}",
           four),
       header + "has \"a\" twice"},
      {file_of("{" + entry("a", "C64", "[1]", "[0,4]") + "}", four),
       "x: tensor \"a\": has elements of type \"C64\"; F16, BF16, F32, F64, I32, I64, U8 and BOOL "
       "can be read"},
      {file_of("{" + entry("a", "F32", "[1]", "[4,0]") + "}", four),
       "x: tensor \"a\": ends at byte 0, before it begins at 4"},
      {file_of("{" + entry("a", "F32", "[1]", "[0,8]") + "}", four),
       "x: tensor \"a\": ends at byte 8, but there are only 4 bytes of data; is the file cut "
       "short?"},
      {file_of("{" + entry("a", "U8", "[4]", "[0," + most + "]") + "}", four),
       "x: tensor \"a\": ends at byte 18446744073709551615, but there are only 4 bytes of data; is "
       "the file cut short?"},
      {file_of("{" + entry("a", "F32", "[2]", "[0,4]") + "}", four),
       "x: tensor \"a\": has 4 bytes of data, but its shape asks for 8"},
      {file_of("{" + entry("a", "F32", "[4294967296,4294967296]", "[0,0]") + "}", ""),
       "x: tensor \"a\": has 0 bytes of data, but its shape asks for 9223372036854775807"},
      {file_of(
           "{" + entry("a", "U8", "[3]", "[0,3]") + "," + entry("b", "U8", "[2]", "[2,4]") + "}",
           four),
       "x: tensor \"b\": begins at byte 2, but the one before it ends at 3"},
      {file_of(
           "{" + entry("b", "U8", "[2]", "[2,4]") + "," + entry("a", "U8", "[1]", "[0,1]") + "}",
           four),
       "x: tensor \"b\": begins at byte 2, but the one before it ends at 1"},
      {file_of("{" + entry("a", "U8", "[3]", "[0,3]") + "}", four),
       "x: has 4 bytes of data, but its tensors end at byte 3; is it damaged?"},
      {file_of("{\"__metadata__\":{\"mgnn.sha256:a\":\"0\"}}", ""),
       "x: has checksums of tensors but none of its header: the file is damaged, or another "
       "program kept the metadata mgnn.sha256*; use another copy, or save it without them"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(error_of([&] { parse_safetensors(c.bytes, "x"); }), c.message);
}

TEST(SafeTensors, RefusesDeepAndWideHeaders) {
  const std::string deep(1'000'000, '[');
  EXPECT_NE(error_of([&] { parse_safetensors(file_of("{\"a\":" + deep, ""), "x"); }), "");
  std::string objects;
  for (int i = 0; i < 100'000; i++) objects += "{\"a\":";
  EXPECT_NE(error_of([&] { parse_safetensors(file_of(objects, ""), "x"); }), "");
  std::string ones = "[1";
  for (int i = 0; i < 64; i++) ones += ",1";
  EXPECT_EQ(error_of([&] {
              parse_safetensors(file_of("{" + entry("a", "U8", ones + "]", "[0,1]") + "}", "a"),
                                "x");
            }),
            "x: tensor \"a\": has more than 64 dimensions");
}

void expect_every_damage_refused(const SafeTensors& content) {
  const TempDir dir;
  write_safetensors(dir / "a", content);
  const std::string whole = content_of(dir / "a");
  ASSERT_NO_THROW(parse_safetensors(whole, "x"));
  for (size_t length = 0; length < whole.size(); length++)
    EXPECT_NE(error_of([&] { parse_safetensors(whole.substr(0, length), "x"); }), "") << length;
  EXPECT_NE(error_of([&] { parse_safetensors(whole + '\0', "x"); }), "");
  for (size_t place = 0; place < whole.size(); place++)
    for (const int flip :
         {1, 2, 4, 8, 16, 32, 64, 128, 255, int(whole[place]), whole[place] ^ ' '}) {
      std::string damaged = whole;
      damaged[place] = char(whole[place] ^ flip);
      if (damaged == whole) continue;
      EXPECT_TRUE(error_of([&] { parse_safetensors(damaged, "x"); }).starts_with("x: "))
          << "byte " << place << " with " << flip;
    }
}

TEST(SafeTensors, EveryDamagedByteIsRefused) {
  expect_every_damage_refused(small());
  expect_every_damage_refused({});
  expect_every_damage_refused({{}, {{"only", "text"}}});
}

TEST(SafeTensors, BrokenChecksumsNameTheTensor) {
  const TempDir dir;
  write_safetensors(dir / "a", small());
  std::string bytes = content_of(dir / "a");
  bytes.back() ^= 1;  // bytes are last, being narrow
  EXPECT_EQ(error_of([&] { parse_safetensors(bytes, "x"); }),
            "x: tensor \"bytes\": its data do not match their checksum: the file is damaged; use "
            "another copy");
  bytes.back() ^= 1;
  bytes[bytes.find("weight")] = 'v';
  EXPECT_EQ(error_of([&] { parse_safetensors(bytes, "x"); }),
            "x: its header does not match its checksum: the file is damaged or was changed; use "
            "another copy");
}

TEST(SafeTensors, RefusesToWriteWhatCannotBeRead) {
  const TempDir dir;
  const std::string path = dir.file("a", "old");
  const auto error = [&](SafeTensors content) {
    return error_of([&] { write_safetensors(path, content); });
  };
  const Array<uint8_t> two = {1, 2};
  EXPECT_EQ(error({{{"a", {3}, two}}, {}}),
            path + ": tensor \"a\": has 2 elements, which its shape (3) does not fit");
  EXPECT_EQ(error({{{"a", {-1, -2}, two}}, {}}),
            path + ": tensor \"a\": has 2 elements, which its shape (-1, -2) does not fit");
  EXPECT_EQ(error({{{"a", {2}, two}, {"a", {2}, two}}, {}}),
            path + ": tensor \"a\": the name is taken already");
  EXPECT_EQ(error({{{"__metadata__", {2}, two}}, {}}),
            path + ": tensor \"__metadata__\": the name is taken already");
  EXPECT_EQ(error({{}, {{"a", "\xFF"}}}),
            path +
                ": the text \"\\xff\" is not UTF-8 or has a NUL, which safetensors files cannot "
                "hold");
  EXPECT_EQ(error({{{std::string("a\0", 2), {2}, two}}, {}}),
            path +
                ": the text \"a\\x00\" is not UTF-8 or has a NUL, which safetensors files "
                "cannot hold");
  EXPECT_EQ(error({{}, {{"mgnn.sha256:a", ""}}}),
            path + ": the metadata key \"mgnn.sha256:a\" is reserved for checksums");
  EXPECT_EQ(error({{}, {{"a", std::string(100'000'000, 'a')}}}),
            path + ": names and metadata take more than the 100000000 bytes that are allowed");
  EXPECT_EQ(error_of([&] { write_safetensors(path, {}, false); }), path + ": exists already");
  EXPECT_EQ(content_of(path), "old");
}

TEST(SafeTensors, FullDiskKeepsTheOlderFile) {
  const TempDir dir;
  const std::string path = dir / "a";
  write_safetensors(path, small());
  for (const int64_t size : {1'000, 1'000'000}) {  // found out at the end, or while writing
    const SafeTensors large{{{"w", {size}, Array<double>(size_t(size), 1.)}}, {}};
    EXPECT_EQ(testing::error_on_full_disk(2'000, [&] { write_safetensors(path, large); }),
              path + ": cannot write: File too large; the older file is kept");
    expect_same(read_safetensors(path), small());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
  }
}

TEST(SafeTensors, ReadOnlyFolderKeepsTheOlderFile) {
  const TempDir dir;
  const std::string path = dir / "a";
  write_safetensors(path, small());
  const auto error =
      testing::error_in_read_only_folder(dir.path(), [&] { write_safetensors(path, {}); });
  if (!error) GTEST_SKIP() << "root here cannot act as another user";
  EXPECT_EQ(*error, path + ": cannot write: Permission denied; the older file is kept");
  expect_same(read_safetensors(path), small());
}

// What the public reader asks of a file: plain JSON, offsets that cover the data without gaps,
// strings in the metadata, 8-byte alignment; and our checksums as the header describes them.
constexpr const char* kPublicReader = R"(
import hashlib, json, struct
def pairs(items):
    assert len(dict(items)) == len(items)
    return dict(items)
raw = open(PATH, 'rb').read()
n, = struct.unpack('<Q', raw[:8])
text, data = raw[8:8 + n], raw[8 + n:]
assert n % 8 == 0 and text[:1] == b'{' and text.rstrip(b' ')[-1:] == b'}'
header = json.loads(text.decode('utf-8'), object_pairs_hook=pairs)
meta = header.pop('__metadata__')
assert all(type(v) is str for v in meta.values())
size = dict(F32=4, F64=8, I32=4, I64=8, U8=1)
end = 0
for name, t in sorted(header.items(), key=lambda item: item[1]['data_offsets']):
    assert set(t) == {'dtype', 'shape', 'data_offsets'}
    begin, stop = t['data_offsets']
    count = 1
    for length in t['shape']: count *= length
    assert begin == end and stop - begin == count * size[t['dtype']]
    assert begin % size[t['dtype']] == 0
    assert meta['mgnn.sha256:' + name] == hashlib.sha256(data[begin:stop]).hexdigest()
    end = stop
assert end == len(data)
own = meta['mgnn.sha256']
blank = text.replace(own.encode(), b'0' * 64, 1)
assert own == hashlib.sha256(blank).hexdigest()
code = dict(F32='f', F64='d', I32='i', I64='q', U8='B')
for name, t in header.items():
    begin, stop = t['data_offsets']
    values = struct.unpack('<%d%s' % ((stop - begin) // size[t['dtype']], code[t['dtype']]), data[begin:stop])
    print(name, t['dtype'], t['shape'], list(values))
print({k: v for k, v in meta.items() if not k.startswith('mgnn.sha256')})
)";

TEST(SafeTensors, ReadByPython) {
  MGNN_NEEDS_PYTHON("json");
  const TempDir dir;
  write_safetensors(dir / "a", small());
  EXPECT_EQ(python_output("PATH = '" + dir / "a" + "'\n" + kPublicReader),
            "bytes U8 [3] [1, 2, 3]\n"
            "weight F32 [2, 2] [1.5, -2.0, inf, 0.0]\n"
            "step I64 [] [-7]\n"
            "none F64 [0, 4] []\n"
            "{'Größe': '\"16\"\\n', 'model': 'mgnn'}\n");
}

TEST(SafeTensors, ReadByItsOwnLibrary) {
  MGNN_NEEDS_PYTHON("safetensors");
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  write_safetensors(dir / "a", small());
  EXPECT_EQ(python_output("from safetensors.numpy import load_file, save_file\n"
                          "t = load_file('" +
                          dir / "a" +
                          "')\n"
                          "print({k: t[k].tolist() for k in sorted(t)})\n"
                          "save_file(t, '" +
                          dir / "b" + "')\n"),
            "{'bytes': [1, 2, 3], 'none': [], 'step': -7, 'weight': [[1.5, -2.0], [inf, 0.0]]}\n");
  const SafeTensors again = read_safetensors(dir / "b");
  for (const SafeTensor& tensor : small().tensors)
    EXPECT_EQ(bytes_of(*again.find(tensor.name)), bytes_of(tensor));
}

}  // namespace
}  // namespace mgnn
