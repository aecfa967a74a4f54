#include "mgnn/motif/motif_file.h"

#include "mgnn/io/matrix_market.h"
#include "mgnn/io/numpy.h"
#include "tests/io/python.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;

const Graph& some_graph() {
  static const Graph graph = random_graph(25, 0.25, 4);
  return graph;
}

NodeIds some_names() {
  NodeIds ids;
  for (int i = 0; i < 25; i++) ids.push_back(fmt::format("P{}", 3 * i));
  return ids;
}

TEST(MotifFile, NpzHoldsTheCounts) {
  const TempDir dir;
  const MotifMatrices m = motif_matrices(some_graph());
  write_motif_matrices(dir / "m.npz", m, some_names(), 7);
  const NumpyArchive file = read_npz(dir / "m.npz");
  EXPECT_EQ(file.size(), 3u + 13 + 1);
  EXPECT_EQ(file.at("shape").integers("shape"), (Array<int64_t>{25, 25}));
  EXPECT_EQ(file.at("indptr").integers("indptr"), m.pattern.start);
  EXPECT_EQ(file.at("indices").integers("indices"),
            Array<int64_t>(m.pattern.index.begin(), m.pattern.index.end()));
  EXPECT_EQ(file.at("ids").texts("ids")[2], "P6");
  for (int k = 1; k <= 13; k++) {
    const NumpyArray& array = file.at(fmt::format("m{}", k));
    EXPECT_EQ(array.dtype, "<i8");
    EXPECT_EQ(array.integers("m"), m.counts(k)) << k;
  }
}

TEST(MotifFile, OnlyWhatWasAskedFor) {
  const TempDir dir;
  MotifSet wanted;
  wanted.insert(4);
  wanted.insert(9);
  write_motif_matrices(dir / "m.npz", motif_matrices(some_graph(), {.motifs = wanted}), {}, 7);
  const NumpyArchive file = read_npz(dir / "m.npz");
  EXPECT_EQ(file.size(), 5u);
  EXPECT_TRUE(file.contains("m4") && file.contains("m9") && !file.contains("ids"));
}

TEST(MotifFile, SciPyReadsASingleMotif) {
  MGNN_NEEDS_PYTHON("scipy");
  const TempDir dir;
  MotifSet wanted;
  wanted.insert(5);
  const MotifMatrices m = motif_matrices(some_graph(), {.motifs = wanted});
  write_motif_matrices(dir / "m.npz", m, {}, 7);
  const std::string script = fmt::format(
      "import scipy.sparse, numpy\n"
      "a = scipy.sparse.load_npz('{0}/m.npz')\n"
      "z = numpy.load('{0}/m.npz')\n"
      "b = scipy.sparse.csr_matrix((z['m5'], z['indices'], z['indptr']), shape=z['shape'])\n"
      "print(a.format, a.shape, a.sum(), abs(a - b).sum(), abs(a - a.T).sum())\n",
      dir.path());
  EXPECT_EQ(testing::python_output(script), fmt::format("csr (25, 25) {} 0 0\n", m.sum(5)));
}

TEST(MotifFile, Hdf5HoldsTheCountsAndWhatTheyAre) {
  MGNN_NEEDS_PYTHON("h5py");
  const TempDir dir;
  const MotifMatrices m =
      motif_matrices(some_graph(), {.counting = Counting::induced, .entry = Entry::arc});
  write_motif_matrices(dir / "m.h5", m, some_names(), 0xabcdef, {.format = MotifFormat::h5});
  write_motif_matrices(dir / "m.npz", m, some_names(), 0xabcdef);
  const std::string script = fmt::format(
      "import h5py, numpy\n"
      "f, z = h5py.File('{0}/m.h5', 'r'), numpy.load('{0}/m.npz')\n"
      "print(*[f.attrs[a].decode() for a in ('counting', 'entry', 'normalisation', "
      "'graph_fingerprint')])\n"
      "print(f['ids'].asstr()[1], all((f[k][()] == z[k]).all() for k in z if k != 'ids'), "
      "len(z.files))\n",
      dir.path());
  EXPECT_EQ(testing::python_output(script), "induced arc none 0000000000abcdef\nP3 True 17\n");
}

TEST(MotifFile, MatrixMarketFolder) {
  const TempDir dir;
  const MotifMatrices m = motif_matrices(some_graph());
  write_motif_matrices(dir / "m/", m, some_names(), 7, {.format = MotifFormat::mtx});
  EXPECT_TRUE(testing::content_of(dir / "m/ids.txt").starts_with("P0\nP3\nP6\n"));
  for (int k = 1; k <= 13; k++) {
    const EdgeList list = read_matrix_market(dir / fmt::format("m/m{}.mtx", k));
    Array<int64_t> actual(size_t(m.pattern.nnz()), 0);
    for (size_t e = 0; e < list.edges.size(); e++) {
      const auto row = m.pattern.row(list.edges[e].from);
      const auto at = std::lower_bound(row.begin(), row.end(), list.edges[e].to) - row.begin();
      actual[m.pattern.start[list.edges[e].from] + at] = int64_t(list.weight[e]);
      EXPECT_GT(list.weight[e], 0);
    }
    EXPECT_EQ(actual, m.counts(k)) << k;
  }
}

TEST(MotifFile, FoldersAreReplacedOnlyIfTheyAreOurs) {
  const TempDir dir;
  const MotifMatrices m = motif_matrices(some_graph());
  const auto write = [&](bool overwrite) {
    write_motif_matrices(dir / "m", m, {}, 7, {.format = MotifFormat::mtx, .overwrite = overwrite});
  };
  write(false);
  EXPECT_EQ(error_of([&] { write(false); }), dir / "m" + ": exists already");
  write(true);
  dir.file("m/thesis.tex", "years of work");
  EXPECT_EQ(error_of([&] { write(true); }),
            dir / "m" + ": is not a folder of motif matrices; name a new one");
  EXPECT_EQ(testing::content_of(dir / "m/thesis.tex"), "years of work");
  std::filesystem::remove(dir / "m/thesis.tex");
  dir.file("m/precious.mtx", "a matrix, but not of ours");
  EXPECT_EQ(error_of([&] { write(true); }),
            dir / "m" + ": is not a folder of motif matrices; name a new one");
  std::filesystem::remove(dir / "m/precious.mtx");
  write(true);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);  // no leftovers
}

TEST(MotifFile, NormalisedValues) {
  const TempDir dir;
  const MotifMatrices m = motif_matrices(some_graph());
  for (const auto kind : {Normalisation::row, Normalisation::symmetric, Normalisation::centred,
                          Normalisation::published}) {
    write_motif_matrices(dir / "m.npz", m, {}, 7, {.normalisation = kind});
    const NumpyArchive file = read_npz(dir / "m.npz");
    const Csr pattern = kind == Normalisation::centred ? with_diagonal(m.pattern) : m.pattern;
    EXPECT_EQ(file.at("indptr").integers("indptr"), pattern.start);
    for (int k = 1; k <= 13; k++) {
      Array<double> value(size_t(pattern.nnz()), 0.);
      const Array<Offset> place = places_in(m.pattern, pattern);
      for (size_t e = 0; e < place.size(); e++) value[place[e]] = double(m.count(k, Offset(e)));
      const Array<double> expected = normalised(pattern, value, kind);
      const NumpyArray& array = file.at(fmt::format("m{}", k));
      EXPECT_EQ(array.dtype, "<f8");
      EXPECT_EQ(std::memcmp(array.bytes.data(), expected.data(), array.bytes.size()), 0);
    }
  }
}

TEST(MotifFile, FormatsByNameAndEnding) {
  EXPECT_EQ(motif_format_of("a/b.npz"), MotifFormat::npz);
  EXPECT_EQ(motif_format_of("b.hdf5"), MotifFormat::h5);
  EXPECT_EQ(motif_format_of("b/"), MotifFormat::mtx);
  EXPECT_EQ(parse_name<MotifFormat>("format", "mtx"), MotifFormat::mtx);
  EXPECT_EQ(error_of([] { motif_format_of("b.txt"); }),
            "b.txt: unknown format; endings are .npz, .h5 and, for a folder, /");
  EXPECT_EQ(error_of([] { parse_name<MotifFormat>("format", "csv"); }),
            "unknown value \"csv\" of format; use one of npz, h5, mtx");
}

}  // namespace
}  // namespace mgnn
