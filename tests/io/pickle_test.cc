#include "mgnn/io/pickle.h"

#include <numeric>

#include "tests/io/damage.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::survive_damage;

std::string bytes(std::initializer_list<int> list) { return std::string(list.begin(), list.end()); }
const std::string kProto = bytes({0x80, 2});
const std::string kTuple1 = bytes({0x85}), kTuple2 = bytes({0x86}), kTuple3 = bytes({0x87});

std::string text(const std::string& s) { return "U" + bytes({int(s.size())}) + s; }
std::string small(int number) { return "K" + bytes({number}); }
std::string number32(char opcode, uint32_t n) {
  return opcode + bytes({int(n & 255), int(n >> 8 & 255), int(n >> 16 & 255), int(n >> 24)});
}
std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
template <class T>
std::string raw(std::vector<T> values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// As Python 2 pickles it: array(code, order, shape tuple, data).
std::string array(const std::string& code, const std::string& shape, const std::string& data,
                  const std::string& order = "<") {
  return global("numpy.core.multiarray", "_reconstruct") + global("numpy", "ndarray") + small(0) +
         kTuple1 + text("b") + kTuple3 + "R(" + small(1) + shape + global("numpy", "dtype") +
         text(code) + small(0) + small(1) + kTuple3 + "R(" + small(3) + text(order) + "NNN" +
         number32('J', uint32_t(-1)) + number32('J', uint32_t(-1)) + small(0) + "tb" +
         bytes({0x89}) + number32('T', uint32_t(data.size())) + data + "tb";
}
std::string csr(const std::string& state) {
  return kProto + global("scipy.sparse.csr", "csr_matrix") + ")" + bytes({0x81}) + "}(" + state +
         "ub.";
}
std::string csr(std::vector<int32_t> start, std::vector<int32_t> index, std::vector<float> value,
                int rows = 2, int columns = 3) {
  const auto vector = [](const std::string& code, size_t size, const std::string& data) {
    return array(code, small(int(size)) + kTuple1, data);
  };
  return csr(text("_shape") + small(rows) + small(columns) + kTuple2 + text("indptr") +
             vector("i4", start.size(), raw(start)) + text("indices") +
             vector("i4", index.size(), raw(index)) + text("data") +
             vector("f4", value.size(), raw(value)));
}
std::string dict() {
  return kProto + global("collections", "defaultdict") + global("__builtin__", "list") + kTuple1 +
         "R";
}

TEST(Pickle, Adjacency) {
  const std::string graph = dict() + "q" + bytes({1}) + "(" + small(0) + "](" + small(1) + "M" +
                            bytes({0x39, 5}) + "e" + small(1) + "]" + small(0) + "au.";
  EXPECT_EQ(parse_pickled_adjacency(graph, "x"), (Array<Edge>{{0, 1}, {0, 1337}, {1, 0}}));
  EXPECT_TRUE(parse_pickled_adjacency(dict() + ".", "x").empty());
  survive_damage(graph, [](const std::string& b) { parse_pickled_adjacency(b, "x"); });
}

TEST(Pickle, Arrays) {
  const std::string labels =
      kProto + array("i4", small(2) + small(2) + kTuple2, raw<int32_t>({1, 0, 0, 1})) + ".";
  const NumpyArray parsed = parse_pickled_array(labels, "x");
  EXPECT_EQ(parsed.dtype, "<i4");
  EXPECT_EQ(parsed.shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(parsed.integers("x"), (Array<int64_t>{1, 0, 0, 1}));
  survive_damage(labels, [](const std::string& b) { parse_pickled_array(b, "x").integers("x"); });
}

TEST(Pickle, SparseMatrix) {
  const std::string matrix = csr({0, 2, 3}, {2, 0, 1}, {.5, 2, 3});
  const SparseMatrix parsed = parse_pickled_csr_matrix(matrix, "x");
  EXPECT_EQ(parsed.pattern.rows, 2);
  EXPECT_EQ(parsed.pattern.cols, 3);
  EXPECT_EQ(parsed.pattern.start, (Array<Offset>{0, 2, 3}));
  EXPECT_EQ(parsed.pattern.index, (Array<NodeId>{0, 2, 1}));  // put in order, values too
  EXPECT_EQ(parsed.value, (Array<float>{2, .5, 3}));
  survive_damage(matrix, [](const std::string& b) { parse_pickled_csr_matrix(b, "x"); });
}

TEST(Pickle, RunsNothing) {
  const struct {
    std::string pickle, message;
  } cases[] = {
      {kProto + global("os", "system") + text("touch x") + kTuple1 + "R.",
       "x: byte 2: asks for \"os.system\", which is not allowed here; nothing was run"},
      {kProto + global("__builtin__", "eval") + text("1") + kTuple1 + "R.",
       "x: byte 2: asks for \"__builtin__.eval\", which is not allowed here; nothing was run"},
      {kProto + global("numpy", "load") + ".",
       "x: byte 2: asks for \"numpy.load\", which is not allowed here; nothing was run"},
      {kProto + global("__builtin__", "list") + ")R.",
       "x: byte 21: calls something that is not allowed here; nothing was run"},
      {kProto + global("collections", "defaultdict") + global("numpy", "ndarray") + kTuple1 + "R.",
       "x: byte 43: calls something that is not allowed here; nothing was run"},
      {kProto + global("__builtin__", "list") + ")" + bytes({0x81}) + ".",
       "x: byte 21: makes an object of a kind that is not allowed here; nothing was run"},
      {kProto + "](b.", "x: byte 4: a value is missing"},
      {kProto + "]}b.", "x: byte 4: sets the state of something in a way that is not allowed here"},
      {kProto + "ios\nsystem\n.", "x: byte 2: has the instruction 0x69, which is not allowed here"},
      {kProto + bytes({0x80, 2}) + "N.",
       "x: byte 2: has the instruction 0x80, which is not allowed here"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(error_of([&] { parse_pickled_adjacency(c.pickle, "x"); }), c.message);
}

TEST(Pickle, RefusesBrokenPrograms) {
  const struct {
    std::string pickle, message;
  } cases[] = {
      {"", "x: is not a Python pickle of protocol 2"},
      {bytes({0x80, 4}) + "N.", "x: is not a Python pickle of protocol 2"},
      {kProto, "x: byte 2: the pickle is cut short: 1 more bytes are needed, 0 are left"},
      {kProto + number32('T', 0xFFFFFFFF) + "abc",
       "x: byte 2: the pickle is cut short: 4294967295 more bytes are needed, 3 are left"},
      {kProto + "cos", "x: byte 2: a global's name does not end"},
      {kProto + "a.", "x: byte 2: a value is missing"},
      {kProto + "NNa.", "x: byte 4: a value of another kind is needed"},
      {kProto + "t.", "x: byte 2: a mark is missing"},
      {kProto + "}(Nu.", "x: byte 5: a key has no value"},
      {kProto + ".", "x: byte 2: the pickle ends with 0 values instead of one"},
      {kProto + "NN.", "x: byte 4: the pickle ends with 2 values instead of one"},
      {kProto + "N.N", "x: byte 3: there are 1 bytes after the end"},
      {kProto + number32('r', 1u << 31), "x: byte 2: a value is missing"},
      {kProto + "N" + number32('r', 1u << 31),
       "x: byte 3: value 2147483648 is remembered before those below it"},
      {kProto + "h" + bytes({7}), "x: byte 2: value 7 is recalled, but was never remembered"},
      {kProto + "Nq" + bytes({1}) + "h" + bytes({0}),
       "x: byte 5: value 0 is recalled, but was never remembered"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(error_of([&] { parse_pickled_adjacency(c.pickle, "x"); }), c.message);
}

TEST(Pickle, RefusesOtherData) {
  const auto adjacency = [](const std::string& items) {
    return error_of([&] { parse_pickled_adjacency(dict() + "(" + items + "u.", "x"); });
  };
  EXPECT_EQ(error_of([] { parse_pickled_adjacency(kProto + "N.", "x"); }),
            "x: is not a dict of neighbours");
  EXPECT_EQ(adjacency(small(1) + "N"), "x: the neighbours of node 1 are not a list");
  EXPECT_NE(adjacency(text("a") + "]").find("a node is not a whole number"), std::string::npos);
  EXPECT_NE(
      adjacency(number32('J', uint32_t(-1)) + "]").find("a node is -1, which is out of range"),
      std::string::npos);
  EXPECT_NE(adjacency(number32('J', 0x7FFFFFFF) + "]").find("a node is 2147483647, which is out"),
            std::string::npos);
  EXPECT_EQ(adjacency(small(1) + "]" + small(1) + "]"), "x: node 1 is listed twice");

  const auto matrix = [](const std::string& pickle) {
    return error_of([&] { parse_pickled_csr_matrix(pickle, "x"); });
  };
  EXPECT_EQ(matrix(kProto + "N."), "x: is not a scipy csr_matrix");
  EXPECT_EQ(matrix(csr(text("data") + "N")), "x: the csr_matrix lacks its \"_shape\"");
  const std::string unfit = "x: the parts of the sparse matrix do not fit together";
  EXPECT_EQ(matrix(csr({0, 1}, {0}, {1})), unfit);
  EXPECT_EQ(matrix(csr({0, 2, 1}, {0}, {1})), unfit);
  EXPECT_EQ(matrix(csr({0, 1, 1}, {0}, {1, 2})), unfit);
  EXPECT_EQ(matrix(csr({1, 1, 1}, {0}, {1})), unfit);
  EXPECT_EQ(matrix(csr({0, 1, 1}, {3}, {1})), "x: the matrix names column 3, but has 3");
  EXPECT_EQ(matrix(csr({0, 1, 1}, {-1}, {1})), "x: the matrix names column -1, but has 3");
  EXPECT_EQ(matrix(csr({0, 2, 2}, {1, 1}, {1, 1})), "x: row 0 of the matrix lists a column twice");
  EXPECT_EQ(matrix(csr(text("_shape") + small(1) + kTuple1 + text("indptr") + "N")),
            "x: indptr: is not a NumPy array");

  const auto labels = [](const std::string& pickle) {
    return error_of([&] { parse_pickled_array(kProto + pickle + ".", "x"); });
  };
  EXPECT_EQ(labels("N"), "x: is not a NumPy array");
  EXPECT_EQ(labels(array("O", small(1) + kTuple1, "abcd", "|")),
            "x: holds Python objects; save with allow_pickle=False");
  EXPECT_EQ(labels(array("i4", small(3) + kTuple1, "abcd")),
            "x: holds 4 bytes of data, but its shape asks for 12; is it cut short?");
  EXPECT_NE(labels(array("i4", "N", "abcd")).find("the shape is not a tuple"), std::string::npos);
  EXPECT_EQ(labels(array("i4", number32('J', uint32_t(-1)) + kTuple1, "abcd")),
            "x: has a negative length in its shape");
}

TEST(Pickle, DeepNestingAndSharingCostNothing) {
  const std::string deep = kProto + std::string(200'000, ']') + std::string(199'999, 'a') + ".";
  EXPECT_EQ(error_of([&] { parse_pickled_adjacency(deep, "x"); }),
            "x: is not a dict of neighbours");
  const std::string marks = kProto + std::string(200'000, '(') + ".";
  EXPECT_NE(error_of([&] { parse_pickled_adjacency(marks, "x"); }), "");

  std::string laughs = kProto + "]q" + bytes({0});  // each list holds the one before ten times
  for (int i = 1; i < 100; i++) {
    laughs += "](";
    for (int k = 0; k < 10; k++) laughs += "h" + bytes({i - 1});
    laughs += "eq" + bytes({i});
  }
  EXPECT_NE(error_of([&] { parse_pickled_adjacency(laughs + ".", "x"); }), "");

  // One list of a thousand neighbours for 60,000 nodes.
  std::string shared = dict() + "(" + small(0) + "](";
  for (int i = 0; i < 1000; i++) shared += small(i % 200);
  shared += "eq" + bytes({0});
  for (int i = 1; i < 60'000; i++) shared += "M" + bytes({i & 255, i >> 8}) + "h" + bytes({0});
  EXPECT_NE(error_of([&] {
              parse_pickled_adjacency(shared + "u.", "x");
            }).find("lists more neighbours than fit into a file"),
            std::string::npos);

  const std::string itself = kProto + "]q" + bytes({0}) + "h" + bytes({0}) + "a.";
  EXPECT_EQ(error_of([&] { parse_pickled_adjacency(itself, "x"); }),
            "x: is not a dict of neighbours");
}

TEST(Pickle, PlanetoidFiles) {
  MGNN_NEEDS_DATA();
  struct Known {
    std::string folder, prefix;
    int classes, features;
    NodeId nodes;
    size_t stored;
    NodeId rows[3];  // x, tx, allx
    Offset entries[3];
  };
  const Known known[] = {
      {"Cora", "cora", 7, 1433, 2708, 10858, {140, 1000, 1708}, {2647, 17955, 31261}},
      {"CiteSeer", "citeseer", 6, 3703, 3327, 9464, {120, 1000, 2312}, {3778, 31992, 73173}},
      {"PubMed", "pubmed", 3, 500, 19717, 88676, {60, 1000, 18717}, {2819, 50140, 937891}}};
  for (const Known& k : known) {
    const std::string stem =
        testing::data_dir() + "/planetoid/" + k.folder + "/ind." + k.prefix + ".";
    const Array<Edge> edges = parse_pickled_adjacency(content_of(stem + "graph"), "graph");
    EXPECT_EQ(edges.size(), k.stored);
    NodeId largest = 0;
    for (const Edge& e : edges) largest = std::max({largest, e.from, e.to});
    EXPECT_EQ(largest + 1, k.nodes);
    for (int i = 0; i < 3; i++) {
      const std::string part = std::array{"x", "tx", "allx"}[size_t(i)];
      const SparseMatrix x = parse_pickled_csr_matrix(content_of(stem + part), part);
      EXPECT_EQ(x.pattern.rows, k.rows[i]);
      EXPECT_EQ(x.pattern.cols, k.features);
      EXPECT_EQ(x.pattern.nnz(), k.entries[i]);
      if (k.features != 500) {  // binary
        EXPECT_EQ(std::accumulate(x.value.begin(), x.value.end(), 0.), double(k.entries[i]));
      }
      const std::string one_hot = std::array{"y", "ty", "ally"}[size_t(i)];
      const NumpyArray y = parse_pickled_array(content_of(stem + one_hot), one_hot);
      EXPECT_EQ(y.shape, (std::vector<int64_t>{k.rows[i], k.classes}));
      const Array<int64_t> labels = y.integers(one_hot);
      EXPECT_EQ(std::accumulate(labels.begin(), labels.end(), int64_t(0)), k.rows[i]);
    }
  }
}

}  // namespace
}  // namespace mgnn
