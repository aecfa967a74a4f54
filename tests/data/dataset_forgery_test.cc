// Files with sound checksums whose content is wrong: every value of every part, one at a time.
#include <limits>

#include "mgnn/data/dataset_file.h"
#include "mgnn/io/safetensors.h"
#include "tests/data/random_dataset.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::random_dataset, testing::TempDir;

// The tensors of a file, each with bytes of its own.
struct Forgery {
  SafeTensorViews views;
  std::map<std::string, std::string> bytes;

  explicit Forgery(const Dataset& dataset) {
    const TempDir dir;
    write_dataset_file(dir / "d", dataset);
    const std::string file = content_of(dir / "d");
    views = view_safetensors(file, "x");
    for (const SafeTensorView& tensor : views.tensors) bytes[tensor.name] = tensor.bytes;
  }
  SafeTensorView& tensor(const std::string& name) {
    for (SafeTensorView& tensor : views.tensors)
      if (tensor.name == name) return tensor;
    return views.tensors.emplace_back(SafeTensorView{name, "I32", {0}, {}});
  }
  void remove(const std::string& name) {
    std::erase_if(views.tensors, [&](const SafeTensorView& t) { return t.name == name; });
  }
  template <class T>
  void set(const std::string& name, const std::vector<T>& values, const char* dtype) {
    bytes[name] =
        std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    tensor(name).dtype = dtype;
    tensor(name).shape = {int64_t(values.size())};
  }
  void set_ints(const std::string& name, const std::vector<int32_t>& v) { set(name, v, "I32"); }
  void set_longs(const std::string& name, const std::vector<int64_t>& v) { set(name, v, "I64"); }
  void set_floats(const std::string& name, const std::vector<float>& v) { set(name, v, "F32"); }

  Dataset parsed() {
    for (SafeTensorView& tensor : views.tensors) tensor.bytes = bytes[tensor.name];
    return parse_dataset(safetensors_bytes(views), "x");
  }
  std::string error() {
    return error_of([&] { parsed(); });
  }
};

// Two nodes, 0 -> 1.
Forgery small() {
  Dataset dataset;
  dataset.graph = make_graph(2, {{0, 1}});
  return Forgery(dataset);
}

TEST(DatasetForgery, SaysWhatIsWrong) {
  const std::string starts = ": the places where its rows begin do not rise from 0 to ";
  const struct {
    std::function<void(Forgery&)> change;
    std::string message;
  } cases[] = {
      {[](Forgery&) {}, ""},
      {[](Forgery& f) {
         f.set_longs("graph/start", {0, 2, 1});
       },
       "x: graph" + starts + "1"},
      {[](Forgery& f) {
         f.set_longs("graph/start", {0, 9, 1});
       },
       "x: graph" + starts + "1"},
      {[](Forgery& f) {
         f.set_longs("graph/start", {-1, 1, 1});
       },
       "x: graph" + starts + "1"},
      {[](Forgery& f) {
         f.set_longs("graph/start", {0, INT64_MIN, 1});
       },
       "x: graph" + starts + "1"},
      {[](Forgery& f) {
         f.set_longs("graph/start", {0, 1, 2});
       },
       "x: graph" + starts + "1"},
      {[](Forgery& f) { f.set_longs("graph/start", {}); }, "x: graph" + starts + "1"},
      {[](Forgery& f) { f.remove("graph/start"); }, "x: graph/start: is missing"},
      {[](Forgery& f) { f.remove("graph/index"); }, "x: graph" + starts + "0"},
      {[](Forgery& f) {
         f.set_ints("graph/start", {0, 1, 1});
       },
       "x: graph/start: should be an array of I64 with 1 dimensions, and is one of I32 with 1"},
      {[](Forgery& f) {
         f.tensor("graph/start").shape = {3, 1};
       },
       "x: graph/start: is missing"},
      {[](Forgery& f) {
         f.tensor("graph/index").shape = {1, 1};
       },
       "x: graph/index: should be an array of I32 with 1 dimensions, and is one of I32 with 2"},
      {[](Forgery& f) { f.set_ints("graph/index", {2}); },
       "x: graph: the columns of row 0 do not ascend within 0 to 1"},
      {[](Forgery& f) { f.set_ints("graph/index", {-1}); },
       "x: graph: the columns of row 0 do not ascend within 0 to 1"},
      {[](Forgery& f) {
         f.set_longs("graph/start", {0, 2, 2});
         f.set_ints("graph/index", {1, 1});
       },
       "x: graph: the columns of row 0 do not ascend within 0 to 1"},
      {[](Forgery& f) { f.set_ints("graph/index", {0}); }, "x: graph: has a loop at node 0"},
      {[](Forgery& f) {
         f.set_longs("build", {1, 2, 3});
       },
       "x: build: should be four counts"},
      {[](Forgery& f) {
         f.set_longs("build", {1, 2, -3, 0});
       },
       "x: build: should be four counts"},
      {[](Forgery& f) {
         f.set_longs("build", {1, 2, 3, int64_t(1) << 40});
       },
       "x: build: should be four counts"},
      {[](Forgery& f) { f.set_longs("ids/number", {1}); }, "x: ids: there are 1 of them for 2"},
      {[](Forgery& f) {
         f.set_longs("ids/number", {5, 5});
       },
       "x: ids: two of them are equal"},
      {[](Forgery& f) {
         f.set<char>("ids/text", {'a', 'a'}, "U8");
         f.set_longs("ids/text_start", {0, 1, 2});
       },
       "x: ids: two of them are equal"},
      {[](Forgery& f) { f.set<char>("ids/text", {'a'}, "U8"); }, "x: ids" + starts + "1"},
      {[](Forgery& f) {
         f.set_longs("ids/text_start", {0, 0});
       },
       "x: ids: there are 1 of them for 2"},
      {[](Forgery& f) {
         f.set_longs("ids/text_start", {0, 0, 0});
         f.set_longs("ids/number", {1, 2});
       },
       "x: ids: are numbers and texts"},
      {[](Forgery& f) {
         f.set_longs("graph_ids/number", {1, 2});
       },
       "x: graph_ids: there are 2 of them for 1"},
      {[](Forgery& f) {
         f.set_ints("graph_start", {0, 1, 2});
       },
       "x: arc 0 -> 1 leaves graph 0"},
      {[](Forgery& f) {
         f.set_ints("graph_start", {0, 2, 1, 2});
       },
       "x: the graphs of the set do not follow each other from node 0 to node 1"},
      {[](Forgery& f) {
         f.set_ints("graph_start", {-1, 2});
       },
       "x: the graphs of the set do not follow each other from node 0 to node 1"},
      {[](Forgery& f) {
         f.set_floats("features/dense", {});
         f.tensor("features/dense").shape = {0, int64_t(1) << 62};
       },
       "x: features/dense: has 0 rows and 4611686018427387904 columns; there can be up to "
       "2147483647"},
      {[](Forgery& f) {
         f.set_floats("features/dense", {1, 2, 3});
         f.tensor("features/dense").shape = {3, 1};
       },
       "x: 3 rows of features for 2 nodes"},
      {[](Forgery& f) {
         f.set_floats("features/dense", {1, INFINITY});
         f.tensor("features/dense").shape = {2, 1};
       },
       "x: a feature is infinite"},
      {[](Forgery& f) {
         f.set_longs("features/start", {0, 0, 0});
       },
       "x: features: has 2 rows and -1 columns; there can be up to 2147483647"},
      {[](Forgery& f) {
         f.set_longs("features/start", {0, 1, 1});
         f.set_ints("features/index", {4});
         f.set_longs("features/columns", {5});
       },
       "x: features: has 1 places, but 0 values"},
      {[](Forgery& f) { f.set_longs("features/columns", {5}); },
       "x: has the part \"features/columns\", which is not one of a dataset, or not of one with "
       "its "
       "other parts; is it of a newer program?"},
      {[](Forgery& f) { f.set_longs("num_attributes", {1}); }, "x: 1 of 0 features are attributes"},
      {[](Forgery& f) {
         f.set_longs("num_attributes", {1, 2});
       },
       "x: num_attributes: should be one number"},
      {[](Forgery& f) { f.set_ints("label", {0}); }, "x: 1 labels for 2 nodes"},
      {[](Forgery& f) {
         f.set_ints("label", {0, 0});
       },
       "x: label 0 of item 0, but 0 classes"},
      {[](Forgery& f) {
         f.set_longs("label_sets/start", {0, 0});
       },
       "x: label_sets: there are 1 of them for 2"},
      {[](Forgery& f) {
         f.set_longs("class_names_start", {0, 1});
       },
       "x: class_names" + starts + "0"},
      {[](Forgery& f) {
         f.set_longs("features_from_start", {0, 0, 0});
       },
       "x: features_from: should be one text"},
      {[](Forgery& f) {
         f.set<double>("target", {1, INFINITY}, "F64");
       },
       "x: the target of item 1 is infinite"},
      {[](Forgery& f) {
         f.set_ints("node_type", {0, 0});
       },
       "x: node type 0, but 0 types"},
      {[](Forgery& f) {
         f.set_longs("relations/name_start", {0, 0});
       },
       "x: relations" + starts + "0"},
      {[](Forgery& f) {
         f.set_longs("relations/name_start", {0, 0});
         f.set_longs("relations/start", {0, 1});
         f.set_ints("relations/edge", {0, 2});
         f.tensor("relations/edge").shape = {1, 2};
       },
       "x: relation \"\" has the edge 0 -> 2, but the nodes are 0 to 1"},
      {[](Forgery& f) {
         f.set_longs("relations/name_start", {0, 0});
         f.set_longs("relations/start", {0, 1});
         f.set_ints("relations/edge", {0, 1});
         f.tensor("relations/edge").shape = {2, 1};
       },
       "x: relations: edges should have two ends"},
      {[](Forgery& f) {
         f.set_floats("arc_weight", {1, 2});
       },
       "x: 2 weights for 1 arcs"},
      {[](Forgery& f) { f.set_floats("arc_weight", {std::nanf("")}); },
       "x: the weight nan of an arc is not a finite number"},
      {[](Forgery& f) {
         f.set_longs("splits/name_start", {0, 0});
       },
       "x: splits" + starts + "0"},
      {[](Forgery& f) {
         f.set_longs("splits/name_start", {0, 0});
         f.set_longs("splits/start", {0, 0, 0});
       },
       "x: splits: has 2 parts, but each of 1 splits has three"},
      {[](Forgery& f) { f.set_ints("surprise", {1}); },
       "x: has the part \"surprise\", which is not one of a dataset, or not of one with its other "
       "parts; is it of a newer program?"},
  };
  for (const auto& c : cases) {
    Forgery forgery = small();
    c.change(forgery);
    EXPECT_EQ(forgery.error(), c.message);
  }
}

// What may come out is an Error or a dataset whose parts fit; the sanitizers watch the rest.
void expect_sound(Forgery& forgery) {
  try {
    validate(forgery.parsed());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with("x: ")) << error.what();
  }
}

template <class T>
std::vector<T> wrong_values(T value) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      T(0), T(-1), T(1), T(value + 1), T(value - 1), Limits::lowest(), Limits::max(), T(1000)};
  if constexpr (std::is_floating_point_v<T>)
    values.insert(values.end(), {Limits::quiet_NaN(), Limits::infinity()});
  return values;
}

template <class T>
void replace_each_value(Forgery& forgery, const std::string& name) {
  std::string& bytes = forgery.bytes[name];
  const std::string sound = bytes;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, sound.data() + at, sizeof(T));
    for (const T wrong : wrong_values(value)) {
      std::memcpy(bytes.data() + at, &wrong, sizeof(T));
      expect_sound(forgery);
    }
    bytes = sound;
  }
}

TEST(DatasetForgery, EveryWrongValueIsFound) {
  for (const uint64_t parts : {0x3ABu, 0x3FAu, 0x3FDu, 0x06Cu}) {
    const Forgery sound(random_dataset(parts, 5, parts));
    for (const SafeTensorView& tensor : sound.views.tensors) {
      SCOPED_TRACE(tensor.name);
      Forgery forgery = sound;
      if (tensor.dtype == "I32") replace_each_value<int32_t>(forgery, tensor.name);
      if (tensor.dtype == "I64") replace_each_value<int64_t>(forgery, tensor.name);
      if (tensor.dtype == "F32") replace_each_value<float>(forgery, tensor.name);
      if (tensor.dtype == "F64") replace_each_value<double>(forgery, tensor.name);
    }
  }
}

// Every part left out, cut by an element, made longer, of another type or shape.
TEST(DatasetForgery, EveryWrongShapeIsFound) {
  for (const uint64_t parts : {0x3ABu, 0x3FAu, 0x3FDu, 0x06Cu}) {
    const Forgery sound(random_dataset(parts, 5, parts));
    for (const SafeTensorView& tensor : sound.views.tensors) {
      SCOPED_TRACE(tensor.name);
      const size_t width = tensor.dtype == "U8" ? 1 : tensor.dtype.ends_with("64") ? 8 : 4;
      const int64_t length = int64_t(sound.bytes.at(tensor.name).size() / width);
      const auto change = [&](const std::function<void(Forgery&, SafeTensorView&)>& how) {
        Forgery forgery = sound;
        how(forgery, forgery.tensor(tensor.name));
        expect_sound(forgery);
      };
      change([&](Forgery& f, SafeTensorView&) { f.remove(tensor.name); });
      change([&](Forgery& f, SafeTensorView& t) {
        f.bytes[t.name].append(width, '\0');
        t.shape = {length + 1};
      });
      if (length > 0)
        change([&](Forgery& f, SafeTensorView& t) {
          f.bytes[t.name].resize(size_t(length - 1) * width);
          t.shape = {length - 1};
        });
      change([&](Forgery&, SafeTensorView& t) { t.shape = {length, 1}; });
      change([&](Forgery&, SafeTensorView& t) { t.shape = {1, length}; });
      change([&](Forgery& f, SafeTensorView& t) {
        f.bytes[t.name].clear();
        t.shape = {0, int64_t(1) << 40};
      });
      change([&](Forgery& f, SafeTensorView& t) {
        t.dtype = "U8";
        t.shape = {int64_t(f.bytes[t.name].size())};
      });
      change([&](Forgery& f, SafeTensorView& t) {
        f.bytes[t.name].clear();
        t.dtype = width == 4 ? "F64" : "F32";
        t.shape = {0};
      });
    }
  }
}

}  // namespace
}  // namespace mgnn
