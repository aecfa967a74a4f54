// Ranking of all unknown pairs against the bare matrix product of the same size, which stores its
// result and chooses nothing. Usage: rank_bench [sources] [targets] [columns] [trials] [threads]
#include <fmt/format.h>

#include <numeric>

#include "bench/bench.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/tensor/gemm_kernel.h"
#include "mgnn/tensor/ops.h"

namespace {

using namespace mgnn;

Matrix random_rows(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix m(rows, cols);
  Rng rng(seed);
  for (float& x : m.data) x = float(rng.normal());
  return m;
}

// A known pair for every hundredth one.
Graph some_known(NodeId sources, NodeId targets, Rng rng) {
  Array<Edge> edges;
  for (int64_t i = 0; i < int64_t(sources) * targets / 100; i++)
    edges.push_back({NodeId(rng.below(uint64_t(sources))),
                     NodeId(sources + NodeId(rng.below(uint64_t(targets))))});
  return make_graph(sources + targets, std::move(edges));
}

// The best pairs of the whole product, chosen afterwards.
std::vector<float> best_scores(const Matrix& product, NodeId sources, const Graph& known,
                               size_t top) {
  std::vector<float> all;
  for (NodeId u = 0; u < sources; u++)
    for (int64_t v = 0; v < product.cols; v++)
      if (!known.has_arc(u, NodeId(sources + v))) all.push_back(product(u, v));
  std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(top), all.end(), std::greater<>());
  all.resize(top);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int64_t otherwise) {
    return argc > i ? std::atoll(argv[i]) : otherwise;
  };
  const auto sources = NodeId(argument(1, 1400)), targets = NodeId(argument(2, 20000));
  const int64_t columns = argument(3, 78);
  const int trials = int(argument(4, 7));
  set_num_threads(int(argument(5, 0)));
  constexpr int64_t kTop = 1000;
  const Matrix z = random_rows(sources + targets, columns, 1);
  const Graph known = some_known(sources, targets, Rng(2));
  RankQuestion question{std::vector<NodeId>(size_t(sources)), std::vector<NodeId>(size_t(targets)),
                        false};
  std::iota(question.sources.begin(), question.sources.end(), 0);
  std::iota(question.targets.begin(), question.targets.end(), sources);

  const int64_t before = peak_memory_bytes();
  std::vector<RankedPair> ranked = rank_pairs(z, z, question, known, kTop);
  fmt::print("{} pairs of {} columns, {} threads; ranking adds {} of memory\n",
             human_count(int64_t(sources) * targets), columns, num_threads(),
             human_bytes(peak_memory_bytes() - before));

  Matrix product(sources, targets);
  Arena arena;
  const auto multiply_all = [&] {
    multiply<float>({sources, targets, columns, z.data.data(), columns, 1,
                     z.data.data() + int64_t(sources) * columns, 1, columns, product.data.data(),
                     targets, false},
                    arena);
  };
  multiply_all();
  const std::vector<float> expected = best_scores(product, sources, known, size_t(kTop));
  for (size_t i = 0; i < expected.size(); i++)
    if (std::abs(expected[i] - ranked[i].score) > 1e-3f * std::abs(expected[i])) {
      fmt::print("the results differ\n");
      return 1;
    }
  std::vector<double> ranking, multiplying;
  for (int i = 0; i < trials; i++) {
    ranking.push_back(bench::seconds([&] { rank_pairs(z, z, question, known, kTop); }));
    multiplying.push_back(bench::seconds(multiply_all));
  }
  const double r = bench::median(ranking), m = bench::median(multiplying);
  fmt::print("ranking {:.1f} ms, bare product {:.1f} ms\n", 1e3 * r, 1e3 * m);
  bench::ratio("rank_to_gemm", r / m);
  bench::print_ratios();
}
