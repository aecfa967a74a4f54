// Memory that ends at any moment is an exception that can be caught: no abort from a parallel
// region, nothing freed twice, and the next call gives what it always gives.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <set>

#include "mgnn/base/threads.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/graph/generators.h"
#include "mgnn/graph/walks.h"
#include "mgnn/io/edge_list.h"
#include "mgnn/motif/census.h"
#include "mgnn/sparse/diffusion.h"
#include "mgnn/task/config.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/tensor/ops.h"

// These stand in for those of the standard library in all tests of this program: the allocation
// after `left` others fails, once.
static std::atomic<int64_t> made{0}, left{-1};

static void* allocate(size_t size, size_t alignment) {
  made.fetch_add(1, std::memory_order_relaxed);
  if (left.load(std::memory_order_relaxed) >= 0 && left.fetch_sub(1) == 0) throw std::bad_alloc();
  const size_t whole = (std::max<size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (!memory) throw std::bad_alloc();
  return memory;
}
// Not inlined: g++ would see malloc and delete meet.
[[gnu::noinline]] void* operator new(size_t size) {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, size_t(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace mgnn {
namespace {

constexpr int64_t kTries = 40;

// Runs `action` with one allocation that fails, at moments from the first to the last.
template <class Action>
void expect_survival(const char* what, Action action) {
  set_num_threads(2);
  const auto expected = action();  // whatever is made once and kept is made here
  const int64_t before = made;
  ASSERT_TRUE(action() == expected) << what;
  const int64_t count = made - before;
  ASSERT_GT(count, 0) << what;
  std::set<int64_t> moments;
  for (int64_t i = 0; i < kTries; i++) moments.insert(i * (count - 1) / (kTries - 1));
  for (int64_t i = 0; i < std::min<int64_t>(count, kTries); i++) moments.insert(i);
  int64_t failed = 0;
  for (const int64_t moment : moments) {
    left = moment;
    try {
      const bool same = action() == expected;
      left = -1;
      EXPECT_TRUE(same) << what << " without allocation " << moment;
    } catch (const std::bad_alloc&) {
      left = -1;
      failed++;
    }
  }
  EXPECT_GT(failed, 0) << what;
  EXPECT_TRUE(action() == expected) << what;
  set_num_threads(0);
}

const Graph& graph() {
  static const Graph made_once = [] {
    GeneratedEdges generated = rmat_edges({.nodes = 4096, .arcs = 60'000, .shuffle = true}, Rng(1));
    return make_graph(generated.num_nodes, std::move(generated.edges));
  }();
  return made_once;
}

TEST(ShortMemory, Graphs) {
  const Array<Edge> edges = arcs(graph());
  expect_survival("build_graph", [&] {
    return fingerprint(build_graph(graph().num_nodes(), edges, {.symmetrise = true}).graph);
  });
  expect_survival("transpose", [&] { return transpose(graph().out).index; });
  expect_survival("weighted walks", [&] {
    const std::vector<float> weight(size_t(graph().num_arcs()), 2.f);
    Rng rng(3);
    return Walker(graph(), weight, {}).step(0, rng);
  });
  std::string text;
  for (const Edge& e : edges) text += fmt::format("{} {}\n", int64_t(e.from) << 33, e.to);
  expect_survival("ids of an edge list", [&] { return parse_edge_list(text, "x").ids.number; });
}

TEST(ShortMemory, Motifs) {
  expect_survival("census", [] { return census(graph()).total; });
  expect_survival("matrices", [] { return motif_matrices(graph()).values; });
  const Graph small = make_graph(600, er_edges(600, 0.01, Rng(2)).edges);
  expect_survival("pairs of leaves", [&] {
    return motif_matrices(small, {.counting = Counting::induced, .entry = Entry::pair}).values;
  });
}

TEST(ShortMemory, Diffusion) {
  const Graph small = make_graph(400, er_edges(400, 0.02, Rng(2)).edges);
  const Csr pattern = with_diagonal(small.out, DiagonalRows::all);
  Array<double> value(size_t(pattern.nnz()), 1.);
  value = normalised(pattern, value, Normalisation::row);
  const Array<double> degree = row_sums(pattern, value);
  for (const bool push : {false, true})
    expect_survival("diffusion", [&] {
      return diffused_columns(pattern, value, degree, {.alpha = 0.2, .push = push, .top = 8}).value;
    });
}

TEST(ShortMemory, Embeddings) {
  const Graph small = make_graph(200, er_edges(200, 0.05, Rng(2)).edges);
  for (const char* name : {"deepwalk", "grarep", "hope"}) {
    Settings settings = {{"dimension", "16"}};
    if (name == std::string("deepwalk"))
      settings = {{"dimension", "16"}, {"walks", "1"}, {"length", "10"}, {"epochs", "1"}};
    const auto method = make_embedding(find_embedding_method(name), settings);
    expect_survival(name, [&] { return method->run({.graph = small}).data; });
  }
}

TEST(ShortMemory, Networks) {
  expect_survival("make_operator", [] {
    return make_operator(graph().out, Array<float>(size_t(graph().num_arcs()), 1.f))
        .transposed_value;
  });
  Matrix vectors(500, 8);
  for (size_t i = 0; i < vectors.data.size(); i++) vectors.data[i] = float(i * 37 % 101);
  RankQuestion question;
  for (NodeId v = 0; v < 500; v++) question.sources.push_back(v), question.targets.push_back(v);
  const Graph known = make_graph(500, {});
  expect_survival("rank_pairs", [&] {
    std::vector<float> scores;
    for (const RankedPair& pair : rank_pairs(vectors, vectors, question, known, 100))
      scores.push_back(pair.score);
    return scores;
  });
}

TEST(ShortMemory, Training) {
  for (const char* model : {"mgnn", "gat"})
    expect_survival(model, [&] {
      const auto config = resolve_config({.sets = {{"data.source", "karate"},
                                                   {"model.name", model},
                                                   {"train.epochs", "3"},
                                                   {"profile", "none"}}});
      const Dataset data = load_for_training(*config);
      return run_task(*config, data).runs[0].state.weights.value;
    });
}

}  // namespace
}  // namespace mgnn
