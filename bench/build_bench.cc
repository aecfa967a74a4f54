// Building a graph from an array of edges against std::sort of that array, and the memory it takes.
// Usage: build_bench [million arcs] [trials]      (default: 10 and 3)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/graph/generators.h"
#include "mgnn/graph/graph.h"

namespace {

using namespace mgnn;

bool before(const Edge& a, const Edge& b) {
  return a.from != b.from ? a.from < b.from : a.to < b.to;
}

Array<Edge> sorted(Array<Edge> edges) {
  std::sort(edges.begin(), edges.end(), before);
  return edges;
}

bool agree(const Graph& graph, Array<Edge> edges) {
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [](const Edge& e) { return e.from == e.to; });
  return arcs(graph) == edges;
}

// Both consume a copy that is made off the clock.
void race(const std::string& name, const GeneratedEdges& given, int trials) {
  if (!agree(make_graph(given.num_nodes, given.edges), sorted(given.edges))) {
    std::printf("%s: the results differ\n", name.c_str());
    std::exit(1);
  }
  std::vector<double> build, sort;
  for (int i = 0; i < trials; i++) {
    Array<Edge> copy = given.edges;
    build.push_back(bench::seconds([&] { make_graph(given.num_nodes, std::move(copy)); }));
    copy = given.edges;
    sort.push_back(bench::seconds([&] { std::sort(copy.begin(), copy.end(), before); }));
  }
  const double b = bench::median(build), s = bench::median(sort);
  std::printf("%-48s %10.1f ms %10.1f ms %8.2fx\n", name.c_str(), b * 1e3, s * 1e3, s / b);
  std::fflush(stdout);
  bench::ratio(name, s / b);
}

// In a child of its own: peak while building, edges included, over the size of the graph.
double memory_ratio(const RmatOptions& options) {
  int channel[2];
  if (pipe(channel) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    set_num_threads(1);  // threads do not survive a fork
    const double before_all = double(peak_memory_bytes());
    GeneratedEdges given = rmat_edges(options, Rng(1));
    const Stopwatch watch;
    const Graph graph = make_graph(given.num_nodes, std::move(given.edges));
    const double seconds = watch.seconds();
    const double size = 8. * double(graph.num_arcs()) + 16. * (double(graph.num_nodes()) + 1);
    const double peak = double(peak_memory_bytes()) - before_all;
    std::printf("memory: peak %.2f GiB, graph %.2f GiB, %.1f s with one thread\n", peak / 0x1p30,
                size / 0x1p30, seconds);
    std::fflush(stdout);
    const double ratio = peak / size;
    _exit(write(channel[1], &ratio, sizeof ratio) == sizeof ratio ? 0 : 1);
  }
  double ratio = 0;
  if (read(channel[0], &ratio, sizeof ratio) != sizeof ratio) std::exit(1);
  waitpid(child, nullptr, 0);
  return ratio;
}

}  // namespace

int main(int argc, char** argv) {
  const int millions = argc > 1 ? std::atoi(argv[1]) : 10;
  const int trials = argc > 2 ? std::atoi(argv[2]) : 3;
  RmatOptions options{.nodes = 1 << 20, .arcs = Offset(millions) * 1'000'000};
  while (options.nodes < options.arcs / 20) options.nodes *= 2;

  const double memory = memory_ratio(options);  // before this process starts threads
  for (const bool shuffle : {false, true}) {
    options.shuffle = shuffle;
    GeneratedEdges given;
    const double seconds = bench::seconds([&] { given = rmat_edges(options, Rng(1)); });
    std::printf("R-MAT%s: %d nodes, %ld arcs, %.1f million arcs a second\n",
                shuffle ? ", shuffled" : "", given.num_nodes, long(given.edges.size()),
                double(given.edges.size()) / seconds / 1e6);
    for (const int threads : {1, 2}) {
      set_num_threads(threads);
      race("build_" + std::string(shuffle ? "shuffled_" : "") + std::to_string(millions) + "M_" +
               std::to_string(threads) + (threads == 1 ? "thread" : "threads"),
           given, trials);
    }
  }
  bench::ratio("build_peak_memory_over_graph", memory);
  bench::print_ratios();
}
