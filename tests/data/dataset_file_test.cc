#include "mgnn/data/dataset_file.h"

#include "mgnn/data/embedded.h"
#include "mgnn/data/load.h"
#include "mgnn/io/safetensors.h"
#include "tests/data/random_dataset.h"
#include "tests/data/same_dataset.h"
#include "tests/io/pack.h"
#include "tests/io/python.h"

namespace mgnn {
namespace {

using testing::content_of, testing::data_dir, testing::error_of, testing::expect_same,
    testing::python_output, testing::random_dataset, testing::TempDir;

void expect_comes_back(const Dataset& dataset) {
  const TempDir dir;
  write_dataset_file(dir / "d.safetensors", dataset);
  expect_same(read_dataset_file(dir / "d.safetensors"), dataset);
  const std::string again = dir / "again.safetensors";
  write_dataset_file(again, read_dataset_file(dir / "d.safetensors"));
  EXPECT_EQ(content_of(again), content_of(dir / "d.safetensors"));
}

TEST(DatasetFile, KeepsEveryCombinationOfParts) {
  for (uint64_t parts = 0; parts < 1 << testing::kDatasetParts; parts++) {
    SCOPED_TRACE(parts);
    expect_comes_back(random_dataset(parts, NodeId(parts % 7), parts));
  }
  for (uint64_t seed = 0; seed < 20; seed++)
    expect_comes_back(random_dataset(seed * 0x9E3779B9, 60, seed));
}

TEST(DatasetFile, KeepsEmbeddedDatasets) {
  for (const std::string& name : embedded_names()) {
    SCOPED_TRACE(name);
    expect_comes_back(embedded_dataset(name, 3));
  }
}

TEST(DatasetFile, KeepsRealDatasets) {
  MGNN_NEEDS_DATA();
  const TempDir dir;
  for (const std::string name : {"citeseer", "mutag", "enzymes", "texas", "wiki-vote"}) {
    SCOPED_TRACE(name);
    const Dataset dataset = load_dataset(name, {.data_dir = data_dir(), .download = false});
    write_graph_file(dir / "d.safetensors", dataset);
    expect_same(read_graph_file(dir / "d.safetensors"), dataset);
  }
}

TEST(DatasetFile, ShowsByItsContent) {
  const TempDir dir;
  const Dataset dataset = random_dataset(0x3F5, 9, 1);
  write_dataset_file(dir / "d.safetensors", dataset);
  const std::string bytes = content_of(dir / "d.safetensors");
  expect_same(read_graph_file(dir.file("d.txt", bytes)), dataset);
  for (const testing::Packing& packing : testing::kPackings)
    expect_same(read_graph_file(dir.file("d.x", testing::packed(bytes, packing))), dataset);
}

TEST(DatasetFile, EveryFlippedBitIsRefused) {
  const TempDir dir;
  const Dataset dataset = random_dataset(0x1A3, 3, 1);
  write_dataset_file(dir / "d.safetensors", dataset);
  const std::string whole = content_of(dir / "d.safetensors");
  for (size_t bit = 0; bit < 8 * whole.size(); bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(error_of([&] { parse_dataset(damaged, "x"); }), "") << "bit " << bit;
  }
  for (size_t length = 0; length < whole.size(); length++)
    EXPECT_NE(error_of([&] { parse_dataset(whole.substr(0, length), "x"); }), "") << length;
}

// Where a flipped bit hides what the file is, too.
TEST(DatasetFile, FlippedBitsAreRefusedUnderAnyName) {
  const TempDir dir;
  write_dataset_file(dir / "d.safetensors", random_dataset(0x1A3, 3, 1));
  const std::string whole = content_of(dir / "d.safetensors");
  for (size_t bit = 0; bit < 8 * 64; bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
    std::filesystem::remove(dir / "d");
    EXPECT_NE(error_of([&] { read_graph_file(dir.file("d", damaged)); }), "") << "bit " << bit;
  }
}

TEST(DatasetFile, RefusesOtherFiles) {
  const TempDir dir;
  const std::string path = dir / "other.safetensors";
  write_safetensors(path, SafeTensors{{}, {{"format", "pt"}}});
  EXPECT_EQ(error_of([&] { read_graph_file(path); }),
            path + ": is a safetensors file, but not a dataset that mgnn wrote");
  write_safetensors(path, SafeTensors{{}, {{"format", "mgnn dataset"}, {"version", "99"}}});
  EXPECT_EQ(error_of([&] { read_dataset_file(path); }),
            path + ": is a dataset of version \"99\", and this program reads version 1");
  EXPECT_EQ(error_of([&] { read_graph_file(dir.file("x.safetensors", "no such thing")); }),
            dir /
                "x.safetensors: is not a safetensors file: its header would have "
                "2335225762885431150 bytes, and 100000000 are allowed");
}

// ---- HDF5 files are written, and refused by name

TEST(DatasetFile, ExportsToHdf5) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  write_graph_file(dir / "d.h5", random_dataset(0x3FB, 9, 1));
  write_graph_file(dir / "d.safetensors", random_dataset(0x3FB, 9, 1));
  const std::string script =
      "import h5py, json, numpy, struct\n"
      "f = h5py.File('" +
      dir /
          "d.h5', 'r')\n"
          "raw = open('" +
      dir / "d.safetensors', 'rb').read()\n" + R"(
n, = struct.unpack('<Q', raw[:8])
head, data = json.loads(raw[8:8 + n]), raw[8 + n:]
print(head.pop('__metadata__')['format'], f.attrs['format'].decode())
def array(name):
    t = head[name]
    kind = dict(I32='<i4', I64='<i8', F32='<f4', F64='<f8', U8='u1')[t['dtype']]
    return numpy.frombuffer(data[slice(*t['data_offsets'])], kind).reshape(t['shape'])
names = []
f.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
for name in names:
    value = f[name][()]
    if h5py.check_string_dtype(f[name].dtype):
        start, text = array(name + '_start'), array(name).tobytes()
        texts = [text[a:b] for a, b in zip(start, start[1:])]
        assert [bytes(v) for v in value] == [t.rstrip(b'\0') for t in texts], name
        del head[name + '_start']
    else:
        assert (value == array(name)).all() or name in ('target', 'features/dense'), name
    del head[name]
print(len(names) > 20, head)
)";
  EXPECT_EQ(python_output(script), "mgnn dataset mgnn dataset\nTrue {}\n");
}

TEST(DatasetFile, Hdf5IsNotRead) {
  const TempDir dir;
  write_graph_file(dir / "d.h5", embedded_dataset("karate", 0));
  const std::string reason =
      ": is a file of the kind HDF5, which is not read; write it as .safetensors or .npz instead "
      "(docs/data.md has a line of h5py that converts it)";
  EXPECT_EQ(error_of([&] { read_graph_file(dir / "d.h5"); }), dir / "d.h5" + reason);
  dir.file("d.txt", content_of(dir / "d.h5"));
  EXPECT_EQ(error_of([&] { load_dataset(dir / "d.txt"); }), dir / "d.txt" + reason);
}

// What docs/data.md says of files of other programs.
TEST(DatasetFile, MayBeWrittenByPython) {
  MGNN_NEEDS_PYTHON("numpy");
  const TempDir dir;
  const std::string script = R"(
import json, numpy, struct
tensors = {'graph/start': numpy.array([0, 1, 2]), 'graph/index': numpy.array([1, 0], 'i4'),
           'features/dense': numpy.array([[.5], [2]], 'f4')}
head, data = {'__metadata__': {'format': 'mgnn dataset', 'version': '1'}}, b''
for name, t in tensors.items():
    kind = {'int64': 'I64', 'int32': 'I32', 'float32': 'F32'}[str(t.dtype)]
    head[name] = dict(dtype=kind, shape=t.shape, data_offsets=[len(data), len(data) + t.nbytes])
    data += t.tobytes()
text = json.dumps(head).encode()
open(PATH, 'wb').write(struct.pack('<Q', len(text)) + text + data)
)";
  EXPECT_EQ(python_output("PATH = '" + dir / "p.safetensors'\n" + script), "");
  const Dataset dataset = load_dataset(dir / "p.safetensors");
  EXPECT_EQ(arcs(dataset.graph), (Array<Edge>{{0, 1}, {1, 0}}));
  EXPECT_EQ(std::get<Matrix>(dataset.features).data, (Array<float>{.5f, 2}));
}

}  // namespace
}  // namespace mgnn
