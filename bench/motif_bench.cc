// All thirteen motif matrices, from a Graph in memory to 13 value arrays on the full symmetric
// pattern, against what others need only to count triangles:
//   merge   a merge-based triangle count on a degree-ordered CSR (as in the GAP benchmark suite)
//   marks   our own marking of neighbourhoods, only counting, on prepared rows
//   GraphBLAS   masked products for the closed motifs alone, where it is installed
// Usage: motif_bench [trials] [millions of arcs of the largest RMAT graph: 10] [name]
//   names: wiki-vote, soc-epinions1, cora, pubmed, rmat-1M, rmat-10M, rmat-50M, rmat-100M,
//   star-10M, core-2000, cancel; RMAT graphs of 50 and 100 million arcs only if asked for. On the
//   first everything is run once, with cold memory; on the second the matrices alone, once.
// A star must cost no more than a sparse graph of its size, and a complete core within a sparse
// graph no more than both alone: `vs_sparse`, `vs_parts`.
// One thread is timed in CPU seconds, two threads by the clock; the minimum of the trials counts.
// On a machine that others use too, the clock is of little use: `two_threads_cpu_speedup` is what two
// free cores would give, the CPU seconds of one thread alone over those of the busier of two;
// `two_threads_balance` is 1 if both have the same share of them. They need
// OMP_WAIT_POLICY=passive, without which a thread that waits is busy as well.
// `two_threads_of_arithmetic`, measured in turns with the others, is what the machine gives to two
// threads that touch no memory: virtual cores that share a real one give much less than 2. Cold:
// memory fresh from the system every time; warm: memory that the process has used before.

#include <omp.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <thread>

#include "bench/bench.h"
#include "bench/graphblas_motifs.h"
#include "bench/triangle_counts.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/load.h"
#include "mgnn/data/locate.h"
#include "mgnn/graph/generators.h"
#include "mgnn/graph/graph.h"
#include "mgnn/motif/motifs.h"

namespace {

using namespace mgnn;
using bench::count_by_marks, bench::count_by_merge, bench::cpu_now, bench::keep_memory,
    bench::min_cpu, bench::OrderedRows, bench::rmat, bench::status_kib;

// CPU seconds of two threads.
template <class Action>
std::array<double, 2> cpu_of_two(Action&& action) {
  std::array<double, 2> spent = {};
  const auto add = [&](double sign) {
#pragma omp parallel num_threads(2)
    {
      timespec t;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      spent[omp_get_thread_num()] += sign * (double(t.tv_sec) + 1e-9 * double(t.tv_nsec));
    }
  };
  add(-1);
  action();
  add(1);
  return spent;
}

// A fixed number of steps in registers, shared by the threads.
void arithmetic() {
  constexpr int kSteps = 4'000'000;
  const int threads = num_threads();
#pragma omp parallel num_threads(threads)
  {
    uint64_t a = uint64_t(omp_get_thread_num()) + 1, b = 2;
    for (int i = 0; i < kSteps / threads; i++) {
      a = a * 6364136223846793005u + b;
      b = b ^ (b << 7) ^ a;
    }
    if (b == 0) std::abort();  // never; so that the loop stays
  }
}

// One thread and two in turns, the minimum of the trials each, so that both have met the machine's
// best moment. Leaves one thread.
struct Threads {
  double one = 1e30, two = 1e30;  // by the clock
  double one_arithmetic = 1e30, two_arithmetic = 1e30;
  double busier = 1e30, balance = 0;  // CPU seconds of the busier of two

  template <class Action>
  void measure(int trials, Action&& action) {
    for (int i = 0; i < trials; i++) {
      set_num_threads(1);
      one = std::min(one, bench::seconds(action));
      one_arithmetic = std::min(one_arithmetic, bench::seconds(arithmetic));
      set_num_threads(2);
      two_arithmetic = std::min(two_arithmetic, bench::seconds(arithmetic));
      const auto spent = cpu_of_two([&] { two = std::min(two, bench::seconds(action)); });
      const double busy = std::max(spent[0], spent[1]);
      if (busy >= busier) continue;
      busier = busy;
      balance = (spent[0] + spent[1]) / (2 * busy);
    }
    set_num_threads(1);
  }

  void print(const std::string& name, double cpu_of_one) const {
    std::printf("  by the clock: 1 thread %.1f, 2 threads %.1f ms\n", one * 1e3, two * 1e3);
    bench::ratio(name + "_two_threads_speedup", one / two);
    bench::ratio(name + "_two_threads_cpu_speedup", cpu_of_one / busier);
    bench::ratio(name + "_two_threads_balance", balance);
    bench::ratio(name + "_two_threads_of_arithmetic", one_arithmetic / two_arithmetic);
  }
};

int64_t induced_triangles(const Graph& graph) {
  const MotifMatrices all =
      motif_matrices(graph, {.counting = Counting::induced, .motifs = MotifSet::closed()});
  int64_t triangles = 0;
  for (int k = 1; k <= 7; k++) triangles += all.sum(k) / 6;
  return triangles;
}

void expect(bool ok, const char* what) {
  if (ok) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

void report(const std::string& name, const char* what, double value) {
  bench::ratio(name + "_" + what, value);
}

void compare_graphblas([[maybe_unused]] const std::string& name,
                       [[maybe_unused]] const Graph& graph, [[maybe_unused]] double ours) {
#ifdef MGNN_BENCH_GRAPHBLAS
  const bench::GraphBlasMotifs opponent(graph, 1);
  int64_t sums[7];
  const double theirs = min_cpu(1, [&] { opponent.count(sums); });
  const MotifMatrices all = motif_matrices(graph);
  for (int k = 1; k <= 7; k++) expect(all.sum(k) == sums[k - 1], "GraphBLAS has other sums");
  std::printf("  GraphBLAS, M1 to M7 only      %10.1f ms\n", theirs * 1e3);
  report(name, "times_as_fast_as_graphblas", theirs / ours);
#endif
}

// One thread, CPU seconds, memory that was used before.
double warm_seconds(const Graph& graph, int trials) {
  keep_memory(true);
  motif_matrices(graph);
  return min_cpu(trials, [&] { motif_matrices(graph); });
}

struct Counted {
  double pairs = 0, triangles = 0, merge = 0, marks = 0;
};

// Both opponents; ends the program unless they count the triangles that we count.
Counted count_triangles(const std::string& name, const Graph& graph, int trials) {
  const OrderedRows rows(graph);
  Counted counted{.pairs = double(rows.index.size() / 2)};
  std::printf("%s: %s nodes, %s arcs, %s connected pairs\n", name.c_str(),
              human_count(graph.num_nodes()).c_str(), human_count(graph.num_arcs()).c_str(),
              human_count(int64_t(counted.pairs)).c_str());
  int64_t merged = 0, marked = 0;
  counted.merge = min_cpu(std::max(1, trials / 2), [&] { merged = count_by_merge(rows); });
  counted.marks = min_cpu(trials, [&] { marked = count_by_marks(rows); });
  std::printf("  %s triangles; merge count %.1f ms, marking count %.1f ms\n",
              human_count(merged).c_str(), counted.merge * 1e3, counted.marks * 1e3);
  std::fflush(stdout);
  set_num_threads(2);
  expect(merged == marked && merged == induced_triangles(graph), "triangle counts differ");
  set_num_threads(1);
  counted.triangles = double(merged);
  return counted;
}

struct Cold {
  double cpu = 0, bytes = 0;  // minimum of the trials, and peak memory
};

Cold measure_cold(const Graph& graph, int trials) {
  keep_memory(false);
  std::ofstream("/proc/self/clear_refs") << "5";
  const int64_t before = status_kib("VmRSS:");
  Cold cold{.cpu = 1e30};
  for (int i = 0; i < trials; i++) {
    const double start = cpu_now();
    motif_matrices(graph);
    cold.cpu = std::min(cold.cpu, cpu_now() - start);
  }
  cold.bytes = double(status_kib("VmHWM:") - before) * 1024;
  std::printf("  cold: %.1f ms; peak memory of the process %.2f GiB\n", cold.cpu * 1e3,
              double(status_kib("VmHWM:")) / (1 << 20));
  std::fflush(stdout);
  return cold;
}

// Once, for a graph that takes minutes.
void measure_large(const std::string& name, const Graph& graph) {
  set_num_threads(1);
  const Counted counted = count_triangles(name, graph, 1);
  const Cold cold = measure_cold(graph, 1);
  Threads threads;
  threads.measure(1, [&] { motif_matrices(graph); });
  report(name, "cold_vs_merge", cold.cpu / counted.merge);
  report(name, "cold_vs_marks", cold.cpu / counted.marks);
  report(name, "million_triangles_per_second_cold", counted.triangles / cold.cpu / 1e6);
  threads.print(name, cold.cpu);
  report(name, "bytes_per_pair", cold.bytes / counted.pairs);
  report(name, "seconds_cold", cold.cpu);
}

// Whether there is memory for it.
void measure_memory(const std::string& name, const Graph& graph) {
  set_num_threads(2);
  std::printf("%s: %s nodes, %s arcs\n", name.c_str(), human_count(graph.num_nodes()).c_str(),
              human_count(graph.num_arcs()).c_str());
  const Cold cold = measure_cold(graph, 1);
  report(name, "seconds_cold", cold.cpu);
  report(name, "gibibytes", double(status_kib("VmHWM:")) / (1 << 20));
}

// Gives the seconds of one thread with warm memory.
double measure(const std::string& name, const Graph& graph, int trials,
               bool with_graphblas = false) {
  set_num_threads(1);
  const Counted counted = count_triangles(name, graph, trials);
  const Cold cold = measure_cold(graph, trials);
  const double warm = warm_seconds(graph, trials);
  Threads threads;
  threads.measure(trials, [&] { motif_matrices(graph); });
  keep_memory(false);

  const double per_second = counted.triangles / warm / 1e6;
  std::printf("  warm: %.1f ms; %.1f million triangles/s, %.1f bytes per connected pair\n",
              warm * 1e3, per_second, cold.bytes / counted.pairs);
  std::fflush(stdout);
  report(name, "warm_vs_merge", warm / counted.merge);
  report(name, "cold_vs_merge", cold.cpu / counted.merge);
  report(name, "warm_vs_marks", warm / counted.marks);
  report(name, "million_triangles_per_second", per_second);
  threads.print(name, warm);
  report(name, "nanoseconds_per_pair", warm / counted.pairs * 1e9);
  report(name, "bytes_per_pair", cold.bytes / counted.pairs);
  report(name, "milliseconds", warm * 1e3);
  if (with_graphblas) compare_graphblas(name, graph, warm);
  return warm;
}

Graph star(NodeId leaves) {
  GeneratedEdges generated = star_edges(leaves + 1);
  return make_graph(generated.num_nodes, std::move(generated.edges));
}

Graph sparse(NodeId nodes, Offset num_arcs) {
  return make_graph(nodes, er_edges_exactly(nodes, num_arcs, Rng(2)).edges);
}

// A complete core within a large sparse graph.
Graph core(NodeId core_nodes, NodeId nodes, Offset num_arcs) {
  GeneratedEdges generated = er_edges_exactly(nodes, num_arcs, Rng(2));
  for (const Edge& e : complete_edges(core_nodes).edges) generated.edges.push_back(e);
  return make_graph(nodes, std::move(generated.edges));
}

void measure_star(NodeId leaves) {
  const double whole = measure("star-10M", star(leaves), 2);
  report("star-10M", "vs_sparse", whole / warm_seconds(sparse(leaves + 1, leaves), 2));
}

void measure_core(NodeId core_nodes, NodeId nodes, Offset num_arcs) {
  const double whole = measure("core-2000", core(core_nodes, nodes, num_arcs), 1);
  const double parts =
      warm_seconds(sparse(nodes, num_arcs), 1) + warm_seconds(core(core_nodes, core_nodes, 0), 1);
  report("core-2000", "vs_parts", whole / parts);
}

// Time from the signal to the end, at ten moments of the work.
double cancel_seconds(const Graph& graph) {
  const double whole = bench::seconds([&] { motif_matrices(graph); });
  double worst = 0;
  for (int i = 0; i < 10; i++) {
    std::chrono::steady_clock::time_point asked;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(whole * (i + 0.5) / 10));
      asked = std::chrono::steady_clock::now();
      kill(getpid(), SIGTERM);
    });
    try {
      motif_matrices(graph);
    } catch (const Error&) {
    }
    const auto ended = std::chrono::steady_clock::now();
    user.join();
    set_interrupted(false);
    worst = std::max(worst, std::chrono::duration<double>(ended - asked).count());
  }
  std::printf("cancel, %d threads: %.2f s of work stop within %.3f s\n", num_threads(), whole,
              worst);
  return worst;
}

void measure_cancel(const Graph& graph) {
  catch_interrupts();
  double worst = 0;
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    worst = std::max(worst, cancel_seconds(graph));
  }
  report("cancel", "seconds", worst);
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  const int64_t max_millions = argc > 2 ? std::atoll(argv[2]) : 10;
  const std::string only = argc > 3 ? argv[3] : "";
  bool any = false;
  const auto wanted = [&](const std::string& name) {
    const bool yes = only.empty() || only == name;
    any = any || yes;
    return yes;
  };
  for (const std::string name : {"wiki-vote", "soc-epinions1", "cora", "pubmed"}) {
    if (!wanted(name)) continue;
    const LoadOptions load = {.data_dir = "../shared/data", .download = false};
    if (dataset_folder(*find_dataset_entry(name), load))
      measure(name, load_dataset(name, load).graph, std::max(trials, 100));
    else
      std::printf("%s is not here: set MGNN_DATA_DIR\n", name.c_str());
  }
  for (const int64_t million : {1, 10, 50, 100}) {
    const std::string name = "rmat-" + std::to_string(million) + "M";
    if (million > max_millions || !wanted(name)) continue;
    if (million == 100)
      measure_memory(name, rmat(million));
    else if (million == 50)
      measure_large(name, rmat(million));
    else
      measure(name, rmat(million), trials, million == 1);
  }
  if (wanted("star-10M")) measure_star(10'000'000);
  if (wanted("core-2000")) measure_core(2000, 1'000'000, 5'000'000);
  if (wanted("cancel")) measure_cancel(rmat(max_millions));
  if (!any) {
    std::fprintf(stderr,
                 "no graph is called %s, or it has more than %lld million arcs; use wiki-vote, "
                 "soc-epinions1, cora, pubmed, rmat-1M, rmat-10M, rmat-50M, rmat-100M, star-10M, "
                 "core-2000 or cancel\n",
                 only.c_str(), static_cast<long long>(max_millions));
    return 2;
  }
  bench::print_ratios();
}
