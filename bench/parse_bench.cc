// Reading a text edge list: ours against a plain `std::ifstream >>` loop, and against `wc -l`, the
// least that anything which looks at every byte can take. All read the same file from the cache.
// Usage: parse_bench [edges] [trials] [threads]
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "bench/bench.h"
#include "mgnn/base/file.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/rng.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_list.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/text_writer.h"

namespace {

using namespace mgnn;

// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the weights of Graph500: hubs, and ids with gaps.
void write_rmat(const std::string& path, int64_t edges) {
  const int scale = int(std::bit_width(uint64_t(edges) / 16));
  Rng rng(1);
  TextWriter out(path);
  for (int64_t e = 0; e < edges; e++) {
    int64_t u = 0, v = 0;
    for (int level = 0; level < scale; level++) {
      const uint64_t draw = rng.below(100);
      u = 2 * u + (draw >= 76);
      v = 2 * v + ((draw >= 57 && draw < 76) || draw >= 95);
    }
    out.number(u);
    out.text("\t");
    out.number(v);
    out.text("\n");
  }
  out.commit();
}

struct Ends {
  int64_t from, to;
};

std::vector<Ends> read_by_stream(const std::string& path) {
  std::vector<Ends> edges;
  std::ifstream in(path);
  for (Ends e; in >> e.from >> e.to;) edges.push_back(e);
  return edges;
}

EdgeRows read_rows(const std::string& path) {
  const FileBytes bytes = read_bytes(path);
  return read_edge_rows(find_edge_layout(bytes.view(), path, {}), path);
}

bool same_rows(const EdgeRows& rows, const std::vector<Ends>& edges) {
  return std::equal(rows.edges.begin(), rows.edges.end(), edges.begin(), edges.end(),
                    [](const Edge& a, const Ends& b) { return a.from == b.from && a.to == b.to; });
}

bool same(const EdgeList& list, const std::vector<Ends>& edges) {
  if (list.edges.size() != edges.size()) return false;
  const auto id = [&](NodeId node) {
    return list.ids.trivial() ? int64_t(node) : list.ids.number[size_t(node)];
  };
  for (size_t e = 0; e < edges.size(); e++)
    if (id(list.edges[e].from) != edges[e].from || id(list.edges[e].to) != edges[e].to)
      return false;
  return true;
}

void count_by_wc(const std::string& path) {
  if (std::system(("wc -l " + path + " > /dev/null").c_str()) != 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t edges = argc > 1 ? std::atoll(argv[1]) : 50'000'000;
  const int trials = argc > 2 ? std::atoi(argv[2]) : 1;
  set_num_threads(argc > 3 ? std::atoi(argv[3]) : 2);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("mgnn-parse-bench-" + std::to_string(getpid())))
          .string();
  write_rmat(path, edges);
  std::printf("%lld edges, %lld bytes, %d threads\n", static_cast<long long>(edges),
              static_cast<long long>(std::filesystem::file_size(path)), num_threads());

  // Text to pairs of integers, as the loop does; and with nodes numbered 0..n-1, as a graph needs.
  bench::compare(
      "parse_vs_ifstream", trials, [&] { return read_rows(path); },
      [&] { return read_by_stream(path); }, same_rows);
  bench::compare(
      "parse_and_number_vs_ifstream", trials, [&] { return read_edge_list(path); },
      [&] { return read_by_stream(path); }, same);

  std::vector<double> ours, wc;
  for (int i = 0; i < trials + 2; i++) {
    ours.push_back(bench::seconds([&] { read_edge_list(path); }));
    wc.push_back(bench::seconds([&] { count_by_wc(path); }));
  }
  const double times = bench::median(ours) / bench::median(wc);
  std::printf("%-48s %10.1f ms %10.1f ms %8.2fx\n", "time over that of wc -l",
              bench::median(ours) * 1e3, bench::median(wc) * 1e3, times);
  bench::ratio("parse_time_over_wc", times);
  std::filesystem::remove(path);
  bench::print_ratios();
}
