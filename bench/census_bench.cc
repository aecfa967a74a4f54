// A census, from a Graph in memory, against what others need only to count triangles (marks: our own
// marking of neighbourhoods, on prepared rows) and against the matrices of all motifs: totals, counts
// of each node, counts of each node by role. One thread, CPU seconds, the minimum of the trials,
// memory that was used before; bytes per connected pair with fresh memory.
// Usage: census_bench [trials: 5] [millions of arcs of an RMAT graph: 1]

#include <ranges>

#include "bench/bench.h"
#include "bench/triangle_counts.h"
#include "mgnn/base/human.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/census.h"

namespace {

using namespace mgnn;
using bench::min_cpu, bench::status_kib;

// Beyond the graph and what `options` asks for.
double peak_bytes(const Graph& graph, const CensusOptions& options) {
  bench::keep_memory(false);
  std::ofstream("/proc/self/clear_refs") << "5";
  const int64_t before = status_kib("VmRSS:");
  census(graph, options);
  return double(status_kib("VmHWM:") - before) * 1024;
}

void expect_triangles(int64_t actual, int64_t expected) {
  if (actual == expected) return;
  std::puts("wrong: triangle counts differ");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  const int64_t millions = argc > 2 ? std::atoll(argv[2]) : 1;
  set_num_threads(1);
  const Graph graph = bench::rmat(millions);
  const bench::OrderedRows rows(graph);
  const auto pairs = double(rows.index.size() / 2);
  int64_t triangles = 0;
  for (const int64_t count :
       census(graph, {.counting = Counting::induced}).total | std::views::take(7))
    triangles += count;
  if (triangles != bench::count_by_marks(rows))
    return std::puts("wrong: triangle counts differ"), 1;
  std::printf("%s nodes, %s arcs, %s connected pairs, %s triangles\n",
              human_count(graph.num_nodes()).c_str(), human_count(graph.num_arcs()).c_str(),
              human_count(int64_t(pairs)).c_str(), human_count(triangles).c_str());
  const double totals_bytes = peak_bytes(graph, {}) / pairs;
  const double role_bytes = peak_bytes(graph, {.per_role = true}) / pairs;
  bench::keep_memory(true);
  double marks = 1e30, prepared = 1e30, totals = 1e30, per_node = 1e30, per_role = 1e30, all = 1e30;
  for (int i = 0; i < trials; i++) {  // in turns
    const auto least = [](double& minimum, auto&& action) {
      minimum = std::min(minimum, min_cpu(1, action));
    };
    least(marks, [&] { expect_triangles(bench::count_by_marks(rows), triangles); });
    least(prepared, [&] { ranked_pairs(graph); });
    least(totals, [&] { census(graph); });
    least(per_node, [&] { census(graph, {.per_node = true}); });
    least(per_role, [&] { census(graph, {.per_role = true}); });
    least(all, [&] { motif_matrices(graph); });
  }
  std::printf(
      "marks %.1f, ranked pairs %.1f, totals %.1f, per node %.1f, per role %.1f, matrices %.1f "
      "ms\n",
      marks * 1e3, prepared * 1e3, totals * 1e3, per_node * 1e3, per_role * 1e3, all * 1e3);
  bench::ratio("totals_vs_marks", totals / marks);
  bench::ratio("per_node_vs_totals", per_node / totals);
  bench::ratio("per_role_vs_per_node", per_role / per_node);
  bench::ratio("per_node_vs_matrices", per_node / all);
  bench::figure("totals_bytes_per_pair", totals_bytes);
  bench::figure("per_role_bytes_per_pair", role_bytes);
  bench::print_ratios();
}
