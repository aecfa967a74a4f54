// Embeddings: skip-gram against Debian's fastText on the same walks (where it is installed), walks
// on a graph of ten million arcs, NetLSD over AIDS, GraRep and HOPE on PubMed (where the data are).
// Ratios to fastText are of tokens per second; those of memory are to a limit of 2 GiB;
// the others are plain rates.
// Usage: embed_bench [threads] [data folder]
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/bench.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/rng.h"
#include "mgnn/data/load.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/embed/walk_vectors.h"
#include "mgnn/graph/generators.h"

namespace {

using namespace mgnn;

constexpr int kDimension = 128, kWindow = 5, kNegatives = 5;

Graph rmat(NodeId nodes, Offset arcs) {
  GeneratedEdges edges = rmat_edges({.nodes = nodes, .arcs = arcs, .shuffle = true}, Rng(1));
  return build_graph(edges.num_nodes, std::move(edges.edges), {.symmetrise = true}).graph;
}

// Seconds for one epoch: two runs that differ in their epochs only, so that reading the corpus and
// starting do not count.
template <class Run>
double epoch_seconds(Run run) {
  std::vector<double> times;
  for (int i = 0; i < 3; i++)
    times.push_back((bench::seconds([&] { run(3); }) - bench::seconds([&] { run(1); })) / 2);
  return bench::median(times);
}

void run_fasttext(const std::string& walks, int threads, int epochs) {
  const std::string command = fmt::format(
      "fasttext skipgram -input {0} -output {0}.out -minn 0 -maxn 0 -minCount 1 -t 1 -lr 0.025 "
      "-dim {1} -ws {2} -neg {3} -epoch {4} -thread {5} -bucket 1 >/dev/null 2>&1",
      walks, kDimension, kWindow, kNegatives, epochs, threads);
  if (std::system(command.c_str()) != 0) std::exit(1);
}

void bench_skip_gram(int threads) {
  const Graph graph = rmat(1 << 14, 1 << 16);
  const Walker walker(graph);
  const Corpus corpus = walk_corpus(walker, graph.num_nodes(), 1, 40, 1);
  std::vector<std::vector<NodeId>> sentences(corpus.num_items);
  double tokens = 0;
  for (size_t i = 0; i < sentences.size(); i++) {
    corpus.tokens(int64_t(i), sentences[i]);
    tokens += double(sentences[i].size());
  }
  const Corpus stored{.num_items = corpus.num_items,
                      .vocabulary = corpus.vocabulary,
                      .tokens = [&](int64_t i, std::vector<NodeId>& to) { to = sentences[i]; }};
  const auto rate_of = [&](const char* name, SkipGramOptions options) {
    options.dimension = kDimension, options.window = kWindow, options.negatives = kNegatives;
    const double seconds = epoch_seconds([&](int epochs) {
      options.epochs = epochs;
      train_skip_gram(stored, options);
    });
    std::printf("skip-gram, %-36s %10.0f tokens/s\n", name, tokens / seconds);
    std::fflush(stdout);
    return tokens / seconds;
  };
  const double ordered = rate_of("in order", {});
  const double unordered = rate_of("unordered", {.unordered = true});
  const double pairwise =
      rate_of("unordered, negatives for each pair", {.share_negatives = false, .unordered = true});
  if (std::system("command -v fasttext >/dev/null 2>&1") != 0) return;
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("mgnn-bench-{}", getpid())).string();
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/walks.txt";
  {
    std::ofstream file(path);
    for (const auto& sentence : sentences) {
      for (const NodeId token : sentence) file << token << ' ';
      file << '\n';
    }
  }
  const double seconds = epoch_seconds([&](int epochs) { run_fasttext(path, threads, epochs); });
  std::filesystem::remove_all(folder);
  std::printf("skip-gram, %-36s %10.0f tokens/s\n", "fastText", tokens / seconds);
  bench::ratio("skip_gram_unordered_vs_fasttext", unordered * seconds / tokens);
  bench::ratio("skip_gram_unordered_pairwise_vs_fasttext", pairwise * seconds / tokens);
  bench::ratio("skip_gram_in_order_vs_fasttext", ordered * seconds / tokens);
}

void bench_walks() {
  const Graph graph = rmat(1 << 20, 6'000'000);
  std::printf("walks on %lld arcs\n", static_cast<long long>(graph.num_arcs()));
  for (const double q : {1., 0.5}) {
    const Walker walker(graph, {}, {.q = q});
    constexpr int64_t kWalks = 100'000;
    const Rng rng(2);
    const double seconds = bench::seconds([&] {
#pragma omp parallel for schedule(dynamic, 64)
      for (int64_t i = 0; i < kWalks; i++) {
        NodeId walk[80];
        Rng steps = rng.split(uint64_t(i));
        walker.walk(NodeId(steps.below(uint64_t(graph.num_nodes()))), steps, walk);
      }
    });
    const double rate = double(kWalks) / seconds;
    std::printf("walks of 80 nodes, q = %.1f %28.0f walks/s\n", q, rate);
    bench::ratio(fmt::format("walks_of_80_per_second_q_{:.1f}", q), rate);
  }
}

void bench_real_data(const std::string& folder) {
  const LoadOptions here{.data_dir = folder, .download = false};
  const Dataset pubmed = load_dataset("pubmed", here), aids = load_dataset("aids", here);
  const EmbedInput graphs{.graph = aids.graph, .graph_start = aids.graph_start};
  const auto seconds_of = [](const char* method, const EmbedInput& input) {
    return bench::seconds([&] { find_embedding_method(method).make()->run(input); });
  };
  const double netlsd_seconds = seconds_of("netlsd", graphs);
  std::printf("NetLSD of AIDS %41.2f s\n", netlsd_seconds);
  bench::ratio("netlsd_aids_graphs_per_second", double(aids.num_graphs()) / netlsd_seconds);
  for (const char* method : {"hope", "grarep"}) {
    const double seconds = seconds_of(method, {pubmed.graph});
    const auto peak = double(peak_memory_bytes());
    std::printf("%-6s of PubMed %39.2f s, peak so far %.0f MiB\n", method, seconds, peak / 0x1p20);
    bench::ratio(fmt::format("{}_pubmed_peak_memory_of_2_gib", method), peak / 0x1p31);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) set_num_threads(std::atoi(argv[1]));
  const std::string folder = argc > 2 ? argv[2] : "../shared/data";
  if (std::filesystem::is_directory(folder))
    bench_real_data(folder);  // first: its peak memory is reported
  else
    std::printf("no real data in %s\n", folder.c_str());
  bench_walks();
  bench_skip_gram(num_threads());
  bench::print_ratios();
}
